// SPDX-License-Identifier: LGPL-2.1-or-later
/* System calls of tasks; the value is what they returned. */
#include "derive/kinds.h"
#include "derive/pairs.h"
#include "model/syscall.h"

static void name_of(struct kft_trace *t, uint64_t nr, struct kft_strbuf *sb)
{
	const char *name = kft_syscall_name(kft_trace_syscalls(t), (int64_t)nr);

	if (name)
		kft_strbuf_adds(sb, name);
}

static const struct kft_kind_event events[] = {
	{"raw_syscalls", "sys_enter", {"id"}, KFT_KIND_BEGINS},
	{"raw_syscalls", "sys_exit", {"id", "ret"}, KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_syscall = {
	.name = "syscall",
	.about = "system calls",
	.key = "nr",
	.value = "returned",
	.events = events,
	.key_name = name_of,
	.create = kft_pairs_create,
	.feed = kft_pairs_by_task,
	.flush = kft_pairs_flush,
	.destroy = kft_pairs_destroy,
};
