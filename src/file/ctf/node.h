/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_NODE_H
#define KFT_FILE_CTF_NODE_H

#include <kft/error.h>

#include "file/ctf/type.h"

/*
 * The types of one event with all that belongs to it, each at its place: a tree for each
 * of the dynamic scopes (7.3.2), in which the lengths of sequences and the tags of variants
 * are found. What such a length or tag was is kept in a slot while a packet is read; the first
 * slots are those of roles.
 */
#define KFT_CTF_NO_SLOT	    UINT16_MAX
#define KFT_CTF_SLOTS_MAX   1024u /* lengths and tags that an event may have */
#define KFT_CTF_NODES_MAX   (1u << 21) /* of a trace; types that use types multiply */
#define KFT_CTF_OPTIONS_MAX 4096u /* values of a tag */

struct kft_ctf_node {
	const struct kft_ctf_type *type;
	const char *name; /* "" for an element and for a scope's struct */
	struct kft_ctf_node *parent; /* NULL: a scope's struct */
	struct kft_ctf_node *children; /* of a struct or variant; one: the element */
	uint32_t n_children;
	uint16_t slot; /* where its value is kept */
	uint16_t ref; /* slot of the length or tag */
	bool ref_signed; /* the tag is */
	uint32_t n_choices;
	const struct kft_ctf_choice *choices;
};

/* Trees are made in the meta's arena: what they need is counted here. */
struct kft_ctf_nodes {
	struct kft_ctf_meta *meta; /* borrowed */
	uint32_t n_nodes;
	uint16_t n_shared; /* slots below are those of scopes around events, or may be */
};

/* Where names are looked up: the trees of a packet and an event, and their slots. */
struct kft_ctf_scopes {
	struct kft_ctf_node *roots[KFT_CTF_N_SCOPES]; /* NULL: there is none */
	uint16_t n_slots; /* used so far, roles included */
	bool has_role[KFT_CTF_N_ROLES];
};

/* No trees yet, slots for the roles. */
void kft_ctf_scopes_init(struct kft_ctf_scopes *s);

/*
 * Makes the tree of a scope; those of outer scopes come before. type NULL: there is none.
 * -EINVAL when a length or tag is not found, is none, or there are too many; -ENOMEM.
 */
int kft_ctf_scopes_add(struct kft_ctf_nodes *nodes, struct kft_ctf_scopes *s,
		       enum kft_ctf_scope scope, const struct kft_ctf_type *type,
		       struct kft_err *e) __must_check;

#endif
