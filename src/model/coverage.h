/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_COVERAGE_H
#define KFT_MODEL_COVERAGE_H

#include "base/cpuset.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * The CPUs that are read, out of those that the machine had. A task that is not on one of
 * these may run on another one. An idle CPU has no events either, so that a CPU without
 * events counts as unseen only if an event sends a task to it.
 */
struct kft_coverage {
	bool is_partial; /* there are CPUs that are not read, or that have no stream */
	uint64_t whole_from; /* older events of some CPUs were overwritten; 0: of none */
	struct kft_cpuset cpus; /* they have events that are read */
};

/*
 * Finds the CPUs in the part of t that the scope (NULL: all) leaves. It reads the beginnings of
 * streams: nothing else may read the trace meanwhile.
 */
void kft_coverage_find(struct kft_trace *t, const struct kft_scope *scope,
		       struct kft_coverage *ret);

#endif
