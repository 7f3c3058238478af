// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses the field classes of CTF 2's metadata into types. */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "file/ctf/json/json.h"

static int set_order(struct kft_ctf_json *p, struct json_object *o,
		     struct kft_ctf_type *t)
{
	const char *order = NULL;
	const char *bits = NULL;
	int r = kft_ctf_json_text(p, o, "byte-order", &order);

	if (r == 0)
		r = kft_ctf_json_text(p, o, "bit-order", &bits);
	if (r < 0)
		return r;
	if (!order ||
	    (strcmp(order, "big-endian") != 0 && strcmp(order, "little-endian") != 0))
		return kft_err_set(p->e, -EINVAL, "'byte-order' is missing or none");
	t->big_endian = *order == 'b';
	/* Only the usual bit order, which is that of CTF 1.8, can be read. */
	if (bits && strcmp(bits, t->big_endian ? "last-to-first" : "first-to-last") != 0)
		return kft_err_set(p->e, -ENOTSUP, "bit order '%.64s' cannot be read",
				   bits);
	return 0;
}

static int set_roles(struct kft_ctf_json *p, struct json_object *o,
		     struct kft_ctf_type *t)
{
	struct json_object *roles;
	int r = kft_ctf_json_get(p, o, "roles", json_type_array, &roles);

	for (size_t i = 0; r == 0 && roles && i < json_object_array_length(roles); i++) {
		struct json_object *v = json_object_array_get_idx(roles, i);
		const char *name;

		if (json_object_get_type(v) != json_type_string)
			return kft_err_set(p->e, -EINVAL, "a role is a text");
		name = json_object_get_string(v);
		t->roles |= kft_ctf_role_bits(name);
		t->is_uuid |= strcmp(name, "metadata-stream-uuid") == 0;
		/* 0 stands for the stream's clock, see choose_clock(). */
		if (strcmp(name, "default-clock-timestamp") == 0)
			t->clock = 0;
	}
	return r;
}

typedef KFT_VEC(struct kft_ctf_label) labels_vec;

struct mapping {
	labels_vec *labels;
	const char *name;
};

static bool add_label(void *arg, uint64_t lo, uint64_t hi)
{
	struct mapping *m = arg;
	struct kft_ctf_label l = {.name = m->name, .lo = lo, .hi = hi};

	return kft_vec_push(m->labels, l);
}

static int take_labels(struct kft_ctf_json *p, struct json_object *mappings,
		       labels_vec *labels)
{
	json_object_object_foreach(mappings, key, ranges)
	{
		struct mapping m = {labels, kft_arena_strdup(&p->meta->arena, key)};

		if (!m.name)
			return kft_ctf_json_no_memory(p);
		if (json_object_get_type(ranges) != json_type_array)
			return kft_err_set(p->e, -EINVAL, "a mapping has ranges");
		int r = kft_ctf_json_ranges(p, ranges, add_label, &m);
		if (r < 0)
			return r;
	}
	return 0;
}

static int keep_labels(struct kft_ctf_json *p, const labels_vec *labels,
		       struct kft_ctf_type *t)
{
	struct kft_ctf_label *copy = kft_arena_calloc(&p->meta->arena, labels->len + 1,
						      sizeof(*copy));

	if (!copy)
		return kft_ctf_json_no_memory(p);
	if (labels->len)
		memcpy(copy, labels->data, labels->len * sizeof(*copy));
	t->labels = copy;
	t->n_labels = labels->len;
	t->kind = KFT_CTF_ENUM;
	return 0;
}

static int set_labels(struct kft_ctf_json *p, struct json_object *o,
		      struct kft_ctf_type *t)
{
	struct json_object *mappings;
	labels_vec labels = {};
	int r = kft_ctf_json_get(p, o, "mappings", json_type_object, &mappings);

	if (r < 0 || !mappings || !json_object_object_length(mappings))
		return r;
	r = take_labels(p, mappings, &labels);
	if (r == 0)
		r = keep_labels(p, &labels, t);
	kft_vec_finish(&labels);
	return r;
}

/* Properties of an integer other than its length and order. */
static int set_integer(struct kft_ctf_json *p, struct json_object *o,
		       struct kft_ctf_type *t)
{
	uint64_t base = t->base;
	int r = kft_ctf_json_uint(p, o, "preferred-display-base", 2, 16, &base);

