// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps event classes by id and name. */
#include "model/class.h"

#include <errno.h>
#include <string.h>

#define ID_MAX UINT16_MAX

/* Names of events are shorter; parsing decides about others. */
#define COPIED_NAME_MAX 64

const struct kft_field *kft_class_field(const struct kft_class *c, const char *name)
{
	for (uint32_t i = 0; i < c->n_fields; i++)
		if (strcmp(c->fields[i].name, name) == 0)
			return &c->fields[i];
	return NULL;
}

void kft_class_table_finish(struct kft_class_table *t)
{
	kft_vec_finish(&t->texts);
	kft_map_finish(&t->by_id);
	kft_map_finish(&t->by_name);
	kft_arena_finish(&t->arena);
	*t = (struct kft_class_table){};
}

/* Finds the line that starts with key; the rest of it without surrounding blanks. */
static bool find_line(const char *text, size_t len, const char *key, const char **ret,
		      size_t *ret_len)
{
	size_t key_len = strlen(key);
	const char *end = text + len;

	for (const char *p = text; p < end;) {
		const char *nl = memchr(p, '\n', end - p);
		const char *stop = nl ? nl : end;

		if ((size_t)(stop - p) >= key_len && memcmp(p, key, key_len) == 0) {
			p += key_len;
			while (p < stop && (*p == ' ' || *p == '\t'))
				p++;
			while (stop > p && (stop[-1] == ' ' || stop[-1] == '\r'))
				stop--;
			*ret = p;
			*ret_len = stop - p;
			return true;
		}
		p = nl ? nl + 1 : end;
	}
	return false;
}

static int read_id(const char *text, size_t len, uint16_t *ret)
{
	const char *s;
	size_t n;
	uint32_t id = 0;

	if (!find_line(text, len, "ID:", &s, &n) || n == 0)
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return -EINVAL;
		id = id * 10 + (s[i] - '0');
		if (id > ID_MAX)
			return -EINVAL;
	}
	*ret = id;
	return 0;
}

int kft_class_table_add(struct kft_class_table *t, const char *system, const char *text,
			size_t len)
{
	uint16_t id;
	int r = read_id(text, len, &id);

	if (r < 0)
		return r;
	/*
	 * The kernel lists a system's events together, so the name usually
	 * equals the previous one.
	 */
	const char *name = t->texts.len ? t->texts.data[t->texts.len - 1].system : NULL;
	if (!name || strcmp(name, system) != 0)
		name = kft_arena_strdup(&t->arena, system);
	if (!name)
		return -ENOMEM;
	struct kft_class_text entry = {
		.system = name, .system_len = strlen(name), .text = text, .len = len};
	(void)find_line(text, len, "name:", &entry.name, &entry.name_len);
	if (!kft_vec_push(&t->texts, entry))
		return -ENOMEM;
	uint64_t *slot = kft_map_put(&t->by_id, id);
	if (!slot) {
		t->texts.len--;
		return -ENOMEM;
	}
	*slot = t->texts.len - 1;
	return 0;
}

/* The part of a text behind name and ID. */
static const char *layout_of(const struct kft_class_text *x, size_t *ret_len)
{
	static const char start[] = "\nformat:";
	const char *p = memmem(x->text, x->len, start, sizeof(start) - 1);

	*ret_len = p ? (size_t)(x->text + x->len - p) : 0;
	return p;
}

/* Makes the class from that of a text with the same layout, as all sys_exit_* have one. */
static bool copy_class(struct kft_class_table *t, const struct kft_class_text *from,
		       const struct kft_class_text *x, struct kft_class *ret)
{
	size_t from_len;
	size_t len;
	const char *from_layout = layout_of(from, &from_len);
	const char *layout = layout_of(x, &len);

	if (!layout || len != from_len || !x->name || x->name > layout ||
	    x->name_len > COPIED_NAME_MAX || memcmp(layout, from_layout, len) != 0)
		return false;
	*ret = *from->cls;
	ret->system = x->system;
	ret->name = kft_arena_strndup(&t->arena, x->name, x->name_len);
	return ret->name && read_id(x->text, x->len, &ret->id) == 0;
}

static bool make_class(struct kft_class_table *t, const struct kft_class_text *x,
		       struct kft_class *ret)
{
	const struct kft_class_text *last = t->last ? &t->texts.data[t->last - 1] : NULL;

	if (last && copy_class(t, last, x, ret))
		return true;
	return t->parse && t->parse(x->system, x->text, x->len, t->long_size, last,
				    &t->arena, ret) == 0;
}

static struct kft_class *parse_text(struct kft_class_table *t, struct kft_class_text *x)
{
	struct kft_class cls = {};

