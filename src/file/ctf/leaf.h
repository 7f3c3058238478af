/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_LEAF_H
#define KFT_FILE_CTF_LEAF_H

#include "file/ctf/node.h"

/* The fields of an event, structs in structs made flat, in the order of their bytes. */

enum kft_ctf_leaf_kind {
	KFT_CTF_LEAF_INT,
	KFT_CTF_LEAF_ARRAY, /* of a fixed number of integers of whole bytes */
	KFT_CTF_LEAF_CHARS, /* the same, characters */
	KFT_CTF_LEAF_STRING, /* up to a NUL */
	KFT_CTF_LEAF_ELEMENTS, /* a sequence of integers of whole bytes */
	KFT_CTF_LEAF_TEXT, /* anything else: shown as text */
};

struct kft_ctf_leaf {
	const struct kft_ctf_node *node;
	const char
		*plain; /* the names of the structs around it and its own; in the arena */
	const char *name; /* the same, made unique among the leaves */
	enum kft_ctf_scope scope;
	uint8_t kind; /* enum kft_ctf_leaf_kind */
	bool is_text; /* elements that are characters */
	uint32_t elem_bytes; /* of an integer in the record, of an element */
	uint32_t count; /* elements of arrays */
	/* Where the record has it: what the layout decides. */
	bool is_placed; /* else it is left out */
	bool as_comm; /* a string into char[size] */
	uint32_t dst;
	uint32_t size; /* bytes at dst */
	uint32_t add; /* to the value; 0: nothing */
};

#define KFT_CTF_LEAVES_MAX 512u

typedef KFT_VEC(struct kft_ctf_leaf) kft_ctf_leaves;

/* All of them. -EINVAL when there are too many, -ENOMEM. */
int kft_ctf_leaves_collect(const struct kft_ctf_scopes *s, struct kft_arena *arena,
			   kft_ctf_leaves *ret) __must_check;

/*
 * Gives a leaf the name that the kernel has for it; another leaf of that name gets another.
 * -ENOMEM.
 */
int kft_ctf_leaf_rename(kft_ctf_leaves *leaves, struct kft_ctf_leaf *leaf,
			const char *name, struct kft_arena *arena) __must_check;

/* The leaf of a scope and plain name; NULL when there is none. */
struct kft_ctf_leaf *kft_ctf_leaf_find(const kft_ctf_leaves *leaves,
				       enum kft_ctf_scope scope, const char *name);

#endif
