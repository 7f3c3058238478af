/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/call.h"

/*
 * Builds a tree from calls: which call made which one, and so how much of a call's time
 * is its own. The tree is not kept: a sink gets each call when it is entered and when it
 * is left, with all facts known by then. Memory grows with the depth of the stacks and
 * the number of tasks, not with the number of calls.
 *
 * Calls are nested within a task. Interrupts are not part of the task that they
 * interrupt: calls with KFT_CALL_IN_INTERRUPT have a stack for each CPU, like the idle
 * tasks, which share pid 0.
 */
struct kft_nest_task;

struct kft_nested {
	struct kft_call call; /* args are invalid after enter */
	struct kft_nested *parent; /* still open; NULL: unknown */
	uint64_t number; /* in the order of entering, from 0 */
	uint64_t root; /* number of the call without a known parent that it is in */
	uint32_t depth; /* number of parents */
	/* Number of calls below it that were not recorded because the return stack was full. */
	uint32_t missing;
	uint64_t children_ns; /* in calls that it made and that have a known end */
	/*
	 * Recursion, known when the call is left. inner: an outer call of the same
	 * function includes its time, so that counting both would count the time twice.
	 * span_ns is the time that a call stands for: from entry to exit, or, without a
	 * known end, the time of the calls inner to it.
	 */
	bool inner;
	uint64_t span_ns;
	/* The code that pushes and pops calls fills this in; has_off: off CPU times are known. */
	bool has_off;
	uint64_t off_ns; /* part of its time off CPU */
	uint64_t children_off_ns; /* sum of off_ns of its children */
	uint64_t span_off_ns; /* part of span_ns off CPU */
	uint64_t irq_ns; /* part of its own time on CPU in interrupts */

	struct kft_nested *below; /* the next one on the stack, further out; NULL: none */
	/* For the code that pushes calls: the recorded depth, and the members below. */
	uint32_t level;
	uint64_t addr; /* address of its function */
	uint64_t losses; /* number of losses up to its entry */
	uint64_t end_ns;
	uint8_t context;
	uint8_t irq; /* enum kft_irq_name */

	struct kft_nest_task *task; /* used by nest.c */
};

/* Time of a call with a known end: outside its children, on a CPU, and both. */
static inline uint64_t kft_nested_local_ns(const struct kft_nested *n)
{
	uint64_t dur = n->call.dur_ns;

	return dur > n->children_ns ? dur - n->children_ns : 0;
}

static inline uint64_t kft_nested_on_ns(const struct kft_nested *n)
{
	return n->call.dur_ns > n->off_ns ? n->call.dur_ns - n->off_ns : 0;
}

static inline uint64_t kft_nested_on_local_ns(const struct kft_nested *n)
{
	uint64_t off = n->off_ns > n->children_off_ns ? n->off_ns - n->children_off_ns
						      : 0;
	uint64_t local = kft_nested_local_ns(n);
	uint64_t other = off + n->irq_ns;

	return local > other ? local - other : 0;
}

/* Maximum depth of a stack: no kernel stack holds so many calls. */
#define KFT_NEST_DEPTH_MAX 256

struct kft_nest_sink {
	/* Either may be NULL. An error (-errno) stops the nest. n is valid until left. */
	int (*enter)(void *arg, const struct kft_nested *n);
	int (*leave)(void *arg, const struct kft_nested *n);
	void *arg;
};

struct kft_nest;

/* The sink is copied. -ENOMEM. */
int kft_nest_create(const struct kft_nest_sink *sink, struct kft_nest **ret) __must_check;
struct kft_nest *kft_nest_destroy(struct kft_nest *nest);
KFT_DEFINE_CLEANUP(struct kft_nest *, kft_nest_destroy)

/*
 * For records that contain the duration of a call: adds calls in the order of their
 * entries. A call's parent is the innermost open call of the caller function in its task.
 * If the caller makes another call, an earlier call of it is left even without a recorded
 * exit. -ENOMEM, or the result of the sink.
 */
int kft_nest_add(struct kft_nest *nest, const struct kft_call *call) __must_check;

/* Leaves all open calls, at the end of a trace or log. */
int kft_nest_flush(struct kft_nest *nest) __must_check;

/*
 * The following functions are for code that interprets entries and exits. pid and cpu
 * stand for the stack of a task (for idle tasks, of a CPU), which may differ from the pid
 * of a call on it.
 */

/* The innermost open call, borrowed; NULL: none. */
struct kft_nested *kft_nest_top(const struct kft_nest *nest, int32_t pid, int32_t cpu);

/*
 * Enters a call; its parent is the innermost open call if has_parent is set, otherwise
 * unknown. *ret is borrowed. -ENOMEM, or the result of the sink.
 */
int kft_nest_push(struct kft_nest *nest, int32_t pid, int32_t cpu,
		  const struct kft_call *call, bool has_parent,
		  struct kft_nested **ret) __must_check;

/* Leaves n, the innermost call of its task, after its end was filled in. */
int kft_nest_pop(struct kft_nest *nest, struct kft_nested *n) __must_check;