	t->base = base == 2 || base == 8 || base == 16 ? base : 10;
	if (r == 0)
		r = set_roles(p, o, t);
	return r < 0 ? r : set_labels(p, o, t);
}

/* Properties of all types with a fixed length in bits. */
static int set_bits(struct kft_ctf_json *p, struct json_object *o, struct kft_ctf_type *t)
{
	uint64_t length = 0;
	int r = kft_ctf_json_uint(p, o, "length", 1, KFT_CTF_INT_BITS_MAX, &length);

	if (r == 0 && !length)
		r = kft_err_set(p->e, -EINVAL, "'length' is missing");
	t->size = length;
	if (r == 0)
		r = kft_ctf_json_min_align(p, o, "alignment", t);
	return r < 0 ? r : set_order(p, o, t);
}

static int parse_uint(struct kft_ctf_json *p, struct json_object *o,
		      struct kft_ctf_type *t)
{
	int r = set_bits(p, o, t);

	return r < 0 ? r : set_integer(p, o, t);
}

static int parse_sint(struct kft_ctf_json *p, struct json_object *o,
		      struct kft_ctf_type *t)
{
	t->is_signed = true;
	return parse_uint(p, o, t);
}

/* A bit array or bit map is read as a number. */
static int parse_bit_array(struct kft_ctf_json *p, struct json_object *o,
			   struct kft_ctf_type *t)
{
	t->base = 16;
	return set_bits(p, o, t);
}

static int parse_boolean(struct kft_ctf_json *p, struct json_object *o,
			 struct kft_ctf_type *t)
{
	static const struct kft_ctf_label labels[] = {{"false", 0, 0}, {"true", 1, 1}};

	t->kind = KFT_CTF_ENUM;
	t->labels = labels;
	t->n_labels = ARRAY_SIZE(labels);
	return set_bits(p, o, t);
}

static int parse_float(struct kft_ctf_json *p, struct json_object *o,
		       struct kft_ctf_type *t)
{
	int r = set_bits(p, o, t);

	if (r == 0 && t->size != 32 && t->size != 64)
		return kft_err_set(p->e, -ENOTSUP, "a length of %u cannot be read",
				   t->size);
	return r;
}

static int parse_leb128(struct kft_ctf_json *p, struct json_object *o,
			struct kft_ctf_type *t)
{
	t->is_leb128 = true;
	t->size = 64;
	t->align = 8;
	return set_integer(p, o, t);
}

static int parse_signed_leb128(struct kft_ctf_json *p, struct json_object *o,
			       struct kft_ctf_type *t)
{
	t->is_signed = true;
	return parse_leb128(p, o, t);
}

static int check_encoding(struct kft_ctf_json *p, struct json_object *o)
{
	const char *encoding = "utf-8";
	int r = kft_ctf_json_text(p, o, "encoding", &encoding);

	if (r == 0 && strcmp(encoding, "utf-8") != 0)
		return kft_err_set(p->e, -ENOTSUP, "encoding '%.64s' cannot be read",
				   encoding);
	return r;
}

static int parse_string(struct kft_ctf_json *p, struct json_object *o,
			struct kft_ctf_type *t)
{
	t->align = 8;
	return check_encoding(p, o);
}

/* Element types of BLOBs and strings: bytes in hexadecimal, and characters. */
static const struct kft_ctf_type char_type = {.kind = KFT_CTF_INT,
					      .base = 10,
					      .clock = KFT_CTF_NO_CLOCK,
					      .align = 8,
					      .size = 8,
					      .is_text = true};
static const struct kft_ctf_type byte_type = {.kind = KFT_CTF_INT,
					      .base = 16,
					      .clock = KFT_CTF_NO_CLOCK,
					      .align = 8,
					      .size = 8};

static int parse_text(struct kft_ctf_json *p, struct json_object *o,
		      struct kft_ctf_type *t)
{
	int r = check_encoding(p, o);

	t->elem = &char_type;
	return r < 0 ? r : kft_ctf_json_elements(p, o, t);
}

static int parse_blob(struct kft_ctf_json *p, struct json_object *o,
		      struct kft_ctf_type *t)
{
	int r = set_roles(p, o, t);

	t->elem = &byte_type;
	return r < 0 ? r : kft_ctf_json_elements(p, o, t);
}

