/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_FUNC_ORPHANS_H
#define KFT_DERIVE_FUNC_ORPHANS_H

#include "base/keyed.h"
#include "derive/func_event.h"
#include "model/symbol.h"

/*
 * Calls whose exit is in a trace while their entry is not: they were under way when it
 * began, or the entry was overwritten or lost. Their exits come last and say when they were
 * entered, so a pass of its own finds them before any call is nested. Zeroed but for the
 * symbols is empty.
 */
struct kft_func_orphan {
	uint64_t entry_ns; /* on the clock of the buffer */
	uint32_t cpu; /* of its exit */
	struct kft_func_event exit;
};

struct kft_func_stack; /* of func_orphans.c: the calls of a task that are under way */

struct kft_func_orphans {
	const struct kft_symbol_table *symbols; /* borrowed; may be empty */
	KFT_VEC(struct kft_func_orphan) list; /* in the order of entering once settled */
	struct kft_map by_key; /* of a task's stack -> index into stacks + 1 */
	KFT_VEC(struct kft_func_stack) stacks;
	/*
	 * What the buffer's clock is ahead of the tracer's: the least difference between
	 * the times of a record and of the return that it is about, among the latest ones,
	 * because clocks drift.
	 */
	int64_t ahead_ns;
	int64_t next_ahead_ns;
	uint32_t n_ahead;
	/* The least difference of each KFT_AHEAD_EXITS exits, in the order of time. */
	KFT_VEC(int64_t) aheads;
};

/* Exits after which the difference of the clocks is taken anew. */
#define KFT_AHEAD_EXITS 1024

/* Entries and exits in the order of time. -ENOMEM, -E2BIG with more than KFT_CALLS_MAX. */
int kft_func_orphans_feed(struct kft_func_orphans *o, uint64_t ts, uint32_t cpu,
			  const struct kft_func_event *fe) __must_check;

/*
 * The time of the nth exit's return on the clock of the buffer: its record is later when the
 * task was preempted before it was written. An exit that was not fed returns at ts.
 */
uint64_t kft_func_orphans_return(const struct kft_func_orphans *o, size_t nth,
				 uint64_t ts, uint64_t return_ns);

void kft_func_orphans_settle(struct kft_func_orphans *o);

void kft_func_orphans_finish(struct kft_func_orphans *o);

#endif
