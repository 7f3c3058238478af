/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/event_context.h"
#include "output/report/report_impl.h"

struct kft_plain_signature;
struct kft_syscalls;

/* Shared by the files of the plain style. Only they include this. */
#define KFT_PLAIN_FIELDS 8

enum kft_plain_colour {
	KFT_PLAIN_NO_COLOUR,
	KFT_PLAIN_INTERRUPT,
	KFT_PLAIN_SOFTIRQ,
	KFT_PLAIN_TASK,
	KFT_PLAIN_CALL,
	KFT_PLAIN_MARK,
	KFT_PLAIN_BAD,
};

/* An event that is being described, with its fields. All pointers are borrowed. */
struct kft_plain_event {
	struct kft_report *report;
	const struct kft_report_class *rc;
	const struct kft_event *ev;
	const struct kft_field *const *fields; /* by number; NULL: missing */
	uint64_t values[KFT_PLAIN_FIELDS]; /* for strings their length */
	const char *texts[KFT_PLAIN_FIELDS]; /* NULL: the field is not a string */
};

struct kft_plain_words {
	const char *system;
	const char *event; /* a "*" at the end matches any suffix */
	/* Syntax as in struct kft_kind_event, but say() reads arrays itself. */
	const char *fields[KFT_PLAIN_FIELDS];
	enum kft_plain_colour colour;
	/*
	 * Appends the description; false, and nothing appended, for an event without one.
	 */
	bool (*say)(const struct kft_plain_event *e, struct kft_strbuf *sb);
};

/* Tables of wordings; the last entry of each has no event. */
extern const struct kft_plain_words kft_plain_interrupts[];
extern const struct kft_plain_words kft_plain_tasks[];
extern const struct kft_plain_words kft_plain_signals[];
extern const struct kft_plain_words kft_plain_devices[];
extern const struct kft_plain_words kft_plain_calls[];

/* The wording for a class, found at its first event. */
struct kft_plain_class {
	const struct kft_plain_words *words; /* NULL: the event's own text is shown */
	const struct kft_field *fields[KFT_PLAIN_FIELDS];
};

/* State of a report in the plain style. */
struct kft_plain {
	const struct kft_syscalls *syscalls; /* NULL: the machine is not known */
	/* Indexed by the number of the call; filled in on first use. */
	const struct kft_plain_signature **signatures;
};

/* NULL: memory ran out. */
struct kft_plain *kft_plain_create(struct kft_report *r);

/* The signature of a system call; NULL: its number is not known. */
const struct kft_plain_signature *kft_plain_signature(struct kft_report *r,
						      int64_t number);

/* Finds the wording for a class; false when memory runs out. */
bool kft_plain_meet(struct kft_report *r, struct kft_report_class *rc);

/* Appends the description of an event; false, and nothing appended, without one. */
bool kft_plain_say(struct kft_report *r, const struct kft_event *ev,
		   const struct kft_report_class *rc, struct kft_strbuf *sb);

/* Appends "12 us", "800 ns", or a plain number if the clock does not count time. */
void kft_plain_add_ns(const struct kft_plain_event *e, uint64_t ns,
		      struct kft_strbuf *sb);

/* The interval of this kind that the event ends; NULL: not known. */
static inline const struct kft_interval *
kft_plain_end(const struct kft_plain_event *e, const struct kft_interval_kind *kind)
{
	return kft_event_context_end(e->report->moment, kind);
}

/*
 * Appends before, the duration of the interval that ended, and after;
 * nothing without an interval.
 */
void kft_plain_add_end(const struct kft_plain_event *e,
		       const struct kft_interval_kind *kind, const char *before,
		       const char *after, struct kft_strbuf *sb);

/* Appends the name of the function at the address, or the address. */
void kft_plain_add_function(const struct kft_plain_event *e, uint64_t address,
			    struct kft_strbuf *sb);

/* Appends "cat (1545)", with the name from field comm. */
void kft_plain_add_task(const struct kft_plain_event *e, unsigned int comm, int32_t pid,
			struct kft_strbuf *sb);

/* Appends "SIGTERM". */
void kft_plain_add_signal(uint64_t number, struct kft_strbuf *sb);

/* Appends "read", or "call 391" for an unknown number. */
void kft_plain_add_call_name(const struct kft_plain_event *e, int64_t number,
			     struct kft_strbuf *sb);

static inline void kft_plain_add_text(const struct kft_plain_event *e, unsigned int i,
				      struct kft_strbuf *sb)
{
	if (e->texts[i])
		kft_strbuf_add_escaped(sb, e->texts[i], e->values[i]);
}
