/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_H
#define KFT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <kft/error.h>

/*
 * What to trace, whoever asked: a command line, a configuration file or a program lowers
 * its wishes to a plan, and a backend only ever sees a plan. A plan says nothing about
 * how a kernel carries it out.
 *
 * Zeroed is valid: nothing enabled, the kernel's defaults. kft_plan_finish() frees what
 * the setters copied; set the scalar members directly.
 */

/* Events by pattern, in the order given; a later one's filter wins for its events. */
struct kft_plan_event {
	char *pattern; /* "system:event", "system", with * ? [] globs; owned */
	char *filter; /* the kernel's filter language, NULL for none; owned */
};

struct kft_plan {
	char *name; /* of the session: instance "kft-NAME"; NULL: a unique one; owned */
	struct kft_plan_event *events; /* owned */
	size_t n_events;
	pid_t *pids; /* only these tasks; empty: everything; owned */
	size_t n_pids;
	bool follow_children; /* and what the pids' tasks fork from now on */
	uint64_t buffer_bytes; /* per CPU; 0: the kernel's default */
	char *clock; /* trace clock; NULL: the best for merging CPUs; owned */
	bool overwrite; /* keep the newest: nothing is drained until the end */
};

void kft_plan_finish(struct kft_plan *p);

/* Copies. -ENOMEM, -EINVAL for what can never be right (empty pattern, bad name). */
int kft_plan_add_event(struct kft_plan *p, const char *pattern, const char *filter,
		       struct kft_err *e);
int kft_plan_add_pid(struct kft_plan *p, pid_t pid, struct kft_err *e);
int kft_plan_set_name(struct kft_plan *p, const char *name, struct kft_err *e);
int kft_plan_set_clock(struct kft_plan *p, const char *clock, struct kft_err *e);

#endif
