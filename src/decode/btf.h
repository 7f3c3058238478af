/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_BTF_H
#define KFT_DECODE_BTF_H

#include "base/cursor.h"
#include "base/vec.h"

/*
 * Looking types up by name in BTF (Documentation/bpf/btf.rst), the kernel's description of
 * its own types, as in /sys/kernel/btf/vmlinux. The bytes are borrowed and checked: broken
 * ones give an error, never a read past their end.
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
 * The id of the first type of that kind and name. -ENOENT when there is none, -EINVAL
 * when the bytes are no BTF, -EOPNOTSUPP for a kind of type that is newer than this code
 * (its length is not known, so what follows cannot be read).
 */
int kft_btf_find(const void *data, size_t size, enum kft_btf_kind kind, const char *name,
		 uint32_t *ret_id) __must_check;

/* All types, for those who go from one to the next. The bytes are borrowed. */
struct kft_btf {
	struct kft_cursor types;
	struct kft_cursor strings;
	KFT_VEC(uint32_t) starts; /* of type 1, 2, ... in types */
};

struct kft_btf_type {
	const char *name; /* borrowed from the bytes; "" for none */
	uint32_t kind;
	uint32_t count; /* of members, parameters */
	uint32_t size; /* or the id of the type that it refers to */
	bool flag; /* of a struct: its members' offsets may be those of bit fields */
	uint32_t start; /* of what follows, in types */
};

/* Errors as above, and -ENOMEM. */
int kft_btf_open(const void *data, size_t size, struct kft_btf *ret) __must_check;
void kft_btf_close(struct kft_btf *btf);

/* False for an id that there is not: 0, which is void, too. */
bool kft_btf_type(const struct kft_btf *btf, uint32_t id,
		  struct kft_btf_type *ret) __must_check;

/* The word that follows a type, counted from 0. False behind the end. */
bool kft_btf_word(const struct kft_btf *btf, const struct kft_btf_type *type,
		  uint32_t index, uint32_t *ret) __must_check;

/* A member's or parameter's name; "" for none, and for an offset that is none. Borrowed. */
const char *kft_btf_string(const struct kft_btf *btf, uint32_t offset);

/* How many types there are. Errors as above. */
int kft_btf_count(const void *data, size_t size, uint32_t *ret) __must_check;

#endif