static const struct {
	const char *name;
	enum kft_ctf_kind kind;
	int (*parse)(struct kft_ctf_json *p, struct json_object *o,
		     struct kft_ctf_type *t);
} kinds[] = {
	{"fixed-length-unsigned-integer", KFT_CTF_INT, parse_uint},
	{"fixed-length-signed-integer", KFT_CTF_INT, parse_sint},
	{"fixed-length-bit-array", KFT_CTF_INT, parse_bit_array},
	{"fixed-length-bit-map", KFT_CTF_INT, parse_bit_array},
	{"fixed-length-boolean", KFT_CTF_ENUM, parse_boolean},
	{"fixed-length-floating-point-number", KFT_CTF_FLOAT, parse_float},
	{"variable-length-unsigned-integer", KFT_CTF_INT, parse_leb128},
	{"variable-length-signed-integer", KFT_CTF_INT, parse_signed_leb128},
	{"null-terminated-string", KFT_CTF_STRING, parse_string},
	{"static-length-string", KFT_CTF_ARRAY, parse_text},
	{"dynamic-length-string", KFT_CTF_SEQUENCE, parse_text},
	{"static-length-blob", KFT_CTF_ARRAY, parse_blob},
	{"dynamic-length-blob", KFT_CTF_SEQUENCE, parse_blob},
	{"structure", KFT_CTF_STRUCT, kft_ctf_json_structure},
	{"static-length-array", KFT_CTF_ARRAY, kft_ctf_json_elements},
	{"dynamic-length-array", KFT_CTF_SEQUENCE, kft_ctf_json_elements},
	{"optional", KFT_CTF_VARIANT, kft_ctf_json_optional},
	{"variant", KFT_CTF_VARIANT, kft_ctf_json_variant},
};

static int parse_class(struct kft_ctf_json *p, struct json_object *o,
		       const struct kft_ctf_type **ret)
{
	struct json_object *name;
	size_t i = 0;
	int r = kft_ctf_json_need(p, o, "type", json_type_string, &name);

	if (r < 0)
		return r;
	while (i < ARRAY_SIZE(kinds) &&
	       strcmp(kinds[i].name, json_object_get_string(name)) != 0)
		i++;
	if (i == ARRAY_SIZE(kinds))
		return kft_err_set(p->e, -ENOTSUP, "field class '%.64s' cannot be read",
				   json_object_get_string(name));
	struct kft_ctf_type *t = kft_arena_alloc(&p->meta->arena, sizeof(*t));
	if (!t)
		return kft_ctf_json_no_memory(p);
	*t = (struct kft_ctf_type){
		.kind = kinds[i].kind, .align = 1, .base = 10, .clock = KFT_CTF_NO_CLOCK};
	*ret = t;
	return kinds[i].parse(p, o, t);
}

static int find_alias(struct kft_ctf_json *p, const char *name,
		      const struct kft_ctf_type **ret)
{
	kft_vec_for_each(&p->aliases, a) {
		if (strcmp(a->name, name) == 0) {
			*ret = a->type;
			return 0;
		}
	}
	return kft_err_set(p->e, -EINVAL, "no field class '%.64s' is declared before",
			   name);
}

int kft_ctf_json_type(struct kft_ctf_json *p, struct json_object *v,
		      const struct kft_ctf_type **ret)
{
	int r;

	if (json_object_get_type(v) == json_type_string)
		return find_alias(p, json_object_get_string(v), ret);
	if (json_object_get_type(v) != json_type_object)
		return kft_err_set(p->e, -EINVAL, "a field class is expected");
	if (p->depth == KFT_CTF_NESTING_MAX)
		return kft_err_set(p->e, -EINVAL, "field classes are nested too deep");
	p->depth++;
	r = parse_class(p, v, ret);
	p->depth--;
	return r;
}

int kft_ctf_json_scope(struct kft_ctf_json *p, struct json_object *o, const char *key,
		       const struct kft_ctf_type **ret)
{
	const struct kft_ctf_type *t = NULL;
	struct json_object *v;

	if (!json_object_object_get_ex(o, key, &v))
		return 0;
	int r = kft_ctf_json_type(p, v, &t);
	if (r == 0 && t->kind != KFT_CTF_STRUCT)
		r = kft_err_set(p->e, -EINVAL, "it is not a structure");
	if (r < 0)
		return kft_err_wrap(p->e, r, "%s", key);
	*ret = t;
	return 0;
}
