// SPDX-License-Identifier: LGPL-2.1-or-later
/* Gives a writer the pages of an opened trace. */
#include "file/tracedat/trace_pages.h"

#include <errno.h>

#include "file/tracedat/read/page_mend.h"
#include "file/tracedat/read/pages.h"
#include "file/tracedat/read/stream.h"

/* A walk through the pages of one CPU. */
struct kft_page_walk {
	struct kft_dat_pages pages;
	uint64_t damage;
	bool ended;
};

/* Copies the next page, whole or repaired, to buf: 1, 0 at the end, -errno. */
static int next_page(struct kft_page_walk *w, uint8_t *buf)
{
	const size_t page_size = w->pages.page_size;

	for (;;) {
		struct kft_dat_page p;
		const char *why;
		int r = kft_dat_pages_next(&w->pages, &p, &why);

		if (r == -ENOMEM || r == 0)
			return r;
		if (r > 0) {
			memcpy(buf, p.data, p.size);
			if (p.size == page_size ||
			    kft_page_mend(&w->pages.d->layout, buf, p.size, page_size))
				return 1;
			continue;
		}
		w->damage++;
		if (r != -EBADMSG)
			return 0;
	}
}

static ssize_t read_pages(void *arg, void *buf, size_t len)
{
	struct kft_page_walk *w = arg;
	const size_t page_size = w->pages.page_size;
	size_t done = 0;

	while (!w->ended && len - done >= page_size) {
		int r = next_page(w, (uint8_t *)buf + done);

		if (r < 0)
			return r;
		if (r > 0) {
			done += page_size;
			continue;
		}
		/* Frees the buffer, so that only one CPU at a time needs memory. */
		kft_dat_pages_finish(&w->pages);
		w->ended = true;
	}
	return done;
}

static struct kft_page_walk *walk_create(struct kft_stream *s)
{
	struct kft_page_walk *w = calloc(1, sizeof(*w));

	if (w)
		kft_dat_stream_open_pages(s, &w->pages);
	return w;
}

static void walk_destroy(struct kft_page_walk *w)
{
	if (!w->ended)
		kft_dat_pages_finish(&w->pages);
	free(w);
}

static int source_init(struct kft_page_source *ret, struct kft_trace_pages *pp,
		       struct kft_stream *s)
{
	struct kft_page_walk *w = walk_create(s);

	if (!w)
		return -ENOMEM;
	pp->walks[pp->n_walks++] = w;
	const uint64_t bytes = w->pages.end - w->pages.start;
	*ret = (struct kft_page_source){.cpu = s->cpu, .bytes = bytes};
	if (w->pages.chunked || bytes % w->pages.page_size) {
		ret->fd = -1;
		ret->read = read_pages;
		ret->arg = w;
	} else {
		ret->fd = w->pages.in->fd;
		ret->offset = w->pages.start;
	}
	return 0;
}

static int add_buffer(struct kft_trace_pages *pp, const struct kft_buffer *b)
{
	struct kft_page_source *sources = pp->sources + pp->n_walks;
	const struct kft_tracedat_buffer buffer = {
		.name = b->name,
		.clock = b->clock.name,
		.page_size = b->page_size,
		.sources = sources,
		.n_sources = b->streams.len,
	};

	for (size_t i = 0; i < b->streams.len; i++) {
		int r = source_init(&sources[i], pp, b->streams.data[i]);

		if (r < 0)
			return r;
	}
	return kft_vec_push(&pp->buffers, buffer) ? 0 : -ENOMEM;
}

/* Adds the main buffer; an empty one for a file that has only instances. */
static int add_main(struct kft_trace_pages *pp, const struct kft_trace *t)
{
	const struct kft_tracedat_buffer none = {
		.name = "",
		.clock = t->meta.clock.name,
		.page_size = t->meta.page_size,
	};

	kft_vec_for_each(&t->buffers, b)
		if (!b->name[0])
			return add_buffer(pp, b);
	return kft_vec_push(&pp->buffers, none) ? 0 : -ENOMEM;
}

int kft_trace_pages_init(struct kft_trace_pages *pp, struct kft_trace *t)
{
	size_t n = 0;

	*pp = (struct kft_trace_pages){};
	kft_vec_for_each(&t->buffers, b)
		n += b->streams.len;
	pp->walks = calloc(n + 1, sizeof(struct kft_page_walk *));
	pp->sources = calloc(n + 1, sizeof(*pp->sources));
	int r = pp->walks && pp->sources ? add_main(pp, t) : -ENOMEM;
	bool have_main = false;
	for (size_t i = 0; i < t->buffers.len && r == 0; i++) {
		struct kft_buffer *b = &t->buffers.data[i];

		if (b->name[0] || have_main)
			r = add_buffer(pp, b);
		else
			have_main = true;
	}
	if (r < 0)
		kft_trace_pages_finish(pp);
	return r;
}

void kft_trace_pages_finish(struct kft_trace_pages *pp)
{
	for (size_t i = 0; i < pp->n_walks; i++)
		walk_destroy(pp->walks[i]);
	kft_vec_finish(&pp->buffers);
	free(pp->walks);
	free(pp->sources);
	*pp = (struct kft_trace_pages){};
}

uint64_t kft_trace_pages_damage(const struct kft_trace_pages *pp)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < pp->n_walks; i++)
		sum += pp->walks[i]->damage;
	return sum;
}
