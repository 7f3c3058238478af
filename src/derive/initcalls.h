/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_INITCALLS_H
#define KFT_DERIVE_INITCALLS_H

#include "base/intern.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * Initcalls, what a kernel calls to set itself up: the intervals of that kind (kind_initcall.c)
 * with their levels and modules.
 */
#define KFT_INITCALLS_MAX 1000000

struct kft_initcall {
	uint64_t start_ns; /* on the clock of the buffer */
	uint64_t dur_ns; /* 0 unless ended */
	bool ended;
	uint64_t func; /* address */
	int32_t ret; /* what it returned, if it ended */
	int32_t pid;
	uint32_t cpu;
	/*
	 * A number of levels: "core", "device" and so on, "module" for what a task loaded;
	 * KFT_INTERN_NONE: the trace does not tell.
	 */
	uint32_t level;
	/* Its name, a number of modules; KFT_INTERN_NONE: the kernel's own, or not known. */
	uint32_t module;
	bool is_tracer; /* it sets tracing itself up; for who knows names */
	bool is_module; /* its code is freed when it has ended, and used for other code */
	uint32_t depth; /* how many it was made in */
};

struct kft_initcalls {
	KFT_VEC(struct kft_initcall) list; /* in the order of their starts */
	struct kft_intern levels;
	struct kft_intern modules;
	uint64_t unstarted; /* ends without a start: it was before the trace */
};

void kft_initcalls_finish(struct kft_initcalls *i);

/*
 * All of a trace, or of scope (borrowed; NULL: everything). An empty list when there are
 * none. -ENOMEM, -E2BIG with more than KFT_INITCALLS_MAX.
 */
int kft_initcalls_find(struct kft_trace *t, const struct kft_scope *scope,
		       struct kft_initcalls *ret) __must_check;

#endif
