/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_RUN_H
#define KFT_SESSION_RUN_RUN_H

#include "capture/notify.h"
#include "tracefs/mark.h"
#include "session/run/record.h"
#include "tracefs/control/cpu_counts.h"
#include "tracefs/sources/probes.h"
#include "model/sink.h"

/*
 * A KFT run: load, prime, start, stop, take, reset, each by a process of its own if need
 * be. Everything is in the kernel and in /run/kft/NAME, so that no process has to live in
 * between, and what was killed can be gone on with.
 *
 * Its states are those of any session (capture/state.h). While it is recording the kernel
 * does so in its own buffer; saved means that what was recorded is in the run's directory.
 *
 * An open run holds the run's lock: keep it open for short. One thread uses it.
 */
struct kft_run {
	struct kft_host *host; /* borrowed */
	struct kft_rundir dir;
	struct kft_ledger ledger;
	struct kft_run_record rec;
	struct kft_place place; /* fd -1 when there is nothing in the kernel */
	const struct kft_notify *notify; /* borrowed; may be NULL */
	/* The caller is to count the calls that pass the filters, or to drain what streams. */
	bool count_due;
	/* A drain leaves the names of tasks to a later one. */
	bool without_tasks;
	/*
	 * A drain of a run that streams goes on until this returns; NULL: it takes what there
	 * is. failed_fd becomes readable when the drain cannot go on.
	 */
	void (*linger)(void *arg, int failed_fd);
	void *linger_arg;
};

/* Opens what was loaded. -ENOENT when nothing was. */
int kft_run_open(struct kft_host *host, const char *name, struct kft_run *ret,
		 struct kft_err *e) __must_check;
void kft_run_close(struct kft_run *r);

/*
 * One whose state cannot be understood, as another version of kft keeps it: it can be reset and
 * closed, nothing else. Errors as of kft_run_open(), without a message.
 */
int kft_run_open_to_reset(struct kft_host *host, const char *name,
			  struct kft_run *ret) __must_check;

/*
 * Makes a run of a configuration, which is kept as it is; opens it. A run of that name that
 * is not under way is replaced (its records are lost), -EBUSY for one that is.
 * The options are kept with it. The configuration of a recording is its command line.
 */
int kft_run_load(struct kft_host *host, const char *name, const char *config, size_t len,
		 const struct kft_run_options *options, struct kft_run *ret,
		 struct kft_err *e) __must_check;

/* The text that was loaded, appended to sb. */
int kft_run_config(const struct kft_run *r, struct kft_strbuf *sb,
		   struct kft_err *e) __must_check;

/*
 * Looks at the kernel: what has fired, whether the buffer is full. Marks the run complete
 * when it is, with recording off.
 */
int kft_run_refresh(struct kft_run *r, const struct kft_plan *plan,
		    struct kft_err *e) __must_check;

/*
 * The steps. -EINVAL with a message for one that does not fit the state. A complete run
 * can be primed again, and then is a new one with the next id; its old records are lost.
 * When a step fails half way, what it did is undone.
 */
int kft_run_prime(struct kft_run *r, const struct kft_plan *plan,
		  struct kft_err *e) __must_check;
int kft_run_start(struct kft_run *r, const struct kft_plan *plan,
		  enum kft_run_cause cause, uint64_t at_ns,
		  struct kft_err *e) __must_check;
int kft_run_stop(struct kft_run *r, const struct kft_plan *plan, enum kft_run_cause cause,
		 uint64_t at_ns, struct kft_err *e) __must_check;

/* Recording stopped, but the run waits for its start again (autorepeat by time). */
int kft_run_wait_again(struct kft_run *r, uint64_t at_ns, struct kft_err *e) __must_check;

/*
 * Nothing is recorded from the pause to the resume; marks say so in the trace. Times go on:
 * a run that is to stop at a time does so, paused or not. -EINVAL with autorepeat.
 */
int kft_run_pause(struct kft_run *r, const struct kft_plan *plan,
		  enum kft_run_cause cause, struct kft_err *e) __must_check;
int kft_run_resume(struct kft_run *r, enum kft_run_cause cause,
		   struct kft_err *e) __must_check;

/*
 * logentries with filters that the kernel does not have: nobody knows how many calls will
 * be kept before somebody reads them. When kft_run_refresh() set count_due, the caller
 * drains the run, counts what is kept of the records so far, and tells it here: the run is
 * stopped when that is enough.
 */
int kft_run_counted(struct kft_run *r, const struct kft_plan *plan, uint64_t kept,
		    uint64_t records, struct kft_err *e) __must_check;

/*
 * Moves what a run recorded so far into the sink, and lets it record on. The sink is begun
 * and not ended; all but the first time it is one that resumes (rec.drained says so).
 */
int kft_run_drain(struct kft_run *r, const struct kft_plan *plan, struct kft_sink *sink,
		  const char *command_line, const struct kft_notify *notify,
		  struct kft_err *e) __must_check;

/*
 * Moves what a complete run recorded into the sink and gives the kernel back. The sink is
 * begun and ended. -EALREADY of the sink's begin means that it has everything.
 */
int kft_run_take(struct kft_run *r, const struct kft_plan *plan, struct kft_sink *sink,
		 const char *command_line, const struct kft_notify *notify,
		 struct kft_err *e) __must_check;

/* Gives the kernel back and forgets the run, whatever its state. */
int kft_run_reset(struct kft_run *r, struct kft_err *e) __must_check;

/*
 * Whether a run that waits for its start does so at a function of a module that is not loaded
 * now, and its name. Loading it is enough: the kernel puts the probe in again.
 */
bool kft_run_lacks_module(const struct kft_run *r, const struct kft_plan *plan,
			  char ret[KFT_PROBE_MODULE_MAX]);

/* What is in the buffers of a run that is in the kernel, was read from there, was lost. */
int kft_run_counts(const struct kft_run *r, struct kft_cpu_counts *ret,
		   struct kft_err *e) __must_check;

/*
 * Writes a mark into the buffer, for starts and stops that are no function's. The run starts at
 * the time that its mark says or at that of the record, whichever is later.
 */
int kft_run_mark(const struct kft_run *r, const char *what, enum kft_run_cause cause,
		 uint64_t at_ns) __must_check;

#endif
