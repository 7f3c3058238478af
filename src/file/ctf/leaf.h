/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/ctf/tsdl/node.h"

/*
 * The fields of an event in the order of their bytes; members of nested
 * structs are fields, too.
 */

enum kft_ctf_leaf_kind {
	KFT_CTF_LEAF_INT,
	KFT_CTF_LEAF_ARRAY, /* fixed number of integers of whole bytes */
	KFT_CTF_LEAF_CHARS, /* fixed number of characters */
	KFT_CTF_LEAF_STRING, /* NUL-terminated */
	KFT_CTF_LEAF_ELEMENTS, /* sequence of integers of whole bytes */
	KFT_CTF_LEAF_TEXT, /* any other type: converted to text */
};

struct kft_ctf_leaf {
	const struct kft_ctf_node *node;
	const char *plain; /* its own name after those of its structs; in the arena */
	const char *name; /* plain, made unique among the leaves */
	enum kft_ctf_scope scope;
	uint8_t kind; /* enum kft_ctf_leaf_kind */
	bool is_text; /* elements are characters */
	uint32_t elem_bytes; /* bytes of an integer in the record, or of an element */
	uint32_t count; /* number of an array's elements */
	/* Place in the record, set by the layout. */
	bool is_placed; /* false: the record does not have it */
	bool as_comm; /* a string that is copied into char[size] */
	uint32_t dst;
	uint32_t size; /* bytes at dst */
	uint32_t add; /* added to the value; 0: nothing */
};

#define KFT_CTF_LEAVES_MAX 512u

typedef KFT_VEC(struct kft_ctf_leaf) kft_ctf_leaves;

/* Collects all leaves. -EINVAL when there are too many, -ENOMEM. */
int kft_ctf_leaves_collect(const struct kft_ctf_scopes *s, struct kft_arena *arena,
			   kft_ctf_leaves *ret) __must_check;

/*
 * Gives a leaf the kernel's name for it; another leaf with this name is renamed. -ENOMEM.
 */
int kft_ctf_leaf_rename(kft_ctf_leaves *leaves, struct kft_ctf_leaf *leaf,
			const char *name, struct kft_arena *arena) __must_check;

/* Finds a leaf by scope and plain name; NULL when there is none. */
struct kft_ctf_leaf *kft_ctf_leaf_find(const kft_ctf_leaves *leaves,
				       enum kft_ctf_scope scope, const char *name);
