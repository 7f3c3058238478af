/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_FLAME_H
#define KFT_ANALYSIS_FLAME_H

#include <kft/error.h>

#include "model/scope.h"
#include "model/stacks.h"
#include "model/trace.h"

/* Where time went, or how often something happened, as stacks below the names of tasks. */
enum kft_flame_of {
	KFT_FLAME_CALLS, /* calls of functions: nanoseconds in each, without what it called */
	KFT_FLAME_OFF_CPU, /* states of tasks that do not run: nanoseconds */
	KFT_FLAME_STACKS, /* recorded stacks of the kernel: how often each was there */
};

/* The symbols and tasks of the trace are loaded before. -ENODATA: the trace has no such thing. */
int kft_flame_run(struct kft_trace *t, const struct kft_scope *scope,
		  enum kft_flame_of of, const struct kft_symbol_table *symbols,
		  struct kft_stacks *stacks, struct kft_err *e) __must_check;

#endif
