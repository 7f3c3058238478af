/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "session/run/run.h"

/*
 * Waits with a run until it is complete: starts and stops it at the times of its plan,
 * and notices when its triggers have fired or its buffer is full. Any number of processes
 * may wait at once, and none has to: triggers at functions work in the kernel, and times
 * are made exact when the records are read. A run without a keeper is switched off late,
 * and found complete, by the next command.
 */

/* Does one check: kft_run_refresh(), then starts or stops the run if its time has come. */
int kft_run_tend(struct kft_run *r, const struct kft_plan *plan,
		 struct kft_err *e) __must_check;

/*
 * Enlarges the buffers of a recording that should keep a time, or leaves out events of one with
 * a budget. last is of the previous call; NULL: recording has just started.
 */
int kft_run_adjust(struct kft_run *r, struct kft_part_rate *last,
		   struct kft_err *e) __must_check;

/* The callback for a run with count_due set: see kft_run_counted(). */
struct kft_run_counter {
	int (*count)(void *arg, struct kft_run *r, const struct kft_plan *plan,
		     struct kft_err *e);
	void *arg;
	const struct kft_notify *notify; /* borrowed; NULL: no messages */
};

/*
 * Returns 1 when the run is complete, 0 when cancel_fd (-1: none) became readable before,
 * -ENOENT when the run was reset meanwhile, even if a new run has its name. dir_fd: the
 * run's directory, by kft_rundir_remember().
 */
int kft_run_retention(struct kft_host *host, const char *name, int dir_fd,
		      const struct kft_plan *plan, const struct kft_run_counter *counter,
		      int cancel_fd, struct kft_err *e) __must_check;
