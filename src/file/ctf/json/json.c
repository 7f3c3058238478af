// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads values from the JSON of CTF 2's metadata. */
#include "file/ctf/json/json.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

int kft_ctf_json_no_memory(struct kft_ctf_json *p)
{
	return kft_err_set(p->e, -ENOMEM, "out of memory, or the metadata is too big");
}

int kft_ctf_json_get(struct kft_ctf_json *p, struct json_object *o, const char *key,
		     enum json_type type, struct json_object **ret)
{
	if (!json_object_object_get_ex(o, key, ret)) {
		*ret = NULL;
		return 0;
	}
	if (json_object_get_type(*ret) == type)
		return 0;
	return kft_err_set(p->e, -EINVAL, "'%s' is no %s", key, json_type_to_name(type));
}

int kft_ctf_json_need(struct kft_ctf_json *p, struct json_object *o, const char *key,
		      enum json_type type, struct json_object **ret)
{
	int r = kft_ctf_json_get(p, o, key, type, ret);

	return r == 0 && !*ret ? kft_err_set(p->e, -EINVAL, "'%s' is missing", key) : r;
}

int kft_ctf_json_text(struct kft_ctf_json *p, struct json_object *o, const char *key,
		      const char **ret)
{
	struct json_object *v;
	int r = kft_ctf_json_get(p, o, key, json_type_string, &v);

	if (r < 0 || !v)
		return r;
	const char *copy = kft_arena_strdup(&p->meta->arena, json_object_get_string(v));
	if (!copy)
		return kft_ctf_json_no_memory(p);
	*ret = copy;
	return 0;
}

int kft_ctf_json_number(struct kft_ctf_json *p, struct json_object *v, uint64_t *ret)
{
	if (json_object_get_type(v) != json_type_int)
		return kft_err_set(p->e, -EINVAL, "an integer is expected");
	int64_t i = json_object_get_int64(v);
	*ret = i < 0 ? (uint64_t)i : json_object_get_uint64(v);
	return 0;
}

int kft_ctf_json_uint(struct kft_ctf_json *p, struct json_object *o, const char *key,
		      uint64_t min, uint64_t max, uint64_t *ret)
{
	struct json_object *v;
	int r = kft_ctf_json_get(p, o, key, json_type_int, &v);

	if (r < 0 || !v)
		return r;
	uint64_t n = json_object_get_uint64(v);
	if (json_object_get_int64(v) < 0 || n < min || n > max)
		return kft_err_set(p->e, -EINVAL, "'%s' is out of range", key);
	*ret = n;
	return 0;
}

int kft_ctf_json_ranges(struct kft_ctf_json *p, struct json_object *array,
			kft_ctf_range_fn *fn, void *arg)
{
	size_t n = json_object_array_length(array);
	int r = 0;

	if (n > KFT_CTF_MEMBERS_MAX)
		return kft_err_set(p->e, -EINVAL, "too many ranges");
	for (size_t i = 0; i < n && r == 0; i++) {
		struct json_object *range = json_object_array_get_idx(array, i);
		uint64_t lo = 0;
		uint64_t hi = 0;

		if (json_object_get_type(range) != json_type_array ||
		    json_object_array_length(range) != 2)
			return kft_err_set(p->e, -EINVAL, "a range has two ends");
		r = kft_ctf_json_number(p, json_object_array_get_idx(range, 0), &lo);
		if (r == 0)
			r = kft_ctf_json_number(p, json_object_array_get_idx(range, 1),
						&hi);
		if (r == 0 && !fn(arg, lo, hi))
			r = kft_ctf_json_no_memory(p);
	}
	return r;
}

int kft_ctf_json_min_align(struct kft_ctf_json *p, struct json_object *o, const char *key,
			   struct kft_ctf_type *t)
{
	uint64_t align = 1;
	int r = kft_ctf_json_uint(p, o, key, 1, KFT_CTF_ALIGN_MAX, &align);

	if (r < 0)
		return r;
	if (align & (align - 1))
		return kft_err_set(p->e, -EINVAL, "an alignment is a power of two");
	t->align = KFT_MAX(t->align, (uint32_t)align);
	return 0;
}

static uint8_t scope_of(const char *origin)
{
	static const char *const names[] = {
		[KFT_CTF_PACKET_HEADER] = "packet-header",
		[KFT_CTF_PACKET_CONTEXT] = "packet-context",
		[KFT_CTF_EVENT_HEADER] = "event-record-header",
		[KFT_CTF_STREAM_EVENT_CONTEXT] = "event-record-common-context",
		[KFT_CTF_EVENT_CONTEXT] = "event-record-specific-context",
		[KFT_CTF_EVENT_FIELDS] = "event-record-payload",
	};
	uint8_t i = 0;

	while (i < ARRAY_SIZE(names) && strcmp(names[i], origin) != 0)
		i++;
	return i;
}

/* Copies a path of names; null is the parent struct, which cancels the name before it. */
static int take_path(struct kft_ctf_json *p, struct json_object *path, const char **names,
		     uint32_t *ret_n)
{
	size_t n = json_object_array_length(path);
	uint32_t len = 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *v = json_object_array_get_idx(path, i);

		if (!v && len && names[len - 1]) {
			len--;
			continue;
		}
		if (v && json_object_get_type(v) != json_type_string)
			return kft_err_set(p->e, -EINVAL, "'path' has no name in it");
		names[len] = v ? kft_arena_strdup(&p->meta->arena,
						  json_object_get_string(v))
			       : NULL;
		if (v && !names[len])
			return kft_ctf_json_no_memory(p);
		len++;
	}
	*ret_n = len;
	return 0;
}

int kft_ctf_json_location(struct kft_ctf_json *p, struct json_object *o, const char *key,
			  const struct kft_ctf_location **ret)
{
	struct kft_ctf_location *l = kft_arena_alloc(&p->meta->arena, sizeof(*l));
	const char *origin = NULL;
	struct json_object *path;
	struct json_object *v;
	int r = kft_ctf_json_need(p, o, key, json_type_object, &v);

	if (r == 0)
		r = kft_ctf_json_need(p, v, "path", json_type_array, &path);
	if (r == 0)
		r = kft_ctf_json_text(p, v, "origin", &origin);
	if (r < 0)
		return r;
	*ret = l;
	const char **names = kft_arena_calloc(
		&p->meta->arena, json_object_array_length(path) + 1, sizeof(*names));
	if (!l || !names)
		return kft_ctf_json_no_memory(p);
	*l = (struct kft_ctf_location){.scope = KFT_CTF_N_SCOPES, .names = names};
	if (origin)
		l->scope = scope_of(origin);
	if (origin && l->scope == KFT_CTF_N_SCOPES)
		return kft_err_set(p->e, -ENOTSUP, "origin '%.64s' cannot be read",
				   origin);
	return take_path(p, path, names, &l->n_names);
}
