/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_RECORD_H
#define KFT_SESSION_RUN_RECORD_H

#include "tracefs/sources/graph.h"
#include "capture/rundir.h"
#include "capture/state.h"

/*
 * What is known of a run between the commands that drive it: the file "state" of its
 * directory. What the kernel knows itself (whether a trigger has fired, whether recording
 * is on) is asked there and not kept, except once it cannot change any more.
 */
enum kft_run_cause {
	KFT_CAUSE_NONE, /* has not happened */
	KFT_CAUSE_USER,
	KFT_CAUSE_TRIGGER, /* at a function */
	KFT_CAUSE_TIME,
	KFT_CAUSE_FULL, /* the buffer had no more room */
	KFT_CAUSE_ENTRIES, /* as many calls were kept as were wanted */
	KFT_CAUSE_LIMIT, /* a recording has as much as it was to have */
	KFT_CAUSE_OTHER, /* recording was switched off by somebody who is not kft */
	KFT_CAUSE_DISK, /* the file could not be written for want of space */
	KFT_CAUSE_COUNT,
};

/* What other programs did to a run: bits. */
enum kft_run_disturbance {
	KFT_DISTURBED_TRACER = 1, /* they took the tracer */
	KFT_DISTURBED_THRESH = 2, /* they changed tracing_thresh */
	KFT_DISTURBED_BUFFER = 4, /* they emptied the buffer */
	KFT_DISTURBED_ALL = 7,
};

/* What a session is to do, as far as later commands have to know it. */
struct kft_run_options {
	uint64_t buffer_bytes; /* per CPU, as asked for; 0: the default */
	/* Of kft record, all that is recorded is kept as it is; else a KFT run. */
	bool is_recording;
	bool overwrite; /* of a recording: keep the newest */
	/* Its records go to a file while it records: see session/detached.h. */
	bool stream;
	uint64_t keep_ns; /* of one that overwrites: how far back, if it can; 0: any */
	uint64_t max_cost_ppm; /* millionths of a CPU that it may take; 0: any */
	uint64_t event_ns; /* what an event takes; 0: it was not asked for */
	/* It ends when it has so much; 0: any. */
	uint64_t max_bytes;
	uint64_t max_events;
};

/* The stack tracer keeps one stack: what else was deep between two looks is not known. */
struct kft_watch_counts {
	uint64_t looks;
	uint64_t stacks; /* looks that found one, which was saved */
	uint64_t longest_ns; /* between two looks */
	uint64_t last_ns; /* when the last one was, on CLOCK_MONOTONIC; 0: none was */
};

struct kft_run_record {
	uint64_t id; /* counts the runs of a session */
	enum kft_state state; /* as far as it was noticed */
	bool drained; /* some of the records may be in the run's directory already */
	bool recorded; /* records were seen in the kernel's buffer */
	unsigned int disturbed; /* enum kft_run_disturbance */
	enum kft_run_cause started;
	enum kft_run_cause stopped;
	/*
	 * On CLOCK_MONOTONIC; 0: not known. When a process noticed or did it: never earlier
	 * than it was. The records have the exact times.
	 */
	uint64_t start_ns;
	uint64_t stop_ns;
	uint64_t
		lowest_stack_bytes; /* left, as the watch saw; 0: no watch, or nothing seen */
	/* Looks at the stack tracer since the start, and what they found. */
	struct kft_watch_counts watch;
	struct kft_run_options options;
	/* With max_bytes: what went to its file already. */
	uint64_t drained_bytes;
	/* Of a complete one: recorded in all, and not recorded for want of room. */
	uint64_t events;
	uint64_t lost;
	/*
	 * Events that were read from the kernel but are in no file, because the disk was
	 * full or another program read them.
	 */
	uint64_t taken;
	bool entries; /* it has an instance for entries of functions beside calls */
	/* Look whether there are enough calls when so many records are in the kernel. */
	uint64_t count_at;
	struct kft_graph_setup setup;
};

/* -ENOENT without a message when there is none; -EINVAL for what kft did not write. */
int kft_run_record_read(const struct kft_rundir *d, struct kft_run_record *ret,
			struct kft_err *e) __must_check;
bool kft_run_record_exists(const struct kft_rundir *d);
int kft_run_record_write(const struct kft_rundir *d, const struct kft_run_record *rec,
			 struct kft_err *e) __must_check;

#endif
