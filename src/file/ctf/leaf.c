// SPDX-License-Identifier: LGPL-2.1-or-later
/* Flattens the fields of a CTF event. */
#include "file/ctf/leaf.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/strbuf.h"
#include "file/ctf/program.h"

#define NAME_BYTES_MAX 200

struct collector {
	struct kft_arena *arena;
	kft_ctf_leaves *leaves;
	enum kft_ctf_scope scope;
};

static uint32_t int_bytes(uint32_t bits)
{
	return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

static bool has_elements(const struct kft_ctf_node *n)
{
	return kft_ctf_is_bytes(n->type->elem) &&
	       n->type->elem->align <= n->type->elem->size;
}

static void classify(struct kft_ctf_leaf *l)
{
	const struct kft_ctf_type *t = l->node->type;

	l->kind = KFT_CTF_LEAF_TEXT;
	if (kft_ctf_is_int(t)) {
		l->kind = KFT_CTF_LEAF_INT;
		l->elem_bytes = int_bytes(t->size);
	} else if (t->kind == KFT_CTF_STRING) {
		l->kind = KFT_CTF_LEAF_STRING;
	} else if (t->kind == KFT_CTF_SEQUENCE && has_elements(l->node)) {
		l->kind = KFT_CTF_LEAF_ELEMENTS;
		l->elem_bytes = t->elem->size / 8;
		l->is_text = kft_ctf_is_text_elem(t->elem);
	} else if (t->kind == KFT_CTF_ARRAY && has_elements(l->node) && t->length &&
		   t->length * (t->elem->size / 8) <= KFT_CTF_FIXED_MAX / 8) {
		l->is_text = kft_ctf_is_text_elem(t->elem);
		l->kind = l->is_text ? KFT_CTF_LEAF_CHARS : KFT_CTF_LEAF_ARRAY;
		l->elem_bytes = t->elem->size / 8;
		l->count = t->length;
	}
}

static bool is_taken(const kft_ctf_leaves *leaves, const char *name)
{
	kft_vec_for_each(leaves, l)
		if (strcmp(l->name, name) == 0)
			return true;
	return false;
}

/*
 * Joins names to an identifier for ftrace's formats, prefixed by the names of the
 * structs around the field.
 */
static const char *join_names(struct collector *c, const char *prefix, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_adds(&sb, prefix);
	if (*prefix || isdigit((unsigned char)*name))
		kft_strbuf_addc(&sb, '_');
	kft_strbuf_add(&sb, name, strnlen(name, NAME_BYTES_MAX));
	for (size_t i = 0; i < sb.len; i++)
		if (!isalnum((unsigned char)sb.buf[i]))
			sb.buf[i] = '_';
	return kft_arena_strdup(c->arena, kft_strbuf_cstr(&sb));
}

static const char *make_unique(const kft_ctf_leaves *leaves, struct kft_arena *arena,
			       const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	unsigned int n = 0;

	if (!is_taken(leaves, name))
		return name;
	do {
		kft_strbuf_clear(&sb);
		kft_strbuf_addf(&sb, "%s_%u", name, ++n);
	} while (is_taken(leaves, kft_strbuf_cstr(&sb)));
	return kft_arena_strdup(arena, kft_strbuf_cstr(&sb));
}

static int collect(struct collector *c, const struct kft_ctf_node *n, const char *prefix);

static int collect_struct(struct collector *c, const struct kft_ctf_node *n,
			  const char *name)
{
	int r = 0;

	for (uint32_t i = 0; i < n->n_children && r == 0; i++)
		r = collect(c, &n->children[i], name);
	return r;
}

static int collect(struct collector *c, const struct kft_ctf_node *n, const char *prefix)
{
	struct kft_ctf_leaf l = {.node = n, .scope = c->scope};

	l.plain = join_names(c, prefix, n->name);
	if (!l.plain)
		return -ENOMEM;
	if (strlen(l.plain) > NAME_BYTES_MAX)
		return -EINVAL;
	if (n->type->kind == KFT_CTF_STRUCT)
		return collect_struct(c, n, l.plain);
	l.name = make_unique(c->leaves, c->arena, l.plain);
	if (!l.name)
		return -ENOMEM;
	if (c->leaves->len == KFT_CTF_LEAVES_MAX)
		return -EINVAL;
	classify(&l);
	return kft_vec_push(c->leaves, l) ? 0 : -ENOMEM;
}

/* Event fields come first: on a clash of names, the context's field is renamed. */
int kft_ctf_leaves_collect(const struct kft_ctf_scopes *s, struct kft_arena *arena,
			   kft_ctf_leaves *ret)
{
	static const enum kft_ctf_scope order[] = {KFT_CTF_EVENT_FIELDS,
						   KFT_CTF_STREAM_EVENT_CONTEXT,
						   KFT_CTF_EVENT_CONTEXT};
	struct collector c = {.arena = arena, .leaves = ret};
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(order) && r == 0; i++) {
		c.scope = order[i];
		if (s->roots[c.scope])
			r = collect_struct(&c, s->roots[c.scope], "");
	}
	return r;
}

struct kft_ctf_leaf *kft_ctf_leaf_find(const kft_ctf_leaves *leaves,
				       enum kft_ctf_scope scope, const char *name)
{
	kft_vec_for_each(leaves, l)
		if (l->scope == scope && strcmp(l->plain, name) == 0)
			return l;
	return NULL;
}

int kft_ctf_leaf_rename(kft_ctf_leaves *leaves, struct kft_ctf_leaf *leaf,
			const char *name, struct kft_arena *arena)
{
	const char *copy = kft_arena_strdup(arena, name);

	if (!copy)
		return -ENOMEM;
	leaf->name = copy;
	kft_vec_for_each(leaves, other) {
		if (other == leaf || strcmp(other->name, name) != 0)
			continue;
		other->name = make_unique(leaves, arena, name);
		if (!other->name)
			return -ENOMEM;
	}
	return 0;
}
