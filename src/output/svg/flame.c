// SPDX-License-Identifier: LGPL-2.1-or-later
/* Draws stacks as an SVG picture that can be zoomed and searched. */
#include <stdlib.h>

#include "base/units.h"
#include "output/flame.h"
#include "output/svg/svg.h"

#define WIDTH	   1200
#define ROW	   17
#define HEAD	   40
#define CHAR_WIDTH 7 /* approximate width in the font */
/*
 * Frames narrower than this, in thousandths of a pixel, are too small
 * to see and are not drawn.
 */
#define PARTS_MIN 20

struct picture {
	const struct kft_stacks *s; /* borrowed, like the text */
	uint64_t *weights; /* owned: weight of a frame with all its callees */
	uint64_t total;
	uint32_t deepest;
	bool is_time;
	struct kft_strbuf *sb;
};

/* The position of one frame, in 100,000ths of the width. */
struct place {
	uint32_t frame;
	uint32_t depth;
	uint64_t before; /* weight of the frames to its left */
};

static const char script[] =
	"(function(){var svg=document.documentElement,gs=[].slice.call("
	"document.querySelectorAll('g.f')),W=1200,info=document.getElementById('info');"
	"function fit(g,x,w){var r=g.querySelector('rect'),t=g.querySelector('text'),"
	"n=g.getAttribute('data-n'),k=Math.floor((w-4)/7);r.setAttribute('x',x);"
	"r.setAttribute('width',Math.max(w,0.1));t.setAttribute('x',x+3);"
	"t.textContent=k<3?'':n.length<=k?n:n.slice(0,k-2)+'..';}"
	"function num(g,a){return parseFloat(g.getAttribute(a));}"
	"function zoom(z){var x0=z?num(z,'data-x'):0,w0=z?num(z,'data-w'):W,"
	"d0=z?num(z,'data-d'):0;gs.forEach(function(g){var x=num(g,'data-x'),"
	"w=num(g,'data-w'),over=x<=x0+1e-6&&x+w>=x0+w0-1e-6&&num(g,'data-d')<d0,"
	"inside=x>=x0-1e-6&&x+w<=x0+w0+1e-6;g.style.display=over||inside?'':'none';"
	"g.style.opacity=over?0.5:1;if(over)fit(g,0,W);else if(inside)"
	"fit(g,(x-x0)*W/w0,w*W/w0);});}"
	"function search(q){var m=0;gs.forEach(function(g){var hit=q&&"
	"g.getAttribute('data-n').indexOf(q)>=0;g.classList.toggle('hit',!!hit);"
	"if(hit)m++;});info.textContent=q?m+' frames with \"'+q+'\"':'';}"
	"gs.forEach(function(g){g.addEventListener('click',function(){zoom(g);});"
	"g.addEventListener('keydown',function(e){if(e.key==='Enter')zoom(g);});"
	"g.addEventListener('mouseover',function(){info.textContent="
	"g.querySelector('title').textContent;});});"
	"document.getElementById('reset').addEventListener('click',function(){zoom(null);"
	"search('');});"
	"document.getElementById('find').addEventListener('click',function(){"
	"search(prompt('Frames with this in their name:')||'');});"
	"svg.addEventListener('keydown',function(e){if(e.key==='Escape'){zoom(null);"
	"search('');}if(e.key==='/'){e.preventDefault();"
	"search(prompt('Frames with this in their name:')||'');}});"
	"gs.forEach(function(g){fit(g,num(g,'data-x'),num(g,'data-w'));});})();";

/* Appends v / total of the width in pixels, with three digits. */
static void add_pixels(struct picture *p, uint64_t v)
{
	uint64_t thousandths = (uint64_t)((double)v * WIDTH * 1000 / (double)p->total);

	kft_strbuf_addu(p->sb, thousandths / 1000, 1);
	kft_strbuf_addc(p->sb, '.');
	kft_strbuf_addu(p->sb, thousandths % 1000, 3);
}

static void add_weight(struct picture *p, uint64_t weight)
{
	uint64_t share = (uint64_t)((double)weight * 1000 / (double)p->total);

	if (p->is_time)
		kft_strbuf_add_duration(p->sb, weight);
	else
		kft_strbuf_addu(p->sb, weight, 1);
	kft_strbuf_addf(p->sb, ", %u.%u %%", (unsigned int)(share / 10),
			(unsigned int)(share % 10));
}

/* A warm colour that depends only on the name. */
static unsigned int hue_of(const char *name)
{
	return kft_hash_bytes(name, strlen(name)) % 45 + 10;
}

