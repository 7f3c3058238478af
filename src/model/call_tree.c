// SPDX-License-Identifier: LGPL-2.1-or-later
/* Links calls into a tree. */
#include "model/call_tree.h"

void kft_call_tree_finish(struct kft_call_tree *t)
{
	kft_vec_finish(&t->nodes);
	kft_arena_finish(&t->arena);
}

void kft_call_tree_link(struct kft_call_tree *t)
{
	t->first_root = KFT_CALL_NODE_NONE;
	/* Backwards, so that each node is put before its later siblings. */
	for (uint32_t i = t->nodes.len; i-- > 0;) {
		struct kft_call_node *n = &t->nodes.data[i];
		uint32_t *first = n->parent == KFT_CALL_NODE_NONE
					  ? &t->first_root
					  : &t->nodes.data[n->parent].first_child;

		n->next = *first;
		*first = i;
	}
}
