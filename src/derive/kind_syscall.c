// SPDX-License-Identifier: LGPL-2.1-or-later
/* System calls of tasks; the value is what they returned. */
#include "derive/kinds.h"
#include "derive/pairs.h"

static int feed(void *state, const struct kft_kind_input *in,
		const struct kft_interval_sink *sink)
{
	return kft_pairs_by_task(&kft_kind_syscall, state, in, sink);
}

const struct kft_interval_kind kft_kind_syscall = {
	.name = "syscall",
	.key = "nr",
	.value = "returned",
	.per_cpu = false,
	.events = {{"raw_syscalls", "sys_enter", {"common_pid", "id"}},
		   {"raw_syscalls", "sys_exit", {"common_pid", "id", "ret"}}},
	.create = kft_pairs_create,
	.feed = feed,
	.flush = kft_pairs_flush,
	.destroy = kft_pairs_destroy,
};