static void draw(struct picture *p, const struct place *at)
{
	const char *name = kft_intern_text(&p->s->names,
					   p->s->frames.data[at->frame].name);
	const uint64_t weight = p->weights[at->frame];
	const unsigned int y = HEAD + (p->deepest - at->depth) * ROW;
	struct kft_strbuf *sb = p->sb;

	kft_strbuf_adds(sb, "<g class=\"f\" tabindex=\"0\" data-d=\"");
	kft_strbuf_addu(sb, at->depth, 1);
	kft_strbuf_adds(sb, "\" data-x=\"");
	add_pixels(p, at->before);
	kft_strbuf_adds(sb, "\" data-w=\"");
	add_pixels(p, weight);
	kft_strbuf_adds(sb, "\" data-n=\"");
	kft_svg_text(sb, name);
	kft_strbuf_adds(sb, "\"><title>");
	kft_svg_text(sb, name);
	kft_strbuf_adds(sb, ": ");
	add_weight(p, weight);
	kft_strbuf_adds(sb, "</title><rect x=\"");
	add_pixels(p, at->before);
	kft_strbuf_addf(sb,
			"\" y=\"%u\" height=\"%u\" fill=\"hsl(%u,75%%,65%%)\" width=\"",
			y, ROW - 1, hue_of(name));
	add_pixels(p, weight);
	kft_strbuf_adds(sb, "\"/><text x=\"");
	add_pixels(p, at->before);
	kft_strbuf_addf(sb, "\" y=\"%u\">", y + 12);
	if ((double)weight * WIDTH / (double)p->total >
	    (double)(strlen(name) * CHAR_WIDTH + 6))
		kft_svg_text(sb, name);
	kft_strbuf_adds(sb, "</text></g>\n");
}

static bool is_wide(const struct picture *p, uint64_t weight)
{
	return (double)weight * WIDTH * PARTS_MIN >= (double)p->total;
}

/* Draws all frames, each followed by its callees from left to right. */
static int draw_all(struct picture *p)
{
	KFT_VEC(struct place) todo = {};
	uint64_t before = 0;
	bool ok = true;

	for (uint32_t i = p->s->first; i != KFT_STACKS_NONE && ok;
	     i = p->s->frames.data[i].next) {
		ok = kft_vec_push(&todo, ((struct place){i, 0, before}));
		before += p->weights[i];
	}
	while (ok && todo.len) {
		const struct place at = todo.data[--todo.len];

		if (!is_wide(p, p->weights[at.frame]))
			continue;
		draw(p, &at);
		before = at.before;
		for (uint32_t i = p->s->frames.data[at.frame].first_child;
		     i != KFT_STACKS_NONE && ok; i = p->s->frames.data[i].next) {
			ok = kft_vec_push(&todo,
					  ((struct place){i, at.depth + 1, before}));
			before += p->weights[i];
		}
	}
	kft_vec_finish(&todo);
	return ok ? 0 : -1;
}

/*
 * Sums up the weight of each frame with its callees, and finds the
 * greatest depth that is drawn.
 */
static bool weigh(struct picture *p)
{
	const size_t n = p->s->frames.len;
	_cleanup_free_ uint32_t *depths = calloc(n + 1, sizeof(*depths));

	p->weights = calloc(n + 1, sizeof(*p->weights));
	if (!p->weights || !depths)
		return false;
	for (size_t i = n; i-- > 0;) {
		const struct kft_stack_frame *f = &p->s->frames.data[i];

		p->weights[i] += f->weight;
		if (f->parent == KFT_STACKS_NONE)
			p->total += p->weights[i];
		else
			p->weights[f->parent] += p->weights[i];
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t parent = p->s->frames.data[i].parent;

		depths[i] = parent == KFT_STACKS_NONE ? 0 : depths[parent] + 1;
		if (p->total && is_wide(p, p->weights[i]))
			p->deepest = KFT_MAX(p->deepest, depths[i]);
	}
	return true;
}

static void begin(struct picture *p, const char *title)
{
	const unsigned int height = HEAD + (p->deepest + 1) * ROW + 30;

	kft_svg_begin(p->sb, WIDTH, height, title,
		      "text{font:12px monospace;fill:#000;pointer-events:none}"
		      ".f{cursor:pointer}.f:focus rect,.f:hover rect{stroke:#000}"
		      ".hit rect{fill:#7af;stroke:#004}.b{cursor:pointer;"
		      "pointer-events:all;text-decoration:underline}");
	kft_strbuf_adds(p->sb, "<text x=\"8\" y=\"20\">");
	kft_svg_text(p->sb, title);
	kft_strbuf_addf(
		p->sb,
		"</text>\n<text id=\"find\" class=\"b\" x=\"%d\" y=\"20\">search</text>\n"
		"<text id=\"reset\" class=\"b\" x=\"%d\" y=\"20\">all</text>\n"
		"<text id=\"info\" x=\"8\" y=\"%u\"></text>\n",
		WIDTH - 110, WIDTH - 40, height - 10);
}

void kft_flame_svg(const struct kft_stacks *s, const char *title, bool is_time,
		   struct kft_strbuf *sb)
{
	struct picture p = {.s = s, .is_time = is_time, .sb = sb};

	if (!weigh(&p)) {
		sb->failed = true;
	} else {
		begin(&p, title);
		if (p.total && draw_all(&p) < 0)
			sb->failed = true;
		kft_strbuf_adds(sb, "<script><![CDATA[");
		kft_strbuf_adds(sb, script);
		kft_strbuf_adds(sb, "]]></script>\n");
		kft_svg_end(sb);
	}
	free(p.weights);
}
