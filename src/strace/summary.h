/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/syscall.h"
#include "model/traced_call.h"

/* Counts of system calls by name (-c). One that is zeroed is empty. */

enum kft_strace_sort {
	KFT_STRACE_BY_TIME,
	KFT_STRACE_BY_CALLS,
	KFT_STRACE_BY_ERRORS,
	KFT_STRACE_BY_NAME,
	KFT_STRACE_BY_AVERAGE,
	KFT_STRACE_BY_NOTHING,
};

struct kft_strace_count {
	const char *name; /* static */
	uint64_t calls;
	uint64_t errors;
	uint64_t ns;
};

struct kft_strace_summary {
	bool wall; /* time from entry to exit (-w), not time in the kernel */
	struct kft_strace_count counts[KFT_N_TRACED_ABIS][KFT_SYSCALLS];
};

void kft_strace_summary_add(struct kft_strace_summary *s,
			    const struct kft_traced_call *c);

/* Appends the table of strace(1): calls that were made, sorted. */
void kft_strace_summary_text(const struct kft_strace_summary *s,
			     enum kft_strace_sort sort, struct kft_strbuf *sb);
