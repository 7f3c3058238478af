/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/why/command.h"
#include "derive/engine/engine.h"
#include "model/trace.h"

#define KFT_WHY_KINDS_MAX 8

/* Shorter intervals are too short to matter, unless the question names them. */
#define KFT_WHY_NOTICED_NS UINT64_C(50000)

/* A question: the intervals that are to be explained. */
struct kft_why_ask {
	const struct kft_interval_kind *kinds[KFT_WHY_KINDS_MAX];
	size_t n_kinds; /* 0: all for which kft_why_is_surprising() */
	const char *key; /* its name or number; NULL: any */
	const char *task; /* name or pid; NULL: any */
	/* Only intervals of its tasks, within its run; NULL: any. Borrowed. */
	const struct kft_why_command *command;
	uint64_t above_ns; /* only longer intervals */
	/* Only intervals that overlap the time from since to until; until 0: no limit. */
	uint64_t since;
	uint64_t until;
	/* since to until is one moment, with the precision that was given */
	bool is_moment;
	size_t keep; /* number of longest intervals to find */
};

/* How far a question is about the intervals of a kind and key. */
enum kft_why_meaning {
	KFT_WHY_NOT_MEANT,
	KFT_WHY_MEANT,
	KFT_WHY_MEANT_TICK, /* the lateness of the tick */
	/*
	 * Calls that wait for an event that may never come (read, poll, futex), and
	 * preemptions: they are meant if nothing else is found.
	 */
	KFT_WHY_MEANT_LAST,
};

/* Whether function is the address of the tick's timer callback. */
bool kft_why_is_tick(const struct kft_trace *t, uint64_t function);

/* Adds the kind, or the kinds of the group, with this name. Returns false if there is none. */
bool kft_why_ask_kinds(struct kft_why_ask *ask, const char *name);

/* Whether an interval is time of a task; otherwise it is time of a CPU or a device. */
bool kft_why_is_of_task(const struct kft_interval *i);

/*
 * Whether a long interval of this kind can be a problem. Gaps between events (irq-gap)
 * and time on which nothing waits (idle, frequency) cannot.
 */
bool kft_why_is_surprising(const struct kft_interval_kind *kind);

/* Whether the question includes intervals of this kind and key. */
enum kft_why_meaning kft_why_ask_means(const struct kft_why_ask *ask, struct kft_trace *t,
				       const struct kft_interval_kind *kind,
				       uint64_t key);
/* Whether it includes intervals of the interval's task. */
bool kft_why_ask_has_task(const struct kft_why_ask *ask, const struct kft_trace *t,
			  const struct kft_interval *i);
/*
 * Whether the interval is the work of kft's own tasks while recording. These intervals
 * are left out unless the question names a kind, a moment, a task or a command.
 */
bool kft_why_ask_is_recorder(const struct kft_why_ask *ask, const struct kft_trace *t,
			     const struct kft_interval *i);
