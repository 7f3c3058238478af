/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/cursor.h"
#include "base/vec.h"

/*
 * Looks up types in BTF (Documentation/bpf/btf.rst), the kernel's description of its own
 * types, as in /sys/kernel/btf/vmlinux. The bytes are borrowed and checked: broken ones
 * give an error, never a read past their end.
 */
enum kft_btf_kind {
	KFT_BTF_INT = 1,
	KFT_BTF_PTR = 2,
	KFT_BTF_ARRAY = 3,
	KFT_BTF_STRUCT = 4,
	KFT_BTF_UNION = 5,
	KFT_BTF_ENUM = 6,
	KFT_BTF_TYPEDEF = 8,
	KFT_BTF_VOLATILE = 9,
	KFT_BTF_CONST = 10,
	KFT_BTF_RESTRICT = 11,
	KFT_BTF_FUNC = 12,
	KFT_BTF_FUNC_PROTO = 13,
	KFT_BTF_TYPE_TAG = 18,
	KFT_BTF_ENUM64 = 19,
};

/*
 * The id of the first type of that kind and name. -ENOENT when it is missing, -EINVAL
 * when the bytes are not BTF, -EOPNOTSUPP for a kind of type that is newer than this
 * code: its length is not known, so later types cannot be read.
 */
int kft_btf_find(const void *data, size_t size, enum kft_btf_kind kind, const char *name,
		 uint32_t *ret_id) __must_check;

/*
 * An index of all types, for following references between them. The bytes are borrowed.
 */
struct kft_btf {
	struct kft_cursor types;
	struct kft_cursor strings;
	KFT_VEC(uint32_t) starts; /* offsets in types of type 1, 2, ... */
};

struct kft_btf_type {
	const char *name; /* borrowed from the bytes; "" for an unnamed type */
	uint32_t kind;
	uint32_t count; /* number of members or parameters */
	uint32_t size; /* size in bytes, or the id of the type that this one refers to */
	bool flag; /* of a struct: offsets of members may include bit-field sizes */
	uint32_t start; /* offset in types of the data after the type's header */
};

/* Indexes the types. The errors of kft_btf_find() but -ENOENT, and -ENOMEM. */
int kft_btf_open(const void *data, size_t size, struct kft_btf *ret) __must_check;
void kft_btf_close(struct kft_btf *btf);

/* Reads a type. False for an invalid id, and for 0, which is void. */
bool kft_btf_type(const struct kft_btf *btf, uint32_t id,
		  struct kft_btf_type *ret) __must_check;

/* Reads the index'th 32-bit word after a type's header. False beyond the end. */
bool kft_btf_word(const struct kft_btf *btf, const struct kft_btf_type *type,
		  uint32_t index, uint32_t *ret) __must_check;

/*
 * The name at an offset, of a member or parameter, borrowed; "" for an unnamed
 * one and for an invalid offset.
 */
const char *kft_btf_string(const struct kft_btf *btf, uint32_t offset);

/* Counts the types. The errors of kft_btf_open(). */
int kft_btf_count(const void *data, size_t size, uint32_t *ret) __must_check;
