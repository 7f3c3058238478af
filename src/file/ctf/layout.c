// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lays out the records made from CTF events as the kernel does. */
#include "file/ctf/layout.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "file/ctf/program.h"

#define WORD_MAX	   64
#define LABELS_PRINTED_MAX 256u
#define PRINT_FMT_MAX	   (64u << 10) /* bytes; a longer print fmt is left out */

/* One "TYPE NAME=OTHER+100" of struct kft_ctf_kernel_event. */
struct wanted {
	char type[WORD_MAX];
	char name[WORD_MAX];
	char other[WORD_MAX]; /* "" when LTTng has the same name */
	uint32_t count; /* "name[16]"; 0: not an array */
	uint32_t add;
	uint32_t size; /* bytes of the type, or of an element */
	bool is_signed;
	bool is_loc;
};

static const struct {
	const char *name;
	uint8_t size;
	bool is_signed;
} c_types[] = {
	{"char", 1, false},
	{"int", 4, true},
	{"unsigned int", 4, false},
	{"long", 8, true},
	{"unsigned long", 8, false},
	{"unsigned long long", 8, false},
	{"u32", 4, false},
	{"u64", 8, false},
	{"s64", 8, true},
	{"pid_t", 4, true},
	{"clockid_t", 4, true},
	{"void *", 8, false},
};

static void copy_word(char to[WORD_MAX], const char *from, size_t len)
{
	len = KFT_MIN(len, (size_t)WORD_MAX - 1);
	memcpy(to, from, len);
	to[len] = '\0';
}

static void set_type(struct wanted *w)
{
	static const char loc[] = "__data_loc char[]";

	w->is_loc = strcmp(w->type, loc) == 0;
	w->size = w->is_loc ? 4 : 0;
	for (size_t i = 0; i < ARRAY_SIZE(c_types); i++) {
		if (strcmp(w->type, c_types[i].name) == 0) {
			w->size = c_types[i].size;
			w->is_signed = c_types[i].is_signed;
		}
	}
}

/* Cuts the word at the sign and returns the number after it; 0 without a sign. */
static uint32_t cut_number(char *word, char sign)
{
	char *p = strchr(word, sign);

	if (!p)
		return 0;
	*p = '\0';
	return strtoul(p + 1, NULL, 10);
}

/* Parses one declaration and moves *fields after it. */
static bool next_wanted(const char **fields, struct wanted *ret)
{
	const char *start = *fields;
	size_t len = start ? strcspn(start, ";") : 0;
	char word[WORD_MAX];

	if (!len)
		return false;
	const char *blank = memrchr(start, ' ', len);
	if (!blank)
		return false;
	const char *name = blank + 1;
	*ret = (struct wanted){};
	copy_word(ret->type, start, blank - start);
	copy_word(word, name, start + len - name);
	ret->add = cut_number(word, '+');
	char *equals = strchr(word, '=');
	if (equals) {
		*equals = '\0';
		copy_word(ret->other, equals + 1, strlen(equals + 1));
	}
	ret->count = cut_number(word, '[');
	copy_word(ret->name, word, strlen(word));
	set_type(ret);
	*fields = start + len + (start[len] == ';');
	return true;
}

static bool fits(const struct wanted *w, const struct kft_ctf_leaf *l)
{
	bool is_chars = w->count && w->size == 1;

	if (w->is_loc)
		return l->kind == KFT_CTF_LEAF_STRING || l->kind == KFT_CTF_LEAF_CHARS ||
		       (l->kind == KFT_CTF_LEAF_ELEMENTS && l->is_text);
	if (is_chars)
		return l->kind == KFT_CTF_LEAF_STRING ||
		       (l->kind == KFT_CTF_LEAF_CHARS && l->count == w->count);
	if (w->count)
		return l->kind == KFT_CTF_LEAF_ARRAY && l->count == w->count &&
		       l->elem_bytes == w->size;
	return l->kind == KFT_CTF_LEAF_INT;
}

