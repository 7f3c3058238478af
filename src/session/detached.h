/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_DETACHED_H
#define KFT_SESSION_DETACHED_H

#include "session/run/run.h"
#include "session/run/trim.h"
#include "file/tracedat/recover.h"
#include "plan/run.h"

/*
 * A detached session: it lives in the kernel and in /run/kft/NAME between the commands, or
 * the calls of a program, that drive it. This is what a KFT run is made of: the run
 * (session/run/run.h has its steps), the configuration that it carries out, and its
 * records, first in the kernel, then in its directory, then in the trace that they are
 * saved to. An open one holds the run's lock.
 *
 * All return 0 or -errno with a message in e.
 */
struct kft_detached {
	struct kft_host *host; /* owned */
	struct kft_run run;
	bool is_open;
	struct kft_config config; /* of the one run */
	struct kft_plan plan;
	const struct kft_notify *notify; /* borrowed; may be NULL */
};

/* The session of that name. On failure nothing is open. */
int kft_detached_open(const char *name, const struct kft_notify *notify,
		      struct kft_detached *ret, struct kft_err *e) __must_check;
void kft_detached_close(struct kft_detached *d);

/* What the kernel recorded, before anything was left out: in the session's directory. */
#define KFT_DETACHED_RAW      "raw.dat"
#define KFT_DETACHED_PATH_MAX 4096

/* Where that is; of a session that streams, the file that it was told. */
void kft_detached_raw_path(const struct kft_run *run,
			   char ret[static KFT_DETACHED_PATH_MAX]);

/*
 * Moves what is in the kernel's buffers there; the run records on. Records of this run that
 * are there already, because they were counted, or are of a snapshot, or because who took
 * them was killed, stay.
 */
int kft_detached_drain(const struct kft_notify *notify, struct kft_run *run,
		       const struct kft_plan *plan, struct kft_err *e) __must_check;

/* What a session is to do. */
struct kft_detached_what {
	const struct kft_config *config; /* borrowed; found to be possible */
	size_t index; /* of the run that is meant */
	uint64_t buffer_bytes; /* for each CPU; 0: the default */
};

/* Makes a session, which is open then: kft_run_load(). Takes host, on failure too. */
int kft_detached_load(struct kft_host *host, const char *name,
		      const struct kft_detached_what *what,
		      const struct kft_notify *notify, struct kft_detached *ret,
		      struct kft_err *e) __must_check;

/* 0: none. Both need a process that waits with the session (keeper.h). */
struct kft_detached_times {
	uint64_t keep_ns; /* that its buffers are to hold, of one that overwrites */
	uint64_t max_cost_ppm; /* millionths of a CPU that it may take */
};

/* What a detached recording does with its records. */
struct kft_detached_keeping {
	struct kft_detached_times times;
	/*
	 * Where they go while it records, taken out of the kernel every now and then by
	 * whoever keeps the session (keeper.h) or does anything with it; NULL: they wait in
	 * the kernel's buffers. Borrowed. The file is as kft record's: a trace at any time.
	 */
	const char *output;
	/* It ends when it has so much, as far as a keeper or a command looks; 0: any. */
	uint64_t max_bytes;
	uint64_t max_events;
};

/*
 * Makes a detached recording of a plan. It begins at the plan's start, at once if that has
 * none, and ends at its stop, when a CPU's buffer is full, unless it streams, or when it is
 * told to. Times need a process that waits with the session (keeper.h).
 * It keeps this program's command line, for people. Takes host, on failure too.
 */
int kft_detached_record(struct kft_host *host, const char *name,
			const struct kft_plan *plan,
			const struct kft_detached_keeping *keeping,
			const struct kft_notify *notify, struct kft_detached *ret,
			struct kft_err *e) __must_check;

/* A recording has no configuration, and all that it recorded is kept as it is. */
static inline bool kft_detached_is_recording(const struct kft_detached *d)
{
	return d->run.rec.options.is_recording;
}

/*
 * Looks how far the run is; takes its records out of the kernel when it is complete, and
 * gives the kernel back.
 */
int kft_detached_tend(struct kft_detached *d, struct kft_err *e) __must_check;

/* kft_run_resume(), and what the kernel would forget then is taken before. */
int kft_detached_resume(struct kft_detached *d, struct kft_err *e) __must_check;

/*
 * For kft_run_keep(): counts the calls of a run whose count_due is set. notify: a
 * const struct kft_notify, or NULL.
 */
int kft_detached_count(void *notify, struct kft_run *run, const struct kft_plan *plan,
		       struct kft_err *e) __must_check;

/*
 * What the run recorded, judged. -EINVAL when it is not complete. *ret_trace and *ret_trim
 * are the caller's.
 */
int kft_detached_result(const struct kft_detached *d, struct kft_trace **ret_trace,
			struct kft_trim *ret_trim, struct kft_err *e) __must_check;

/* Writes what belongs to the run to a new trace. */
int kft_detached_save(const struct kft_detached *d, const char *output,
		      struct kft_trim *ret_trim, struct kft_err *e) __must_check;

/* The same of a recording: all of it. */
int kft_detached_copy(const struct kft_detached *d, const char *output,
		      struct kft_err *e) __must_check;

/* -EIO, with what other programs did to the run, when that made its records incomplete. */
int kft_detached_check(const struct kft_detached *d, const struct kft_trim *trim,
		       struct kft_err *e) __must_check;

#endif
