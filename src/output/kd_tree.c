// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints calls in the tree layout of kd. */
#include "output/kd_tree.h"

#include <errno.h>
#include <string.h>

#define NS_PER_US   1000
#define BANNER_MARK 4 /* a thread's character is repeated this often in a banner */

/* The characters of the original kd, in its order. */
static const char thread_chars[] = "|!@[#;($/{%]*)&:\\}";

static char thread_char(const struct kft_kd_tree_style *style, uint32_t root)
{
	return style->interlaced ? thread_chars[root % (sizeof(thread_chars) - 1)] : '|';
}

struct column {
	char letter;
	const char *title;
	size_t width;
	void (*add)(const struct kft_call_node *n, struct kft_strbuf *sb);
};

static void add_time(const struct kft_call_node *n, uint64_t ns, struct kft_strbuf *sb)
{
	static const int unknown[] = {
		[KFT_CALL_OPEN] = -1,
		[KFT_CALL_WATCHED] = -2,
	};

	kft_strbuf_addi(sb, n->end == KFT_CALL_ENDED ? (int64_t)(ns / NS_PER_US)
						     : unknown[n->end]);
}

static void add_entry(const struct kft_call_node *n, struct kft_strbuf *sb)
{
	kft_strbuf_addu(sb, n->entry_ns / NS_PER_US, 1);
}

static void add_duration(const struct kft_call_node *n, struct kft_strbuf *sb)
{
	add_time(n, n->dur_ns, sb);
}

static void add_local(const struct kft_call_node *n, struct kft_strbuf *sb)
{
	add_time(n, n->local_ns, sb);
}

static void add_on(const struct kft_call_node *n, struct kft_strbuf *sb)
{
	add_time(n, n->on_ns, sb);
}

static void add_on_local(const struct kft_call_node *n, struct kft_strbuf *sb)
{
	add_time(n, n->on_local_ns, sb);
}

static void add_pid(const struct kft_call_node *n, struct kft_strbuf *sb)
{
	kft_strbuf_addi(sb, n->pid);
	if (n->cpu != KFT_CALL_NO_CPU) {
		kft_strbuf_addc(sb, '.');
		kft_strbuf_addi(sb, n->cpu);
	}
}

/* In the order of the output; the order of the letters does not matter. */
static const struct column columns[] = {
	{'e', " Entry     ", 10, add_entry},	{'t', " Duration  ", 10, add_duration},
	{'l', " Local     ", 10, add_local},	{'T', " On-CPU    ", 10, add_on},
	{'L', " On-local  ", 10, add_on_local}, {'p', "  Pid   ", 7, add_pid},
};

static bool shows(const struct kft_kd_tree_style *style, const struct column *c)
{
	return strchr(style->columns, c->letter) != NULL;
}

void kft_kd_tree_titles(const struct kft_kd_tree_style *style, struct kft_strbuf *sb)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		if (shows(style, &columns[i]))
			kft_strbuf_adds(sb, columns[i].title);
	kft_strbuf_adds(sb, " Trace \n");
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		if (!shows(style, &columns[i]))
			continue;
		kft_strbuf_fill(sb, '-', columns[i].width);
		kft_strbuf_addc(sb, ' ');
	}
	kft_strbuf_adds(sb, "---------------------------------\n");
}

static void add_cell(const struct kft_kd_tree_style *style, const struct column *c,
		     const struct kft_call_node *n, struct kft_strbuf *sb)
{
	bool of_cpu = c->letter == 'T' || c->letter == 'L';
	size_t start = sb->len;

	if (of_cpu && !style->has_off)
		kft_strbuf_addc(sb, '-');
	else
		c->add(n, sb);
	kft_strbuf_pad(sb, start, c->width, true);
	kft_strbuf_addc(sb, ' ');
}

static void add_args(const struct kft_kd_tree_style *style, const struct kft_call_node *n,
		     size_t name_len, struct kft_strbuf *sb)
{
	if (n->depth < style->max_depth)
		kft_strbuf_fill(sb, ' ', 3 * (style->max_depth - n->depth));
	if (name_len < style->max_name)
		kft_strbuf_fill(sb, ' ', style->max_name - name_len);
	kft_strbuf_add_escaped(sb, n->args, strlen(n->args));
}