static struct kft_ctf_leaf *find_source(const kft_ctf_leaves *leaves,
					const struct wanted *w)
{
	struct kft_ctf_leaf *l = NULL;

	if (*w->other)
		l = kft_ctf_leaf_find(leaves, KFT_CTF_EVENT_FIELDS, w->other);
	if (!l)
		l = kft_ctf_leaf_find(leaves, KFT_CTF_EVENT_FIELDS, w->name);
	return l && !l->is_placed && fits(w, l) ? l : NULL;
}

static bool has_all(const kft_ctf_leaves *leaves, const struct kft_ctf_kernel_event *k)
{
	const char *fields = k->fields;
	struct wanted w;

	while (next_wanted(&fields, &w))
		if (!find_source(leaves, &w))
			return false;
	return true;
}

/* Reserves size bytes at their alignment. */
static int place(struct kft_ctf_layout *l, uint32_t size, uint32_t align, uint32_t *ret)
{
	uint32_t at = (l->fixed_bytes + align - 1) & ~(align - 1);

	if (size > KFT_CTF_FIXED_MAX - at)
		return -EINVAL;
	*ret = at;
	l->fixed_bytes = at + size;
	return 0;
}

static void add_line(struct kft_ctf_layout *l, const char *type, const char *name,
		     uint32_t count, const struct kft_ctf_leaf *leaf, bool is_signed)
{
	kft_strbuf_addf(&l->fields, "\tfield:%s %s", type, name);
	if (count)
		kft_strbuf_addf(&l->fields, "[%u]", count);
	kft_strbuf_addf(&l->fields, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n", leaf->dst,
			leaf->size, is_signed);
}

static int add_wanted(struct kft_ctf_layout *l, struct kft_ctf_leaf *leaf,
		      const struct wanted *w, bool is_lttng)
{
	leaf->size = w->size * (w->count ? w->count : 1);
	int r = place(l, leaf->size, w->size, &leaf->dst);
	if (r < 0)
		return r;
	leaf->is_placed = true;
	leaf->add = is_lttng ? w->add : 0;
	leaf->as_comm = leaf->kind == KFT_CTF_LEAF_STRING && !w->is_loc;
	/* A fixed array of characters becomes a data_loc, which has a length. */
	if (w->is_loc && leaf->kind == KFT_CTF_LEAF_CHARS)
		leaf->kind = KFT_CTF_LEAF_TEXT;
	add_line(l, w->type, w->name, w->count, leaf, w->is_signed);
	return 0;
}

static int add_kernel_fields(struct kft_ctf_layout *l, kft_ctf_leaves *leaves,
			     const struct kft_ctf_kernel_event *k, bool is_lttng)
{
	const char *fields = k->fields;
	struct wanted w;
	int r = 0;

	while (r == 0 && next_wanted(&fields, &w)) {
		struct kft_ctf_leaf *leaf = find_source(leaves, &w);

		r = add_wanted(l, leaf, &w, is_lttng);
		if (r == 0)
			r = kft_ctf_leaf_rename(leaves, leaf, w.name, l->arena);
	}
	kft_strbuf_adds(&l->print_fmt, k->print_fmt);
	return r;
}

static const char *int_type(uint32_t bytes, bool is_signed)
{
	static const char *const types[][2] = {
		{"u8", "s8"}, {"u16", "s16"}, {"u32", "s32"}, {"u64", "s64"}};

	return types[bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3][is_signed];
}

/* Appends a label as a string literal of a print fmt. */
static void add_quoted(struct kft_strbuf *sb, const char *s)
{
	kft_strbuf_addc(sb, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			kft_strbuf_addc(sb, '\\');
		kft_strbuf_addc(sb, (unsigned char)*s < ' ' ? '?' : *s);
	}
	kft_strbuf_addc(sb, '"');
}

/* Whether __print_symbolic() can print the enum: each label has a single value. */
static bool has_names(const struct kft_ctf_type *t)
{
	if (t->kind != KFT_CTF_ENUM || !t->n_labels || t->n_labels > LABELS_PRINTED_MAX)
		return false;
	for (uint32_t i = 0; i < t->n_labels; i++)
		if (t->labels[i].lo != t->labels[i].hi)
			return false;
	return true;
}

