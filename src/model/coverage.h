/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/cpuset.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * The CPUs that are read, compared with those of the machine. A task that is on none of
 * them may be running on another one. An idle CPU has no events either, so a CPU without
 * events counts as unseen only if an event sends a task to it.
 */
struct kft_coverage {
	bool is_partial; /* some CPUs are not read or have no stream */
	/* ns: older events of some CPUs were overwritten; 0: no events were overwritten */
	uint64_t whole_from;
	struct kft_cpuset cpus; /* CPUs with events that are read */
};

/*
 * Finds the CPUs in the part of t that is in scope (NULL: all). It reads the beginnings
 * of streams: no other thread may read the trace meanwhile.
 */
void kft_coverage_find(struct kft_trace *t, const struct kft_scope *scope,
		       struct kft_coverage *ret);