void kft_kd_tree_line(const struct kft_kd_tree_style *style,
		      const struct kft_intern *names, const struct kft_call_node *node,
		      struct kft_strbuf *sb)
{
	const struct kft_interned *name = &names->strings.data[node->func];
	char level[] = {thread_char(style, node->root), ' ', ' '};

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		if (shows(style, &columns[i]))
			add_cell(style, &columns[i], node, sb);
	for (uint32_t i = 0; i < node->depth; i++)
		kft_strbuf_add(sb, level, sizeof(level));
	size_t start = sb->len;

	kft_strbuf_add_escaped(sb, name->text, name->len);
	if (node->args)
		add_args(style, node, sb->len - start, sb);
	kft_strbuf_addc(sb, '\n');
}

void kft_kd_tree_start(struct kft_kd_tree *t, const struct kft_kd_tree_style *style,
		       const struct kft_call_tree *tree, const struct kft_intern *names)
{
	*t = (struct kft_kd_tree){
		.style = style,
		.tree = tree,
		.names = names,
		.next_root = tree->first_root,
	};
}

void kft_kd_tree_finish(struct kft_kd_tree *t)
{
	kft_vec_finish(&t->frames);
}

/* The call after i in the tree of i's root; KFT_CALL_NODE_NONE after the last. */
static uint32_t next_in_root(const struct kft_call_tree *tree, uint32_t i)
{
	const struct kft_call_node *nodes = tree->nodes.data;

	if (nodes[i].first_child != KFT_CALL_NODE_NONE)
		return nodes[i].first_child;
	while (nodes[i].parent != KFT_CALL_NODE_NONE) {
		if (nodes[i].next != KFT_CALL_NODE_NONE)
			return nodes[i].next;
		i = nodes[i].parent;
	}
	return KFT_CALL_NODE_NONE;
}

/* Marks the begin or end of a tree inside another one. */
static void add_banner(const struct kft_kd_tree *t, uint32_t node, const char *rest,
		       struct kft_strbuf *sb)
{
	char c = thread_char(t->style, t->tree->nodes.data[node].root);

	kft_strbuf_adds(sb, "----------- ");
	kft_strbuf_fill(sb, c, BANNER_MARK);
	kft_strbuf_adds(sb, rest);
}

/* Starts the next root. -ENOMEM. */
static int begin_root(struct kft_kd_tree *t, bool inlined)
{
	struct kft_kd_tree_frame f = {.next = t->next_root, .inlined = inlined};

	if (!kft_vec_push(&t->frames, f))
		return -ENOMEM;
	t->next_root = t->tree->nodes.data[t->next_root].next;
	return 0;
}

static bool another_starts_before(const struct kft_kd_tree *t, uint32_t node)
{
	const struct kft_call_node *nodes = t->tree->nodes.data;

	return t->style->interlaced && t->next_root != KFT_CALL_NODE_NONE &&
	       nodes[t->next_root].entry_ns < nodes[node].entry_ns;
}

int kft_kd_tree_next(struct kft_kd_tree *t, struct kft_strbuf *sb)
{
	if (!t->frames.len) {
		if (t->next_root == KFT_CALL_NODE_NONE)
			return 0;
		if (begin_root(t, false) < 0)
			return -ENOMEM;
	}
	struct kft_kd_tree_frame *f = &t->frames.data[t->frames.len - 1];
	uint32_t node = f->next;

	if (another_starts_before(t, node)) {
		add_banner(t, t->next_root, " start --------------\n", sb);
		return begin_root(t, true) < 0 ? -ENOMEM : 1;
	}
	kft_kd_tree_line(t->style, t->names, &t->tree->nodes.data[node], sb);
	f->next = next_in_root(t->tree, node);
	if (f->next == KFT_CALL_NODE_NONE) {
		if (f->inlined)
			add_banner(t, node, " end ----------------\n", sb);
		t->frames.len--;
	}
	return 1;
}
