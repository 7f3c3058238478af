/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/cut/cut.h"
#include "session/run/run.h"
#include "file/tracedat/read/recover.h"
#include "plan/run.h"

/*
 * A detached session: its state is in the kernel and in /run/kft/NAME between the
 * commands, or the calls of a program, that drive it. A KFT run has these parts: the run
 * (session/run/run.h has its steps), the configuration that it carries out, and its
 * records, first in the kernel, then in its directory, then in the trace that they are
 * saved to. An open session holds the run's lock.
 *
 * All functions return 0 or -errno with a message in e.
 */
struct kft_detached {
	struct kft_host *host; /* owned */
	struct kft_run run;
	bool is_open;
	struct kft_config config; /* with this run only; empty for a recording */
	struct kft_plan plan;
	const struct kft_notify *notify; /* borrowed; may be NULL */
};

/* Opens the session of that name. On failure nothing is open. */
int kft_detached_open(const char *name, const struct kft_notify *notify,
		      struct kft_detached *ret, struct kft_err *e) __must_check;
void kft_detached_close(struct kft_detached *d);

/* A file of the session's directory: the run's records before any filter of kft. */
#define KFT_DETACHED_RAW      "raw.dat"
#define KFT_DETACHED_PATH_MAX 4096

/* Gets the path of that file or, if the session streams, of its output file. */
void kft_detached_raw_path(const struct kft_run *run,
			   char ret[static KFT_DETACHED_PATH_MAX]);

/*
 * Moves the records from the kernel's buffers to that file; the run goes on recording.
 * The file keeps this run's earlier records: drained to be counted, for a snapshot, or by
 * a process that was killed.
 */
int kft_detached_drain(const struct kft_notify *notify, struct kft_run *run,
		       const struct kft_plan *plan, struct kft_err *e) __must_check;

/* The run that a new session carries out. */
struct kft_detached_what {
	const struct kft_config *config; /* borrowed; the kernel can carry it out */
	size_t index; /* of the run in config */
	uint64_t buffer_bytes; /* per CPU; 0: the default */
};

/*
 * Makes a session by kft_run_load(), and opens it. Takes ownership of host, on failure
 * too.
 */
int kft_detached_load(struct kft_host *host, const char *name,
		      const struct kft_detached_what *what,
		      const struct kft_notify *notify, struct kft_detached *ret,
		      struct kft_err *e) __must_check;

/* Limits of a recording; 0: none. Both need a keeper (session/daemon.h). */
struct kft_detached_times {
	uint64_t keep_ns; /* time that the buffers should hold, if it overwrites */
	uint64_t max_cost_ppm; /* millionths of a CPU's time */
};

/* The limits and the output of a detached recording. */
struct kft_detached_keeping {
	struct kft_detached_times times;
	/*
	 * Path of a file for the records, which the keeper (session/daemon.h) and each command on
	 * the session drain while it records; NULL: they wait in the kernel's buffers.
	 * Borrowed. The file has the format of kft record's: a readable trace at any
	 * time.
	 */
	const char *output;
	/*
	 * The recording ends when a keeper or a command finds that it has reached one of
	 * these; 0: no limit.
	 */
	uint64_t max_bytes;
	uint64_t max_events;
};

/*
 * Makes a detached recording of a plan. It begins at the plan's start, at once without
 * one. It ends at its stop, at a limit, by kft_run_stop(), or when a CPU's buffer is
 * full, unless it overwrites or streams. Times need a keeper (session/daemon.h). Stores this
 * program's command line, for display. Takes ownership of host, on failure too.
 */
int kft_detached_record(struct kft_host *host, const char *name,
			const struct kft_plan *plan,
			const struct kft_detached_keeping *keeping,
			const struct kft_notify *notify, struct kft_detached *ret,
			struct kft_err *e) __must_check;

/*
 * Whether the session is a recording: it has no configuration, and keeps all records as
 * they are.
 */
static inline bool kft_detached_is_recording(const struct kft_detached *d)
{
	return d->run.rec.options.is_recording;
}

/*
 * Refreshes the state of the run. When it is complete, drains its records and restores
 * the kernel.
 */
int kft_detached_refresh(struct kft_detached *d, struct kft_err *e) __must_check;

/*
 * Drains the records that the kernel would discard at a resume, then calls
 * kft_run_resume().
 */
int kft_detached_resume(struct kft_detached *d, struct kft_err *e) __must_check;

/*
 * For kft_run_retention(): drains a run with count_due set, and counts its calls unless it
 * streams. notify: a const struct kft_notify, or NULL.
 */
int kft_detached_count(void *notify, struct kft_run *run, const struct kft_plan *plan,
		       struct kft_err *e) __must_check;

/*
 * Reads the run's recording and finds the records that belong to the run. -EINVAL when
 * the run is not complete. The caller owns *ret_trace and *ret_cut.
 */
int kft_detached_result(const struct kft_detached *d, struct kft_trace **ret_trace,
			struct kft_cut *ret_cut, struct kft_err *e) __must_check;

/* Writes the records that belong to the run to a new trace. */
int kft_detached_save(const struct kft_detached *d, const char *output,
		      struct kft_cut *ret_cut, struct kft_err *e) __must_check;

/* Writes all records of a recording to a new trace. */
int kft_detached_copy(const struct kft_detached *d, const char *output,
		      struct kft_err *e) __must_check;

/* -EIO when actions of other programs made the run's records incomplete; the message lists them. */
int kft_detached_check(const struct kft_detached *d, const struct kft_cut *cut,
		       struct kft_err *e) __must_check;
