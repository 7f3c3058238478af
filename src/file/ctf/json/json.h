/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <json-c/json.h>

#include <kft/error.h>

#include "file/ctf/type.h"

/*
 * Shared by the files that parse the metadata of CTF 2. All functions return 0,
 * -EINVAL with the name of the malformed item, -ENOTSUP with the name of an
 * unsupported one, or -ENOMEM.
 */
struct kft_ctf_alias {
	const char *name;
	const struct kft_ctf_type *type;
};

struct kft_ctf_json {
	struct kft_ctf_meta *meta;
	struct kft_err *e;
	/* Type names declared so far. */
	KFT_VEC(struct kft_ctf_alias)
	aliases;
	unsigned int depth;
};

int kft_ctf_json_no_memory(struct kft_ctf_json *p);

/*
 * Gets a member of an object, which must have the given type. *ret NULL: it is missing.
 */
int kft_ctf_json_get(struct kft_ctf_json *p, struct json_object *o, const char *key,
		     enum json_type type, struct json_object **ret) __must_check;

/* Gets a member like kft_ctf_json_get(); a missing one is an error. */
int kft_ctf_json_need(struct kft_ctf_json *p, struct json_object *o, const char *key,
		      enum json_type type, struct json_object **ret) __must_check;

/* Copies a text to the meta's arena; *ret is unchanged when the member is missing. */
int kft_ctf_json_text(struct kft_ctf_json *p, struct json_object *o, const char *key,
		      const char **ret) __must_check;

/* Gets an integer from min to max; *ret is unchanged when the member is missing. */
int kft_ctf_json_uint(struct kft_ctf_json *p, struct json_object *o, const char *key,
		      uint64_t min, uint64_t max, uint64_t *ret) __must_check;

/* Gets a 64-bit integer; negative ones as two's complement. */
int kft_ctf_json_number(struct kft_ctf_json *p, struct json_object *v,
			uint64_t *ret) __must_check;

/* A type ("field class"), given as an object or as the name of a declared one. */
int kft_ctf_json_type(struct kft_ctf_json *p, struct json_object *v,
		      const struct kft_ctf_type **ret) __must_check;

/* Gets the structure of a scope; *ret is unchanged when the member is missing. */
int kft_ctf_json_scope(struct kft_ctf_json *p, struct json_object *o, const char *key,
		       const struct kft_ctf_type **ret) __must_check;

/* Parse the types that contain others; t->kind is set already. */
int kft_ctf_json_structure(struct kft_ctf_json *p, struct json_object *o,
			   struct kft_ctf_type *t) __must_check;
int kft_ctf_json_elements(struct kft_ctf_json *p, struct json_object *o,
			  struct kft_ctf_type *t) __must_check;
int kft_ctf_json_variant(struct kft_ctf_json *p, struct json_object *o,
			 struct kft_ctf_type *t) __must_check;
int kft_ctf_json_optional(struct kft_ctf_json *p, struct json_object *o,
			  struct kft_ctf_type *t) __must_check;

/* "length-field-location" or "selector-field-location". */
int kft_ctf_json_location(struct kft_ctf_json *p, struct json_object *o, const char *key,
			  const struct kft_ctf_location **ret) __must_check;

/*
 * Calls fn for [lo, hi] of each range of an array; fn returns false when out of memory.
 */
typedef bool kft_ctf_range_fn(void *arg, uint64_t lo, uint64_t hi);
int kft_ctf_json_ranges(struct kft_ctf_json *p, struct json_object *array,
			kft_ctf_range_fn *fn, void *arg) __must_check;

/* Raises t's alignment to "minimum-alignment" if it is lower. */
int kft_ctf_json_min_align(struct kft_ctf_json *p, struct json_object *o, const char *key,
			   struct kft_ctf_type *t) __must_check;
