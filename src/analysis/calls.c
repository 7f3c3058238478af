// SPDX-License-Identifier: LGPL-2.1-or-later
/* Collects calls into a tree. */
#include "analysis/calls.h"

#include <errno.h>

static int on_enter(void *arg, const struct kft_nested *n)
{
	struct kft_call_tree *tree = arg;
	struct kft_call_node node = {
		.entry_ns = n->call.entry_ns,
		.func = n->call.func,
		.caller = n->call.caller,
		.caller_offset = n->call.caller_offset,
		.parent = n->parent ? n->parent->number : KFT_CALL_NODE_NONE,
		.first_child = KFT_CALL_NODE_NONE,
		.pid = n->call.pid,
		.cpu = n->call.cpu,
		.depth = n->depth,
		.root = n->root,
		.end = n->call.end,
	};

	if (tree->nodes.len >= KFT_CALLS_MAX)
		return -E2BIG;
	if (n->call.args) {
		node.args = kft_arena_strndup(&tree->arena, n->call.args,
					      n->call.args_len);
		if (!node.args)
			return -ENOMEM;
	}
	return kft_vec_push(&tree->nodes, node) ? 0 : -ENOMEM;
}

static int on_leave(void *arg, const struct kft_nested *n)
{
	struct kft_call_tree *tree = arg;
	struct kft_call_node *node = &tree->nodes.data[n->number];

	node->end = n->call.end;
	node->cpu = n->call.cpu;
	node->missing = n->missing;
	if (node->end != KFT_CALL_ENDED)
		return 0;
	node->dur_ns = n->call.dur_ns;
	node->local_ns = kft_nested_local_ns(n);
	node->on_ns = kft_nested_on_ns(n);
	node->on_local_ns = kft_nested_on_local_ns(n);
	tree->has_off |= n->has_off;
	return 0;
}

struct kft_nest_sink kft_calls_sink(struct kft_call_tree *tree)
{
	return (struct kft_nest_sink){on_enter, on_leave, tree};
}
