/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/arena.h"
#include "model/call.h"

/* The tree of all calls in a log or trace, in the order of their entries. */
#define KFT_CALL_NODE_NONE UINT32_MAX

struct kft_call_node {
	uint64_t entry_ns;
	uint64_t dur_ns;
	uint64_t local_ns; /* ns without the calls that the function made */
	uint64_t on_ns; /* ns on a CPU: part of dur_ns, and of local_ns */
	uint64_t on_local_ns;
	const char *args; /* owned by the tree; NULL: none */
	uint32_t func;
	uint32_t caller; /* as in struct kft_call */
	uint32_t caller_offset;
	uint32_t parent;
	uint32_t first_child;
	uint32_t next; /* the next call of the same parent, or the next root */
	int32_t pid;
	int32_t cpu;
	uint32_t depth;
	uint32_t root; /* number, from 0, of the node's root; a root has its own */
	uint32_t missing; /* number of calls below it that were too deep to be recorded */
	uint8_t end; /* enum kft_call_end */
};

struct kft_call_tree {
	KFT_VEC(struct kft_call_node) nodes;
	uint32_t first_root;
	struct kft_arena arena; /* owns the args */
	bool has_off; /* on_ns and on_local_ns are known */
};

void kft_call_tree_finish(struct kft_call_tree *t);

/* Fills in first_root, first_child and next from the nodes' parents. */
void kft_call_tree_link(struct kft_call_tree *t);
