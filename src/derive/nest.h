/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_NEST_H
#define KFT_DERIVE_NEST_H

#include "model/call.h"

/*
 * Calls become a tree: which call was made in which, and so how much of a call's time is
 * its own. Nothing of the tree is kept: a sink is told of each call when it is entered and
 * when it is left, with all that is known of it then. Memory grows with the depth of the
 * stacks and the number of tasks, not with the number of calls.
 *
 * Calls are nested within a task. What runs in interrupts is no part of the task that was
 * interrupted: it has stacks of its own, one for each CPU, as have the idle tasks, which
 * share pid 0.
 */
struct kft_nest_task;

struct kft_nested {
	struct kft_call call; /* args are not kept beyond enter */
	struct kft_nested *parent; /* still under way; NULL: not known */
	uint64_t number; /* in the order of entering, from 0 */
	uint64_t root; /* which of the calls without a known parent it is in, from 0 */
	uint32_t depth; /* how many parents */
	/* Calls below it of which nothing was recorded: the return stack was full. */
	uint32_t missing;
	uint64_t children_ns; /* in calls that it made, of those with a known end */
	/*
	 * Recursion, known when it is left. inner: there is an outer call of the same
	 * function that stands for its time; counting it too would count that twice.
	 * span_ns is the time that a call stands for: from entry to exit, or, without a
	 * known end, that of the calls inner to it.
	 */
	bool inner;
	uint64_t span_ns;
	/* Filled in by who knows; has_off says so. */
	bool has_off;
	uint64_t off_ns; /* of its time, not on a CPU */
	uint64_t children_off_ns; /* the same of its children */
	uint64_t span_off_ns; /* the same of span_ns */
	uint64_t irq_ns; /* of its own time on a CPU, in interrupts */

	struct kft_nested *below; /* the next one on the stack, further out, or NULL */
	uint32_t level; /* these are for whoever pushes */
	uint64_t addr; /* of its function */
	uint64_t losses; /* places so far where events are missing */
	uint64_t end_ns;
	uint8_t context;
	uint8_t irq; /* enum kft_irq_name */

	struct kft_nest_task *task; /* of nest.c */
};

/* Of its time, if its end is known: in itself; on a CPU; both. */
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

/* Ends of stacks deeper than this are not searched: no kernel stack holds so many calls. */
#define KFT_NEST_DEPTH_MAX 256

struct kft_nest_sink {
	/* Either may be NULL. An error (-errno) ends everything. n is valid until left. */
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
 * For rows that say how long a call took: calls in the order of their entries. A call's
 * parent is the innermost call of its task whose function is the caller and that is under
 * way. What cannot be under way any more, because who called it calls somebody else, is
 * left even if its exit was not seen. -ENOMEM, or what the sink returns.
 */
int kft_nest_add(struct kft_nest *nest, const struct kft_call *call) __must_check;

/* Leaves all calls under way: the end of a log. */
int kft_nest_flush(struct kft_nest *nest) __must_check;

/*
 * For those who see entries and exits themselves: the stack of a task (on a CPU, for idle
 * tasks), which need not be the pid that a call on it has.
 */

/* Which stack that is: idle tasks and interrupts have one for each CPU. */
uint64_t kft_nest_key(int32_t pid, int32_t cpu);

/* The innermost call under way, borrowed; NULL when there is none. */
struct kft_nested *kft_nest_top(const struct kft_nest *nest, int32_t pid, int32_t cpu);

/* Enters a call; its parent is the innermost one, or not known. *ret is borrowed. */
int kft_nest_push(struct kft_nest *nest, int32_t pid, int32_t cpu,
		  const struct kft_call *call, bool has_parent,
		  struct kft_nested **ret) __must_check;

/* Leaves the innermost call of n's task, which is n; its end has been filled in. */
int kft_nest_pop(struct kft_nest *nest, struct kft_nested *n) __must_check;

#endif