static void print_int(const struct kft_ctf_leaf *leaf, struct kft_strbuf *conv,
		      struct kft_strbuf *args)
{
	const struct kft_ctf_type *t = leaf->node->type;
	bool is_long = leaf->size == 8;

	if (has_names(t)) {
		kft_strbuf_adds(conv, "%s");
		kft_strbuf_addf(args, ", __print_symbolic(REC->%s", leaf->name);
		for (uint32_t i = 0; i < t->n_labels; i++) {
			kft_strbuf_addf(args, ", { 0x%llx, ",
					(unsigned long long)t->labels[i].lo);
			add_quoted(args, t->labels[i].name);
			kft_strbuf_adds(args, " }");
		}
		kft_strbuf_addc(args, ')');
		return;
	}
	bool hex = t->base == 16 || t->base == 2;
	kft_strbuf_adds(conv, hex ? "0x%" : t->base == 8 ? "0%" : "%");
	kft_strbuf_adds(conv, is_long ? "ll" : "");
	kft_strbuf_addc(conv, hex ? 'x' : t->base == 8 ? 'o' : t->is_signed ? 'd' : 'u');
	kft_strbuf_addf(args, ", REC->%s", leaf->name);
}

static void print_leaf(const struct kft_ctf_leaf *leaf, struct kft_strbuf *conv,
		       struct kft_strbuf *args)
{
	const char *name = leaf->name;

	kft_strbuf_addf(conv, "%s%s=", conv->len ? " " : "", name);
	switch (leaf->kind) {
	case KFT_CTF_LEAF_INT:
		print_int(leaf, conv, args);
		return;
	case KFT_CTF_LEAF_CHARS:
		kft_strbuf_addf(args, ", REC->%s", name);
		break;
	case KFT_CTF_LEAF_ARRAY:
		kft_strbuf_addf(args, ", __print_array(REC->%s, %u, %u)", name,
				leaf->count, leaf->elem_bytes);
		break;
	case KFT_CTF_LEAF_ELEMENTS:
		if (!leaf->is_text) {
			kft_strbuf_addf(args,
					", __print_array(__get_dynamic_array(%s), "
					"__get_dynamic_array_len(%s) / %u, %u)",
					name, name, leaf->elem_bytes, leaf->elem_bytes);
			break;
		}
		__attribute__((fallthrough));
	default:
		kft_strbuf_addf(args, ", __get_str(%s)", name);
	}
	kft_strbuf_adds(conv, "%s");
}

static int add_generic(struct kft_ctf_layout *l, struct kft_ctf_leaf *leaf)
{
	char type[WORD_MAX];
	const struct kft_ctf_type *t = leaf->node->type;
	const struct kft_ctf_type *elem = t->elem ? t->elem : t;
	bool is_array = leaf->kind == KFT_CTF_LEAF_ARRAY ||
			leaf->kind == KFT_CTF_LEAF_CHARS;
	bool is_loc = !is_array && leaf->kind != KFT_CTF_LEAF_INT;
	bool is_chars = leaf->is_text || leaf->kind == KFT_CTF_LEAF_STRING ||
			leaf->kind == KFT_CTF_LEAF_TEXT;
	const char *base = is_chars ? "char"
				    : int_type(leaf->elem_bytes, elem->is_signed);

	leaf->size = is_loc ? 4 : leaf->elem_bytes * (is_array ? leaf->count : 1);
	int r = place(l, leaf->size, is_loc ? 4 : leaf->elem_bytes, &leaf->dst);
	if (r < 0)
		return r;
	leaf->is_placed = true;
	(void)snprintf(type, sizeof(type), "%s%s%s", is_loc ? "__data_loc " : "", base,
		       is_loc ? "[]" : "");
	add_line(l, type, leaf->name, is_array ? leaf->count : 0, leaf, elem->is_signed);
	return 0;
}

/* Fields that perf and ftrace record with every event; a report does not print them. */
static bool is_about_event(const struct kft_ctf_leaf *leaf)
{
	return leaf->scope != KFT_CTF_EVENT_FIELDS ||
	       strncmp(leaf->name, "perf_", 5) == 0 ||
	       strncmp(leaf->name, "common_", 7) == 0;
}

