/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/detached.h"
#include "model/run_mark.h"
#include "model/sink.h"

/*
 * A KFT run: load, prime, start, stop, take, reset. Each step may run in a process of its
 * own: the state is in the kernel and in /run/kft/NAME. So no process has to live in
 * between, and the next command completes the step of a process that was killed.
 *
 * Its states are those of any session (capture/state.h). While the state is recording,
 * the kernel records into its own buffer; saved means that the records are in the run's
 * directory or, if it streams, in its output file.
 *
 * An open run holds the run's lock: keep it open for a short time. One thread uses it.
 */

/* Opens a loaded run. -ENOENT when there is none of that name. */
int kft_run_open(struct kft_host *host, const char *name, struct kft_run *ret,
		 struct kft_err *e) __must_check;
void kft_run_close(struct kft_run *r);

/*
 * Opens a run with a state that cannot be parsed, because another version of kft wrote
 * it. The caller may only reset and close it. Errors are those of kft_run_open(), without
 * a message.
 */
int kft_run_open_to_reset(struct kft_host *host, const char *name,
			  struct kft_run *ret) __must_check;

/*
 * Makes a run and opens it. The text of its configuration is stored unchanged, with the
 * options; a recording has its command line as the text. A run of that name that is not
 * under way is replaced, and its records are lost; -EBUSY for one that is under way.
 */
int kft_run_load(struct kft_host *host, const char *name, const char *config, size_t len,
		 const struct kft_run_options *options, struct kft_run *ret,
		 struct kft_err *e) __must_check;

/* Appends the loaded text to sb. */
int kft_run_config(const struct kft_run *r, struct kft_strbuf *sb,
		   struct kft_err *e) __must_check;

/*
 * Reads the state of the kernel: fired triggers, full buffers. Marks a run complete that
 * has come to its end, and switches its recording off.
 */
int kft_run_refresh(struct kft_run *r, const struct kft_plan *plan,
		    struct kft_err *e) __must_check;

/*
 * The steps. at_ns is the time of the start or the stop, on CLOCK_MONOTONIC. -EINVAL with
 * a message for a step that does not fit the state. A complete run that is primed again
 * becomes a new run with the next id; its old records are lost. A step that fails half
 * way is undone.
 */
int kft_run_prime(struct kft_run *r, const struct kft_plan *plan,
		  struct kft_err *e) __must_check;
int kft_run_start(struct kft_run *r, const struct kft_plan *plan,
		  enum kft_run_cause cause, uint64_t at_ns,
		  struct kft_err *e) __must_check;
int kft_run_stop(struct kft_run *r, const struct kft_plan *plan, enum kft_run_cause cause,
		 uint64_t at_ns, struct kft_err *e) __must_check;

/* Stops recording; the run waits for its start again (autorepeat by time). */
int kft_run_wait_again(struct kft_run *r, uint64_t at_ns, struct kft_err *e) __must_check;

/*
 * Nothing is recorded from the pause to the resume; markers in the trace show both. Times
 * go on: a run stops at its time, paused or not. -EINVAL with autorepeat.
 */
int kft_run_pause(struct kft_run *r, const struct kft_plan *plan,
		  enum kft_run_cause cause, struct kft_err *e) __must_check;
int kft_run_resume(struct kft_run *r, enum kft_run_cause cause,
		   struct kft_err *e) __must_check;

/*
 * For logentries with filters that the kernel does not have: only a reader of the records
 * can count the calls that pass them. When kft_run_refresh() sets count_due, the caller
 * drains the run and passes here how many calls pass the filters (kept), and of how many
 * records. The run is stopped when it has enough calls.
 */
int kft_run_counted(struct kft_run *r, const struct kft_plan *plan, uint64_t kept,
		    uint64_t records, struct kft_err *e) __must_check;

/*
 * Moves the records so far into the sink; the run goes on recording. The sink is begun
 * and not ended. If rec.drained is set, it must be a sink that resumes an earlier one.
 */
int kft_run_drain(struct kft_run *r, const struct kft_plan *plan, struct kft_sink *sink,
		  const char *command_line, const struct kft_notify *notify,
		  struct kft_err *e) __must_check;

/*
 * Moves the records of a complete run into the sink and restores the kernel. The sink is
 * begun and ended. -EALREADY of the sink's begin means that it has all records.
 */
int kft_run_take(struct kft_run *r, const struct kft_plan *plan, struct kft_sink *sink,
		 const char *command_line, const struct kft_notify *notify,
		 struct kft_err *e) __must_check;

/* Restores the kernel and forgets the run, in any state. */
int kft_run_reset(struct kft_run *r, struct kft_err *e) __must_check;

/*
 * Whether the run waits for a start at a function of a module that is not loaded; ret
 * gets the module's name. Loading the module is enough: the kernel inserts the probe
 * again.
 */
bool kft_run_lacks_module(const struct kft_run *r, const struct kft_plan *plan,
			  char ret[KFT_PROBE_MODULE_MAX]);

/*
 * Sums the counters of the run's buffers: events that are in them, were read, were lost.
 * -ENOENT when the run is not in the kernel.
 */
int kft_run_counts(const struct kft_run *r, struct kft_cpu_counts *ret,
		   struct kft_err *e) __must_check;

/*
 * Switches the events of a set on or off while a recording is under way: the plan is the set
 * `name`. -EINVAL for a session that is no recording or not under way, -EOPNOTSUPP for a set
 * that cannot be switched.
 */
int kft_run_switch(struct kft_run *r, const struct kft_plan *plan, const char *name,
		   bool on, struct kft_err *e) __must_check;

/* Warns of names of functions that are missing in the records. */
void kft_run_warn(const struct kft_run *r, const struct kft_notify *notify);

/* Writes markers again that may be overwritten by now. */
void kft_run_repeat_marks(const struct kft_run *r);

/*
 * Writes a marker into the buffer, for starts and stops that no function makes. The run
 * starts at the marker's at_ns or at the time of the marker's record, whichever is later.
 */
int kft_run_mark(const struct kft_run *r, const char *what, enum kft_run_cause cause,
		 uint64_t at_ns) __must_check;
