/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "tracefs/control/tracefs_dir.h"
#include "capture/session_state.h"

/*
 * `watch stack` and `watch worst-stack` use the kernel's stack tracer, which keeps the
 * deepest call stack of any task that is deeper than stack_max_size. The kernel has one
 * stack tracer, which keeps one stack: of several between two looks, only the deepest is
 * seen.
 *
 * Each new stack is written into the run's buffer, one marker for the stack and one for
 * each frame:
 *	kft: stack LEFT			bytes of stack that were left
 *	kft: frame DEPTH SIZE LOCATION	innermost first: the stack used down to this call,
 *					its own share, and its place
 */
#define KFT_WATCH_MARK_STACK "kft: stack "
#define KFT_WATCH_MARK_FRAME "kft: frame "

/*
 * Enables the stack tracer. -EBUSY when another program uses it; -EINVAL when the plan
 * asks for more bytes than a stack has.
 */
int kft_watch_arm(const struct kft_ledger *u, const struct kft_plan *plan,
		  struct kft_err *e) __must_check;

/* Discards the deepest stack so far, when the run has started. */
int kft_watch_begin(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
		    struct kft_session_state *rec) __must_check;

/* Saves a new stack. Returns 1 when it checked, and rec changed; 0 without a watch. */
int kft_watch_look(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
		   struct kft_session_state *rec) __must_check;

/* Returns the bytes of a kernel stack on a machine of uname's name. Exported for tests. */
uint64_t kft_watch_stack_bytes(const char *machine);
