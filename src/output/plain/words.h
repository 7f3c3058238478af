/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_PLAIN_WORDS_H
#define KFT_OUTPUT_PLAIN_WORDS_H

#include "derive/moment.h"
#include "output/report_impl.h"

struct kft_plain_signature;
struct kft_syscalls;

/* What the parts of the plain style share. Only they include this. */
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

/* An event that is being put into words, its fields read. Everything is borrowed. */
struct kft_plain_event {
	struct kft_report *report;
	const struct kft_report_class *rc;
	const struct kft_event *ev;
	const struct kft_field *const *fields; /* by number; NULL: it has none */
	uint64_t values[KFT_PLAIN_FIELDS]; /* of strings their lengths */
	const char *texts[KFT_PLAIN_FIELDS]; /* NULL: the trace has it as no string */
};

struct kft_plain_words {
	const char *system;
	const char *event; /* ends in "*": all that begin so */
	/* As of a struct kft_kind_event, but arrays are left to say(). */
	const char *fields[KFT_PLAIN_FIELDS];
	enum kft_plain_colour colour;
	/* False when it has no words for this event: nothing was appended. */
	bool (*say)(const struct kft_plain_event *e, struct kft_strbuf *sb);
};

/* Tables, each up to one without an event. */
extern const struct kft_plain_words kft_plain_interrupts[];
extern const struct kft_plain_words kft_plain_tasks[];
extern const struct kft_plain_words kft_plain_signals[];
extern const struct kft_plain_words kft_plain_devices[];
extern const struct kft_plain_words kft_plain_calls[];

/* The words of a class, made when its first event comes. */
struct kft_plain_class {
	const struct kft_plain_words *words; /* NULL: what the event itself says */
	const struct kft_field *fields[KFT_PLAIN_FIELDS];
};

/* What a report keeps for the style. */
struct kft_plain {
	const struct kft_syscalls *syscalls; /* NULL: not known */
	/* By number of the call, made when the first one comes. */
	const struct kft_plain_signature **signatures;
};

/* NULL: out of memory. */
struct kft_plain *kft_plain_create(struct kft_report *r);

/* How a system call is shown; NULL: its number is not known. */
const struct kft_plain_signature *kft_plain_signature(struct kft_report *r,
						      int64_t number);

/* Finds the words of a class; false when out of memory. */
bool kft_plain_meet(struct kft_report *r, struct kft_report_class *rc);

/* Puts an event into words; false when there are none: nothing was appended. */
bool kft_plain_say(struct kft_report *r, const struct kft_event *ev,
		   const struct kft_report_class *rc, struct kft_strbuf *sb);

/* "12 us", "800 ns", or the plain number of a clock that counts no time. */
void kft_plain_add_ns(const struct kft_plain_event *e, uint64_t ns,
		      struct kft_strbuf *sb);

/* What the event ends of that kind; NULL: nothing is known. */
static inline const struct kft_interval *
kft_plain_end(const struct kft_plain_event *e, const struct kft_interval_kind *kind)
{
	return kft_moment_end(e->report->moment, kind);
}

/* before, how long the interval took, after; nothing when there is none. */
void kft_plain_add_end(const struct kft_plain_event *e,
		       const struct kft_interval_kind *kind, const char *before,
		       const char *after, struct kft_strbuf *sb);

/* The function, or its address. */
void kft_plain_add_function(const struct kft_plain_event *e, uint64_t address,
			    struct kft_strbuf *sb);

/* "cat (1545)" of a field with the name, and the pid. */
void kft_plain_add_task(const struct kft_plain_event *e, unsigned int comm, int32_t pid,
			struct kft_strbuf *sb);

/* "SIGTERM" */
void kft_plain_add_signal(uint64_t number, struct kft_strbuf *sb);

/* "read", or "call 391" */
void kft_plain_add_call_name(const struct kft_plain_event *e, int64_t number,
			     struct kft_strbuf *sb);

static inline void kft_plain_add_text(const struct kft_plain_event *e, unsigned int i,
				      struct kft_strbuf *sb)
{
	if (e->texts[i])
		kft_strbuf_add_escaped(sb, e->texts[i], e->values[i]);
}

#endif
