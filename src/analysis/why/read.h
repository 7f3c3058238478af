/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/why/facts.h"
#include "derive/kinds/syscall_form.h"

/*
 * Reads the facts of kft why. why/read.c goes through the events, why/events.c interprets
 * each event type, and why/facts_sort.c sorts the facts for look-ups.
 */
#define KFT_WHY_FIELDS_MAX 4

/* Shorter times without events are normal on a busy CPU and are not recorded as gaps. */
#define KFT_WHY_GAP_MIN_NS UINT64_C(20000)

struct kft_why_reader;

/* An event type that supplies facts. */
struct kft_why_event {
	const char *system;
	/* "sys_enter_*": all types with this prefix that have no earlier line */
	const char *name;
	const char *fields[KFT_WHY_FIELDS_MAX];
	uint32_t seen;
	bool has_name; /* read the string field "name" */
	int (*take)(struct kft_why_reader *r, const struct kft_event *ev,
		    const uint64_t *fields);
};

struct kft_why_listener {
	const struct kft_why_event *kind;
	uint32_t seen; /* as in kind, or 0 if only some of its classes are recorded */
	const struct kft_field *fields[KFT_WHY_FIELDS_MAX];
	const struct kft_field *string;
};

/* Earliest and latest expiry of a timer, from its start. */
struct kft_why_started {
	uint64_t soft_ns;
	uint64_t hard_ns;
};

struct kft_why_reader {
	struct kft_why_facts *facts; /* borrowed */
	struct kft_engine *engine; /* owned */
	KFT_VEC(struct kft_why_listener) listeners;
	uint8_t by_id[65536]; /* event id -> index into listeners + 1; 0: ignored */
	bool has_raw_calls; /* events of raw_syscalls were seen */
	/* system calls that return from signal handlers */
	struct kft_call_returns returns;
	const struct kft_field *pid; /* common_pid */
	const struct kft_field *flags;
	const struct kft_field
		*period; /* of samples; NULL: all stand for the same time */
	int32_t common_pid; /* of the current event */
	uint8_t common_flags;
	struct kft_map timers; /* address -> index into starts + 1 */
	KFT_VEC(struct kft_why_started) starts;
	struct kft_map inserts; /* hash of a request's device and sector -> time */
	struct kft_map issues;
};

/* Appends to a list of the facts and counts it. Returns 0, -E2BIG or -ENOMEM. */
#define KFT_WHY_ADD(f, list, ...)                     \
	((f)->n_facts++ >= KFT_WHY_FACTS_MAX ? -E2BIG \
	 : kft_vec_push((list), __VA_ARGS__) ? 0      \
					     : -ENOMEM)

/* Event types that supply facts. The end of the list has no system. */
extern const struct kft_why_event kft_why_events[];

/* Samples are a fact, too; kft_sample_time_class() finds their type, which has several names. */
extern const struct kft_why_event kft_why_sample_event;

/*
 * Return the entry for a task or CPU, which is added if it is new. NULL: no memory, or an
 * impossible CPU number.
 */
struct kft_why_task *kft_why_get_task(struct kft_why_facts *f, int32_t pid);
struct kft_why_cpu *kft_why_get_cpu(struct kft_why_facts *f, uint32_t cpu);

/* Sorts the facts and repairs those that losses damaged. Fails with -ENOMEM or -E2BIG. */
int kft_why_facts_settle(struct kft_why_facts *f) __must_check;
