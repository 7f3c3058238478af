/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_WHY_ASK_H
#define KFT_ANALYSIS_WHY_ASK_H

#include "derive/engine.h"
#include "model/trace.h"

#define KFT_WHY_KINDS_MAX 8

/* Nobody asks for the reason of less, unless it is asked for. */
#define KFT_WHY_NOTICED_NS UINT64_C(50000)

/* Which intervals are meant. */
struct kft_why_ask {
	const struct kft_interval_kind *kinds[KFT_WHY_KINDS_MAX];
	size_t n_kinds; /* 0: any that can be a surprise */
	const char *key; /* as people know it, or its number; NULL: any */
	const char *task; /* name or pid; NULL: any */
	uint64_t above_ns; /* only those that took longer */
	/* Only those that are in this stretch, or in part; until 0: any. */
	uint64_t since;
	uint64_t until;
	bool is_moment; /* the stretch, as well as it was told */
	/* Also calls that wait for what may never come: where there is nothing else. */
	bool with_any_wait;
	bool without_ticks; /* not how late the tick was */
	size_t keep; /* so many of the longest */
};

/* Whether a function is the tick's. */
bool kft_why_is_tick(const struct kft_trace *t, uint64_t function);

/* Adds the kinds of a name: one kind, or a group. False when there is none. */
bool kft_why_ask_kinds(struct kft_why_ask *ask, const char *name);

/* Whether an interval's time is that of a task, else of a CPU or a device. */
bool kft_why_is_of_task(const struct kft_interval *i);

/* Time between two of something, and what nobody waits for, is no surprise. */
bool kft_why_is_surprising(const struct kft_interval_kind *kind);

/* Whether intervals of a kind and key are meant, those of a task, ... */
bool kft_why_ask_has_key(const struct kft_why_ask *ask, struct kft_trace *t,
			 const struct kft_interval_kind *kind, uint64_t key);
bool kft_why_ask_has_task(const struct kft_why_ask *ask, const struct kft_trace *t,
			  const struct kft_interval *i);
/* ... and what kft does to record, which is no surprise, unless it is asked for. */
bool kft_why_ask_is_recorder(const struct kft_why_ask *ask, const struct kft_trace *t,
			     const struct kft_interval *i);

#endif
