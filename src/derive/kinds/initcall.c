// SPDX-License-Identifier: LGPL-2.1-or-later
/* Initcalls, the functions that set up the kernel and its modules. */
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"

static const struct kft_kind_event events[] = {
	{"initcall", "initcall_start", {"func"}, KFT_KIND_BEGINS},
	{"initcall", "initcall_finish", {"func", "ret"}, KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_initcall = {
	.name = "initcall",
	.about = "functions that set up the kernel and its modules",
	.key = "function",
	.value = "returned",
	.events = events,
	.key_name = kft_key_function,
	.create = kft_nested_pairs_create,
	.feed = kft_nested_pairs_by_task,
	.flush = kft_nested_pairs_flush,
	.destroy = kft_nested_pairs_destroy,
};
