/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_WHY_READ_H
#define KFT_ANALYSIS_WHY_READ_H

#include "analysis/why_facts.h"
#include "derive/call_form.h"

/*
 * Reading the facts of kft why: why_read.c goes through the events, why_events.c knows what
 * each of them says, and why_settle.c makes lists of it that can be asked.
 */
#define KFT_WHY_FIELDS_MAX 4

/* Events of a busy CPU are closer to each other. */
#define KFT_WHY_GAP_MIN_NS UINT64_C(20000)

struct kft_why_reader;

/* An event that is read for more than its time. */
struct kft_why_event {
	const char *system;
	const char
		*name; /* "sys_enter_*": all that begin so and have no line before it */
	const char *fields[KFT_WHY_FIELDS_MAX];
	uint32_t seen;
	bool has_name; /* a string */
	int (*take)(struct kft_why_reader *r, const struct kft_event *ev,
		    const uint64_t *fields);
};

struct kft_why_listener {
	const struct kft_why_event *kind;
	uint32_t
		seen; /* that of the kind, unless only some of its classes are recorded */
	const struct kft_field *fields[KFT_WHY_FIELDS_MAX];
	const struct kft_field *string;
};

/* The start of a timer, and of a request, until its end. */
struct kft_why_started {
	uint64_t soft_ns;
	uint64_t hard_ns;
};

struct kft_why_reader {
	struct kft_why_facts *facts; /* borrowed */
	struct kft_engine *engine; /* owned */
	KFT_VEC(struct kft_why_listener) listeners;
	uint8_t by_id[65536]; /* index into listeners + 1; 0: of no interest */
	bool has_raw_calls; /* events of raw_syscalls were seen */
	struct kft_call_returns returns; /* the calls that end handlers */
	const struct kft_field *pid; /* common_pid */
	const struct kft_field *flags;
	int32_t common_pid; /* of the event that is being taken */
	uint8_t common_flags;
	struct kft_map timers; /* address -> index into starts + 1 */
	KFT_VEC(struct kft_why_started) starts;
	struct kft_map inserts; /* of requests: device and sector, hashed -> time */
	struct kft_map issues;
};

/* Appends to a list of the facts, which are counted. */
#define KFT_WHY_ADD(f, list, ...)                     \
	((f)->n_facts++ >= KFT_WHY_FACTS_MAX ? -E2BIG \
	 : kft_vec_push((list), __VA_ARGS__) ? 0      \
					     : -ENOMEM)

/* The events that are looked at; the one behind the last has no system. */
extern const struct kft_why_event kft_why_events[];

/* Of those that were seen; NULL: no memory, or for a CPU that there cannot be. */
struct kft_why_task *kft_why_get_task(struct kft_why_facts *f, int32_t pid);
struct kft_why_cpu *kft_why_get_cpu(struct kft_why_facts *f, uint32_t cpu);

/* Puts what was read in order and mends what losses broke. -ENOMEM. */
int kft_why_facts_settle(struct kft_why_facts *f) __must_check;

#endif