static int add_others(struct kft_ctf_layout *l, kft_ctf_leaves *leaves, bool print)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf conv = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf args = {};
	int r = 0;

	kft_vec_for_each(leaves, leaf) {
		if (leaf->is_placed)
			continue;
		/* kft numbers event classes itself. */
		if (strcmp(leaf->name, "common_type") == 0)
			continue;
		r = add_generic(l, leaf);
		if (r < 0)
			return r;
		if (!is_about_event(leaf))
			print_leaf(leaf, &conv, &args);
	}
	if (print && conv.len + args.len < PRINT_FMT_MAX) {
		kft_strbuf_addc(&l->print_fmt, '"');
		kft_strbuf_add(&l->print_fmt, conv.buf ? conv.buf : "", conv.len);
		kft_strbuf_addc(&l->print_fmt, '"');
		kft_strbuf_add(&l->print_fmt, args.buf ? args.buf : "", args.len);
	}
	return kft_strbuf_ok(&conv) && kft_strbuf_ok(&args) ? 0 : -ENOMEM;
}

static bool take_common(kft_ctf_leaves *leaves, enum kft_ctf_scope scope,
			const char *name, uint32_t dst, uint32_t size)
{
	struct kft_ctf_leaf *leaf = kft_ctf_leaf_find(leaves, scope, name);

	if (!leaf || leaf->kind != KFT_CTF_LEAF_INT)
		return false;
	leaf->is_placed = true;
	leaf->dst = dst;
	leaf->size = size;
	return true;
}

/* Takes the thread id of the event from the first of these fields that it has. */
static bool take_pid(kft_ctf_leaves *leaves)
{
	static const struct {
		enum kft_ctf_scope scope;
		const char *name;
	} pids[] = {
		{KFT_CTF_EVENT_FIELDS, "common_pid"},
		{KFT_CTF_STREAM_EVENT_CONTEXT, "tid"},
		{KFT_CTF_EVENT_CONTEXT, "tid"},
		{KFT_CTF_EVENT_FIELDS, "perf_tid"},
		{KFT_CTF_STREAM_EVENT_CONTEXT, "perf_tid"},
		{KFT_CTF_STREAM_EVENT_CONTEXT, "vtid"},
		{KFT_CTF_EVENT_CONTEXT, "vtid"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(pids); i++)
		if (take_common(leaves, pids[i].scope, pids[i].name, KFT_CTF_COMMON_PID,
				4))
			return true;
	return false;
}

/*
 * perf's CTF has the kernel's common fields in each event, kft's export
 * has them in the context.
 */
static void take_state(kft_ctf_leaves *leaves, const char *name, uint32_t dst)
{
	if (!take_common(leaves, KFT_CTF_EVENT_FIELDS, name, dst, 1))
		(void)take_common(leaves, KFT_CTF_STREAM_EVENT_CONTEXT, name, dst, 1);
}

int kft_ctf_layout_make(struct kft_ctf_layout *l, kft_ctf_leaves *leaves,
			struct kft_arena *arena, const struct kft_ctf_kernel_name *name,
			bool is_lttng)
{
	const struct kft_ctf_kernel_event *k = NULL;
	int r = 0;

	*l = (struct kft_ctf_layout){.fixed_bytes = KFT_CTF_COMMON_BYTES, .arena = arena};
	l->has_pid = take_pid(leaves);
	take_state(leaves, "common_flags", 2);
	take_state(leaves, "common_preempt_count", 3);
	do {
		k = kft_ctf_kernel_event(name, k);
	} while (k && !has_all(leaves, k));
	if (k)
		r = add_kernel_fields(l, leaves, k, is_lttng);
	if (r == 0)
		r = add_others(l, leaves, !k);
	if (r == 0)
		l->fixed_bytes = (l->fixed_bytes + 7) & ~7u;
	return r < 0 || (kft_strbuf_ok(&l->fields) && kft_strbuf_ok(&l->print_fmt))
		       ? r
		       : -ENOMEM;
}

void kft_ctf_layout_finish(struct kft_ctf_layout *l)
{
	kft_strbuf_finish(&l->fields);
	kft_strbuf_finish(&l->print_fmt);
}
