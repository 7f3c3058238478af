/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/backend.h"
#include "capture/counts.h"
#include "capture/module_events.h"
#include "capture/session_state.h"
#include "decode/ring.h"

/* Bytes of a trigger's group of probe events, with the NUL. */
#define KFT_PROBE_GROUP_MAX 16

/* Gets the group of the probe events that start and stop a detached session. */
void kft_probes_group(const char *run_name, char ret[KFT_PROBE_GROUP_MAX]);

/* Bytes of a module's name, with the NUL: the kernel's limit is 64 less two pointers. */
#define KFT_PROBE_MODULE_MAX 64

struct kft_part;

/*
 * A detached session (KFT runs, flight recorders, kft record --detach). Its state is in the
 * kernel and in the directory /run/kft/NAME, so that no process has to live between two
 * steps. session/run/run.h has the steps. The parts point to it, so it must not be moved
 * while it is open.
 */
struct kft_run {
	struct kft_host *host; /* borrowed */
	struct kft_rundir dir;
	struct kft_session_state rec;
	struct kft_part *parts[KFT_BACKENDS_MAX]; /* owned; the last one leads */
	size_t n_parts;
	bool is_attached; /* the parts have opened their buffers in the kernel */
	const struct kft_notify *notify; /* borrowed; may be NULL */
	/*
	 * The caller must count the calls that pass the filters, or drain a run that
	 * streams.
	 */
	bool count_due;
	/* A drain leaves the names of tasks to a later one. */
	bool without_tasks;
	/*
	 * Ends the drain of a run that streams: the drain goes on until linger() returns;
	 * NULL: it takes only the records that are there. failed_fd becomes readable when
	 * the drain cannot go on.
	 */
	void (*linger)(void *arg, int failed_fd);
	void *linger_arg;
};

/*
 * The part of a detached session that one backend carries out. Each process that drives the
 * session opens its parts anew.
 */
struct kft_part {
	const struct kft_backend_ops *ops;
	struct kft_run *run; /* borrowed */
	bool survives; /* the buffers outlive a crash of the kernel; set by attach and set_up */
};

/* The state of the lead's recording; the counters are read before is_on. */
struct kft_part_look {
	struct kft_cpu_counts counts;
	bool has_stopped; /* the stop trigger had fired before is_on was read */
	bool is_on;
	bool was_stopped; /* the stop trigger had fired after is_on was read as false */
	unsigned int disturbed; /* KFT_DISTURBED_TRACER and KFT_DISTURBED_THRESH */
};

/* The number of events at the last check and its time on CLOCK_MONOTONIC; {}: no check yet. */
struct kft_part_rate {
	uint64_t events;
	uint64_t at_ns;
};

/* How the records of a part are moved to a sink. */
struct kft_part_drain {
	struct kft_sink *sink; /* borrowed until drain_close */
	const struct kft_plan
		*plan; /* borrowed until drain_begin returns; the session's */
	const char *command_line; /* borrowed until drain_begin returns; may be NULL */
	const struct kft_notify *notify; /* borrowed; may be NULL */
	bool resume; /* the sink continues a recording, and has the metadata */
	bool at_end; /* nothing is recorded any more, and drain_end follows */
};

/* The pages of a part, for cutting a file of them to the size of the buffers. */
struct kft_part_shape {
	uint64_t buffer_bytes; /* per CPU, in whole pages */
	uint64_t total_bytes; /* of the buffers of all CPUs */
	struct kft_ring_layout layout;
};

/*
 * The life of a backend's part of a detached session. Functions return 0 or -errno with e
 * set; those without e return -errno only. A function that is marked as optional may be
 * NULL.
 *
 *	open, attach	in each process: the part, and its buffers, which set_up has made
 *	resolve, set_up, enable		prime the session: nothing is recorded yet
 *	record		starts, pauses, resumes and stops
 *	drain_*		move the records to a sink, while it records or at the end
 *	undo		restores the kernel, whatever happened in between
 *	close		frees the part, and leaves the session as it is
 */
struct kft_detached_ops {
	bool overwrites; /* it can keep the newest events: flight recorders need this */

