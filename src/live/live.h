/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/stats/interval_stats.h"
#include "capture/host.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * Statistics of intervals that the kernel computes while they happen: no event is recorded.
 * Small programs (BPF) that kft writes itself run at the events that begin and end intervals,
 * and add each one to its row.
 *
 * Nothing is left in the kernel when the process ends, whatever ends it. For one thread.
 */
struct kft_live;

struct kft_live_opts {
	const struct kft_interval_kind *const *kinds; /* borrowed while it lives */
	size_t n_kinds;
	unsigned int by; /* enum kft_interval_by */
	const struct kft_interval_where
		*where; /* NULL: all intervals; borrowed, like the next ones */
	const struct kft_scope
		*scope; /* its events and their filters; NULL: all events */
	struct kft_trace *names; /* see live/names.h */
	/* Only tasks that kft_live_follow_task() was called for, and those that they make. */
	bool follows_tasks;
	/* A kind is left out if the kernel lacks its events; -ENOENT if none is left. */
	bool skips_absent;
};

/* Counts of the intervals, or events, that are in no row. */
struct kft_live_losses {
	uint64_t
		unbegun; /* ends of intervals that had begun before the start, or were missed */
	uint64_t unended; /* beginnings that were replaced by another one */
	uint64_t full; /* complete intervals for which there was no row any more */
	uint64_t missed; /* events at which the kernel did not run the program */
};

/* Whether the kernel can be asked for statistics of the kind. */
bool kft_live_has_kind(const struct kft_interval_kind *kind);

/*
 * Makes the maps in the kernel. -EOPNOTSUPP for a kind that needs more than two events of each
 * interval, -EPERM without the privilege, or the error of the kernel without BPF.
 */
int kft_live_create(struct kft_host *host, const struct kft_live_opts *opts,
		    struct kft_live **ret, struct kft_err *e) __must_check;
struct kft_live *kft_live_destroy(struct kft_live *live);
KFT_DEFINE_CLEANUP(struct kft_live *, kft_live_destroy)

int kft_live_follow_task(struct kft_live *live, uint32_t pid) __must_check;

/*
 * Loads and attaches the programs, and starts all of them at once. -ENOENT if the kernel lacks
 * the events of a kind; the error of the kernel when it refuses a program.
 */
int kft_live_start(struct kft_live *live, struct kft_err *e) __must_check;

/* Ends a period and begins the next one at once. An interval belongs to that in which it ends. */
int kft_live_turn(struct kft_live *live, struct kft_err *e) __must_check;
/* Ends the last period; the programs stay until kft_live_destroy(). */
int kft_live_stop(struct kft_live *live, struct kft_err *e) __must_check;

/*
 * Takes the rows of the period that has ended out of the kernel's maps. The trace of names gets those
 * of tasks; its names are used for rows by command. ret is freed by kft_interval_stats_finish(). Not
 * more than once for a period.
 */
int kft_live_read(struct kft_live *live, struct kft_interval_stats *ret,
		  struct kft_live_losses *losses) __must_check;
