/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/keyed.h"
#include "derive/calls/func_event.h"
#include "model/symbol.h"

/*
 * Orphans: calls with a recorded exit and no recorded entry. They were under way when the
 * trace began, or the entry was overwritten or lost. The exit comes last and contains the
 * entry time, so a separate pass finds orphans before any call is nested. Zeroed except
 * for the symbols, it is empty.
 */
struct kft_func_orphan {
	uint64_t entry_ns; /* ns on the clock of the buffer */
	uint32_t cpu; /* CPU of the exit */
	struct kft_func_event exit;
};

struct kft_func_stack; /* in func_orphans.c: the open calls of a task */

struct kft_func_orphans {
	const struct kft_symbol_table *symbols; /* borrowed; may be empty */
	KFT_VEC(struct kft_func_orphan) list; /* in the order of entry_ns once settled */
	struct kft_map by_key; /* key of a task's stack -> index into stacks + 1 */
	KFT_VEC(struct kft_func_stack) stacks;
	/*
	 * Time by which the buffer's clock is ahead of the tracer's: the minimum
	 * difference between the time of a record and the return time in it, among the
	 * latest exits, because clocks drift.
	 */
	int64_t ahead_ns;
	int64_t next_ahead_ns;
	uint32_t n_ahead;
	/* The minimum difference of each KFT_AHEAD_EXITS exits, in the order of time. */
	KFT_VEC(int64_t) aheads;
};

/* Number of exits after which the difference of the clocks is measured again. */
#define KFT_AHEAD_EXITS 1024

/*
 * Takes entries and exits in the order of time. -ENOMEM, -E2BIG with more than
 * KFT_CALLS_MAX.
 */
int kft_func_orphans_feed(struct kft_func_orphans *o, uint64_t ts, uint32_t cpu,
			  const struct kft_func_event *fe) __must_check;

/*
 * The return time of the nth exit on the clock of the buffer. Its record is later if the
 * task was preempted before writing it. The result is ts for an exit that was not fed.
 */
uint64_t kft_func_orphans_return(const struct kft_func_orphans *o, size_t nth,
				 uint64_t ts, uint64_t return_ns);

void kft_func_orphans_settle(struct kft_func_orphans *o);

void kft_func_orphans_finish(struct kft_func_orphans *o);
