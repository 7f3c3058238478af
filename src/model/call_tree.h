/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_CALL_TREE_H
#define KFT_MODEL_CALL_TREE_H

#include "base/arena.h"
#include "model/call.h"

/* All calls of a log or trace and which was made in which: in the order of entering. */
#define KFT_CALL_NODE_NONE UINT32_MAX

struct kft_call_node {
	uint64_t entry_ns;
	uint64_t dur_ns;
	uint64_t local_ns; /* not in calls that it made */
	uint64_t on_ns; /* on a CPU: of dur_ns, and of local_ns */
	uint64_t on_local_ns;
	const char *args; /* owned by the tree; NULL: none */
	uint32_t func;
	uint32_t caller; /* as in struct kft_call, as the next one */
	uint32_t caller_offset;
	uint32_t parent;
	uint32_t first_child;
	uint32_t next; /* the next call of the same parent, or the next root */
	int32_t pid;
	int32_t cpu;
	uint32_t depth;
	uint32_t root; /* which of the roots it is below, or is, from 0 */
	uint32_t missing; /* calls below it that were too deep to be recorded */
	uint8_t end; /* enum kft_call_end */
};

struct kft_call_tree {
	KFT_VEC(struct kft_call_node) nodes;
	uint32_t first_root;
	struct kft_arena arena; /* of args */
	bool has_off; /* the times on a CPU are known */
};

void kft_call_tree_finish(struct kft_call_tree *t);

/* Fills in first_root, first_child and next from the nodes' parents. */
void kft_call_tree_link(struct kft_call_tree *t);

#endif
