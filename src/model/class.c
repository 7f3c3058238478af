// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps event classes by id and name. */
#include "model/class.h"

#include <errno.h>
#include <string.h>

#define ID_MAX UINT16_MAX

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

static struct kft_class *parse_text(struct kft_class_table *t, struct kft_class_text *x)
{
	struct kft_class cls = {};

	if (x->cls || x->broken)
		return x->cls;
	x->broken = true;
	if (!t->parse ||
	    t->parse(x->system, x->text, x->len, t->long_size, &t->arena, &cls) < 0)
		return NULL;
	struct kft_class *copy = kft_arena_alloc(&t->arena, sizeof(*copy));
	if (!copy)
		return NULL;
	*copy = cls;
	x->cls = copy;
	x->broken = false;
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

const struct kft_class *kft_class_table_next(struct kft_class_table *t,
					     const char *system, const char *name,
					     size_t *at)
{
	struct class_name n = {system, system ? strlen(system) : 0, name, strlen(name)};

	n.is_prefix = n.name_len && name[n.name_len - 1] == '*';
	n.name_len -= n.is_prefix;
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