	if (x->cls || x->broken)
		return x->cls;
	x->broken = true;
	if (!make_class(t, x, &cls))
		return NULL;
	struct kft_class *copy = kft_arena_alloc(&t->arena, sizeof(*copy));
	if (!copy)
		return NULL;
	*copy = cls;
	x->cls = copy;
	x->broken = false;
	t->last = (size_t)(x - t->texts.data) + 1;
	return copy;
}

const struct kft_class *kft_class_table_at(struct kft_class_table *t, size_t i)
{
	return parse_text(t, &t->texts.data[i]);
}

const struct kft_class *kft_class_table_get(struct kft_class_table *t, uint16_t id)
{
	const uint64_t *slot = kft_map_get(&t->by_id, id);

	return slot ? kft_class_table_at(t, *slot) : NULL;
}

size_t kft_class_table_parse_all(struct kft_class_table *t)
{
	size_t broken = 0;

	kft_vec_for_each(&t->texts, x) {
		if (!parse_text(t, x))
			broken++;
	}
	return broken;
}

bool kft_class_text_name(const struct kft_class_text *t, const char **ret,
			 size_t *ret_len)
{
	*ret = t->name;
	*ret_len = t->name_len;
	return t->name != NULL;
}

/* The searched name of an event type; system NULL: any. */
struct class_name {
	const char *system;
	size_t system_len;
	const char *name;
	size_t name_len;
	bool is_prefix;
};

static bool text_is(const struct kft_class_text *x, const struct class_name *n)
{
	return x->name && x->name_len >= n->name_len &&
	       (n->is_prefix || x->name_len == n->name_len) &&
	       (!n->system || x->system_len == n->system_len) &&
	       memcmp(x->name, n->name, n->name_len) == 0 &&
	       (!n->system || memcmp(x->system, n->system, n->system_len) == 0);
}

/* Up to 8 bytes of a text, from one place on. */
static uint64_t word_of(const char *text, size_t from, size_t len)
{
	uint64_t word = 0;

	if (likely(len - from >= sizeof(word)))
		memcpy(&word, text + from, sizeof(word));
	else
		memcpy(&word, text + from, len - from);
	return word;
}

/* Only the ends of a name are hashed: they differ, and all bytes of all names would take longer. */
static uint64_t hash_name(size_t system_len, const char *name, size_t len)
{
	const uint64_t words[] = {
		(uint64_t)system_len << 32 | len, word_of(name, 0, len),
		word_of(name, len - KFT_MIN(len, sizeof(uint64_t)), len)};

	return kft_hash_words(words, ARRAY_SIZE(words));
}

/* Indexes the names of the texts that were added since the last call. */
static bool index_names(struct kft_class_table *t)
{
	for (; t->n_named < t->texts.len; t->n_named++) {
		const struct kft_class_text *x = &t->texts.data[t->n_named];

		if (!x->name)
			continue;
		uint64_t *slot = kft_map_put(
			&t->by_name, hash_name(x->system_len, x->name, x->name_len));
		if (!slot)
			return false;
		if (!*slot)
			*slot = t->n_named + 1;
	}
	return true;
}

/* An index before which no text has the name: a kind looks for dozens of names. */
static size_t first_of(struct kft_class_table *t, const struct class_name *n)
{
	if (n->is_prefix || !n->system || !index_names(t))
		return 0;
	const uint64_t *slot =
		kft_map_get(&t->by_name, hash_name(n->system_len, n->name, n->name_len));

	return slot ? *slot - 1 : t->texts.len;
}

const struct kft_class *kft_class_table_next(struct kft_class_table *t,
					     const char *system, const char *name,
					     size_t *at)
{
	struct class_name n = {system, system ? strlen(system) : 0, name, strlen(name)};

	n.is_prefix = n.name_len && name[n.name_len - 1] == '*';
	n.name_len -= n.is_prefix;
	if (!*at)
		*at = first_of(t, &n);
	while (*at < t->texts.len) {
		struct kft_class_text *x = &t->texts.data[(*at)++];
		const struct kft_class *cls = text_is(x, &n) ? parse_text(t, x) : NULL;

		if (cls && kft_class_table_get(t, cls->id) == cls)
			return cls;
	}
	return NULL;
}

const struct kft_class *kft_class_table_find(struct kft_class_table *t,
					     const char *system, const char *name)
{
	const char *colon = system ? NULL : strchr(name, ':');
	struct class_name n = {system, system ? strlen(system) : 0, name};

	if (colon) {
		n.system = name;
		n.system_len = (size_t)(colon - name);
		n.name = colon + 1;
	}
	n.name_len = strlen(n.name);
	kft_vec_for_each(&t->texts, x) {
		if (text_is(x, &n))
			return parse_text(t, x);
	}
	return NULL;
}
