/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/intern.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * Initcalls, the functions that set up a kernel and its modules: intervals of
 * kinds/initcall.c with their levels and modules.
 */
#define KFT_INITCALLS_MAX 1000000

struct kft_initcall {
	uint64_t start_ns; /* ns on the clock of the buffer */
	uint64_t dur_ns; /* 0 unless ended */
	bool ended;
	uint64_t func; /* address */
	int32_t ret; /* return value, if it ended */
	int32_t pid;
	uint32_t cpu;
	/*
	 * Number in levels: "core", "device" and so on, "module" for a module that a task
	 * loaded; KFT_INTERN_NONE: unknown.
	 */
	uint32_t level;
	/* The module's name, a number in modules; KFT_INTERN_NONE: built in, or unknown. */
	uint32_t module;
	/* It sets up tracing itself. Callers that know names set this. */
	bool is_tracer;
	/* Its code is freed when it has ended, and the memory used for other code. */
	bool is_module;
	uint32_t depth; /* number of initcalls that it is nested in */
};

struct kft_initcalls {
	KFT_VEC(struct kft_initcall) list; /* in the order of start_ns */
	struct kft_intern levels;
	struct kft_intern modules;
	/* number of ends without a start, which came before the trace */
	uint64_t unstarted;
};

void kft_initcalls_finish(struct kft_initcalls *i);

/*
 * Finds all initcalls of t in scope (borrowed; NULL: everything). The list is empty if
 * there are none. -ENOMEM, -E2BIG with more than KFT_INITCALLS_MAX.
 */
int kft_initcalls_find(struct kft_trace *t, const struct kft_scope *scope,
		       struct kft_initcalls *ret) __must_check;
