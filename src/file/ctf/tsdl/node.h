/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "file/ctf/type.h"

/*
 * The types of one event with their context: a tree for each of the dynamic scopes
 * (7.3.2), in which the lengths of sequences and the tags of variants are resolved. Their
 * values are kept in slots while a packet is read; the first slots are those of roles.
 */
#define KFT_CTF_NO_SLOT	    UINT16_MAX
#define KFT_CTF_SLOTS_MAX   1024u /* maximum of lengths and tags in an event */
#define KFT_CTF_NODES_MAX   (1u << 21) /* maximum in a trace; nested types multiply */
#define KFT_CTF_OPTIONS_MAX 4096u /* maximum of a tag's values */

struct kft_ctf_node {
	const struct kft_ctf_type *type;
	const char *name; /* "" for an element and for the struct of a scope */
	struct kft_ctf_node *parent; /* NULL: the struct of a scope */
	/* of a struct or variant; of an array: its element */
	struct kft_ctf_node *children;
	uint32_t n_children;
	uint16_t slot; /* slot of its value, KFT_CTF_NO_SLOT: none */
	uint16_t ref; /* slot of its length or tag */
	bool ref_signed; /* the tag is signed */
	uint32_t n_choices;
	const struct kft_ctf_choice *choices;
};

/* State for making trees in the meta's arena; counts nodes against their limit. */
struct kft_ctf_nodes {
	struct kft_ctf_meta *meta; /* borrowed */
	uint32_t n_nodes;
	uint16_t n_shared; /* slots below this belong to scopes around events */
};

/* The trees of a packet and an event, in which names are looked up, and their slots. */
struct kft_ctf_scopes {
	struct kft_ctf_node *roots[KFT_CTF_N_SCOPES]; /* NULL: the scope is not used */
	uint16_t n_slots; /* number of slots used so far, including roles */
	bool has_role[KFT_CTF_N_ROLES];
};

/* Starts without trees, with slots for the roles. */
void kft_ctf_scopes_init(struct kft_ctf_scopes *s);

/*
 * Adds the tree of a scope, after those of outer scopes; type NULL: the scope
 * is not used. -EINVAL when a length or tag is missing or not an integer, or
 * there are too many; -ENOMEM.
 */
int kft_ctf_scopes_add(struct kft_ctf_nodes *nodes, struct kft_ctf_scopes *s,
		       enum kft_ctf_scope scope, const struct kft_ctf_type *type,
		       struct kft_err *e) __must_check;