	int (*open)(struct kft_run *r, struct kft_part **ret, struct kft_err *e);
	/* -ENOENT without a message: another program removed the buffers. */
	int (*attach)(struct kft_part *p, struct kft_err *e);

	/* Checks that everything in the plan exists, and changes nothing. */
	int (*resolve)(struct kft_part *p, const struct kft_plan *plan,
		       struct kft_err *e);
	/* Makes the buffers. May set the members of run->rec that are about its kernel. */
	int (*set_up)(struct kft_part *p, const struct kft_plan *plan, struct kft_err *e);
	/* Enables the events, then arms the triggers: the session may start at once. */
	int (*enable)(struct kft_part *p, const struct kft_plan *plan, struct kft_err *e);
	/* Optional: removes the start trigger, when the session starts or stops otherwise. */
	int (*disarm)(struct kft_part *p, const struct kft_plan *plan);

	int (*record)(struct kft_part *p, bool on);
	/* Writes a marker among the events. */
	int (*mark)(struct kft_part *p, const char *text, size_t len);
	int (*counts)(const struct kft_part *p, struct kft_cpu_counts *ret);
	int (*look)(struct kft_part *p, const struct kft_plan *plan,
		    struct kft_part_look *ret, struct kft_err *e);

	/*
	 * Optional, for a plan that watches the stack: begins or repeats the search for deep
	 * stacks. Returns 1 when it changed run->rec.
	 */
	int (*watch)(struct kft_part *p, const struct kft_plan *plan, bool begins);
	/*
	 * Optional, for a recording with keep_ns or max_cost_ppm: enlarges buffers, or leaves
	 * out events. last is of the previous call, NULL when recording has just started.
	 */
	int (*adjust)(struct kft_part *p, struct kft_part_rate *last, struct kft_err *e);
	/*
	 * Optional: notes names of tasks and symbols of modules, once a second; with events
	 * (NULL: none), which the caller keeps between two calls, also modules that came and
	 * went unseen.
	 */
	void (*note_names)(struct kft_part *p, struct kft_module_events *events);
	/* Optional: writes markers again that may be overwritten by now. */
	void (*repeat_marks)(struct kft_part *p);
	/* Optional: true when the start's function is in a module that is not loaded. */
	bool (*lacks_module)(const struct kft_part *p, const struct kft_plan *plan,
			     char ret[KFT_PROBE_MODULE_MAX]);
	/* Optional: switches the events of a set on or off while it records. */
	int (*switch_set)(struct kft_part *p, const struct kft_plan *plan,
			  const char *name, bool on, struct kft_err *e);

	int (*drain_begin)(struct kft_part *p, const struct kft_part_drain *how,
			   struct kft_err *e);
	/* ret has the sums so far, after a failure too. */
	int (*drain_move)(struct kft_part *p, struct kft_progress *ret,
			  struct kft_err *e);
	int (*drain_end)(struct kft_part *p, struct kft_err *e);
	void (*drain_close)(struct kft_part *p);
	int (*shape)(const struct kft_part *p, struct kft_part_shape *ret);
	/* Optional: warns of names that the drained records lack. */
	void (*warn)(const struct kft_part *p, const struct kft_notify *notify);

	/* The directory in which undo removes entries. Borrowed; -1: it needs none. */
	int (*work_dirfd)(const struct kft_part *p);
	int (*undo)(struct kft_part *p, struct kft_err *e);
	void (*close)(struct kft_part *p);

	/*
	 * Optional: opens buffers that have survived a crash, for drain_*; of r only host and
	 * the name are used. -ENOENT without a message: this kernel has none of that name.
	 */
	int (*open_survived)(struct kft_run *r, struct kft_part **ret, struct kft_err *e);
	/* With open_survived: empties these buffers. */
	int (*empty)(struct kft_part *p);
};

/* The part that detects the triggers and has the main buffer. */
static inline struct kft_part *kft_run_lead(const struct kft_run *r)
{
	return r->parts[r->n_parts - 1];
}

static inline const struct kft_detached_ops *kft_part_ops(const struct kft_part *p)
{
	return p->ops->detached;
}
