/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_WATCH_H
#define KFT_SESSION_RUN_WATCH_H

#include <kft/plan.h>

#include "tracefs/control/place.h"
#include "session/run/record.h"

/*
 * `watch stack` and `watch worst-stack`: the kernel's stack tracer, which keeps the deepest
 * call stack of any task that is deeper than stack_max_size. It is one for the whole
 * kernel, and keeps one stack: of several that come between two looks, the deepest.
 *
 * What is new is written into the run's buffer, a record each:
 *	kft: stack LEFT			bytes of stack that were left
 *	kft: frame DEPTH SIZE LOCATION	innermost first: the stack used down to this call,
 *					what it uses itself, where it was
 */
#define KFT_WATCH_MARK_STACK "kft: stack "
#define KFT_WATCH_MARK_FRAME "kft: frame "

/* -EBUSY when somebody uses the stack tracer; -EINVAL for more than a stack has. */
int kft_watch_arm(const struct kft_ledger *u, const struct kft_plan *plan,
		  struct kft_err *e) __must_check;

/* The run has started: what was deepest before does not count. */
int kft_watch_begin(const struct kft_place *p, const struct kft_plan *plan,
		    struct kft_run_record *rec) __must_check;

/* Saves what is new. 1 when it looked, and rec changed; 0 without a watch. */
int kft_watch_look(const struct kft_place *p, const struct kft_plan *plan,
		   struct kft_run_record *rec) __must_check;

/* Bytes of a kernel stack on a machine of uname's name. Apart for tests. */
uint64_t kft_watch_stack_bytes(const char *machine);

#endif
