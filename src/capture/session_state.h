/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/rundir.h"
#include "capture/state.h"
#include "model/run_mark.h"

/* Disturbances of a run by other programs: bits. */
enum kft_run_disturbance {
	KFT_DISTURBED_TRACER = 1, /* they took the tracer */
	KFT_DISTURBED_THRESH = 2, /* they changed tracing_thresh */
	KFT_DISTURBED_BUFFER = 4, /* they emptied the buffer */
	KFT_DISTURBED_ALL = 7,
};

enum kft_graph_tracer {
	KFT_TRACER_NONE, /* only events */
	KFT_TRACER_CALLS,
	KFT_TRACER_ENTRIES,
};

/* The settings that the kernel carries out; the others are left for the reader of the records. */
struct kft_graph_setup {
	enum kft_graph_tracer tracer;
	bool top; /* set up at the top level of tracefs */
	uint64_t thresh_us; /* tracing_thresh; 0: every call is recorded */
	bool skips_irqs; /* calls in hard interrupts are not recorded */
	/* set_ftrace_filter or set_ftrace_notrace has the plan's functions */
	bool functions_filtered;
	bool tasks_filtered; /* set_ftrace_pid has the plan's tasks */
};

/* The options of a session, as far as later commands need them. */
struct kft_run_options {
	uint64_t buffer_bytes; /* per CPU, as asked for; 0: the default */
	/* kft record made it: all records are kept as they are. False: a KFT run. */
	bool is_recording;
	bool overwrite; /* recordings: keep the newest events */
	/* Records go to a file while the session records: see session/detached.h. */
	bool stream;
	uint64_t keep_ns; /* with overwrite: how far back, if it can; 0: any */
	uint64_t max_cost_ppm; /* budget in millionths of a CPU's time; 0: none */
	uint64_t event_ns; /* time to record one event; 0: not measured */
	/* The recording ends at this size; 0: no limit. */
	uint64_t max_bytes;
	uint64_t max_events;
};

/*
 * Checks of the kernel's stack tracer, which keeps only one stack: others that were deep
 * between two checks are unknown.
 */
struct kft_watch_counts {
	uint64_t looks;
	uint64_t stacks; /* looks that found a new stack, which was saved */
	uint64_t longest_ns; /* the longest time between two looks */
	uint64_t last_ns; /* time of the last look, on CLOCK_MONOTONIC; 0: none */
};

/*
 * The file "state" of a run's directory, for the commands that drive the run. Facts that the
 * kernel has (whether a trigger has fired, whether recording is on) are read from the kernel,
 * and are kept here only when they cannot change any more.
 */
struct kft_session_state {
	uint64_t id; /* counts the runs of a session */
	enum kft_state state; /* the last known state */
	bool drained; /* some of the records may be in the run's directory already */
	bool recorded; /* records were seen in the kernel's buffer */
	unsigned int disturbed; /* enum kft_run_disturbance */
	enum kft_run_cause started;
	enum kft_run_cause stopped;
	/*
	 * Times on CLOCK_MONOTONIC; 0: not known. They are those at which a process
	 * noticed or made the change: never earlier than it happened. The records have
	 * the exact times.
	 */
	uint64_t start_ns;
	uint64_t stop_ns;
	uint64_t
		lowest_stack_bytes; /* least stack left; 0: no watch, or no stack found */
	/* Checks of the stack tracer since the start. */
	struct kft_watch_counts watch;
	struct kft_run_options options;
	/* With max_bytes: bytes of records that are in the file already. */
	uint64_t drained_bytes;
	/*
	 * When a recording is complete: all recorded events, and those lost for want of
	 * room.
	 */
	uint64_t events;
	uint64_t lost;
	/*
	 * Events that were read from the kernel but are in no file, because the disk was
	 * full or another program read them.
	 */
	uint64_t taken;
	bool entries; /* it has a companion instance for entries of functions */
	/*
	 * The calls are counted when this many records are in the kernel; 0: at
	 * max_calls.
	 */
	uint64_t count_at;
	struct kft_graph_setup setup;
};

/*
 * -ENOENT without a message when there is no state; -EINVAL when kft cannot parse it, for
 * instance because another version wrote it.
 */
int kft_session_state_read(const struct kft_rundir *d, struct kft_session_state *ret,
			   struct kft_err *e) __must_check;
bool kft_session_state_exists(const struct kft_rundir *d);
int kft_session_state_write(const struct kft_rundir *d,
			    const struct kft_session_state *rec,
			    struct kft_err *e) __must_check;
