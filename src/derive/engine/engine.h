/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/interval.h"
#include "model/scope.h"
#include "model/coverage.h"
#include "model/trace.h"

/*
 * The engine derives intervals from events: one pass over the events feeds all requested
 * interval types ("kinds"). A kind is a file with one struct kft_interval_kind, and a
 * line in the table of kinds.c.
 */
#define KFT_KIND_FIELDS 7
#define KFT_KIND_EVENTS 64

/* The effect of an event in a kind that pairs events (derive/engine/nested_pairs.h, derive/engine/async.h). */
enum kft_kind_role {
	KFT_KIND_BEGINS,
	KFT_KIND_ENDS,
	KFT_KIND_CANCELS, /* drops the interval that was begun */
	KFT_KIND_PREPARES, /* has facts about an interval that begins later */
};

/*
 * An event type that a kind needs, with its fields. A class that lacks a required field
 * is not used.
 */
struct kft_kind_event {
	const char *system; /* NULL: any system */
	const char *name; /* "sys_enter_*": all classes with this prefix */
	/*
	 * Names of integers, of elements of integer arrays ("args[1]") and of strings, up
	 * to the first NULL. A name with a leading ? is optional: a missing field has the
	 * value 0.
	 */
	const char *fields[KFT_KIND_FIELDS];
	enum kft_kind_role role;
	bool is_hint; /* adds details to intervals that other events begin and end */
	/*
	 * Another event of the kind has the same information: this one is read if a trace
	 * has it, but a recording for the kind does not need it.
	 */
	bool is_other_form;
	uint64_t key; /* the key, if no field contains it */
	/* Computes the class_key of struct kft_kind_input; NULL: it is 0. */
	uint64_t (*class_key)(struct kft_trace *t, const struct kft_class *cls);
	/* only matching events are used (model/event_filter.h); NULL: all */
	const char *filter;
};

/* common_flags of include/linux/trace_events.h */
enum {
	KFT_FLAG_IRQS_OFF = 0x01,
	KFT_FLAG_NEED_RESCHED = 0x04,
	KFT_FLAG_HARDIRQ = 0x08,
	KFT_FLAG_SOFTIRQ = 0x10,
	KFT_FLAG_NMI = 0x40,
};

/* One event as a kind sees it. */
struct kft_kind_input {
	unsigned int event; /* index into the kind's events */
	uint32_t cpu;
	uint64_t ts;
	int32_t pid; /* common_pid */
	uint8_t flags; /* common_flags: KFT_FLAG_* */
	unsigned int n_fields; /* number of fields that the kind's event names */
	/* Integers, sign-extended if signed; for a string its length. Borrowed. */
	const uint64_t *fields;
	const char *texts[KFT_KIND_FIELDS]; /* strings, not NUL-terminated; borrowed */
	const bool *is_text; /* per field: it is a string */
	const bool *has; /* per field: the event has it */
	uint64_t class_key; /* result of class_key() for the event's class */
	uint64_t first_ts; /* start of the trace */
	/*
	 * Number of losses (places where events are missing) so far: on this CPU for
	 * kinds that are per CPU, otherwise on all CPUs.
	 */
	uint64_t losses;
	struct kft_names *names; /* the trace's names; borrowed */
	/* The CPUs that are read; borrowed; NULL: all. */
	const struct kft_coverage *coverage;
};

/*
 * Receives an interval, which is borrowed for the call. Returns 0, or -errno to stop the
 * engine.
 */
typedef int kft_interval_fn(void *arg, const struct kft_interval *i);

struct kft_interval_sink {
	/*
	 * Receives intervals in the order of their ends, except calls without a recorded
	 * return (kinds/syscall.c).
	 */
	kft_interval_fn *take;
	void *arg;
	/*
	 * Receives each change of the number of runnable tasks that wait for a CPU, when it
	 * happens (kinds/task.c). by is 1 or -1. 0, or -errno to stop. NULL: not needed.
	 */
	int (*queue)(void *arg, uint64_t ts, uint32_t cpu, int by);
};

/*
 * The rule by which the events of a kind belong together if two of them make an interval. The
 * kernel can count such intervals by it (src/live).
 */
struct kft_kind_pairs {
	uint8_t n_ids; /* fields that identify an interval, the first ones of each event */
	uint8_t key; /* index of the field with the key, of events that begin intervals */
	bool has_constant_id; /* its events have no fields: their key identifies it */
	bool by_cpu; /* an interval begins and ends on one CPU */
	bool by_task; /* and in one task */
	bool is_of_user; /* its events may be any, also probes */
};

struct kft_interval_kind {
	const char *name;
	const char *group; /* a name that several kinds share; NULL: none */
	const char *about; /* short description for users */
	const char *key; /* meaning of the keys: "irq", "vector" */
	const char *value; /* meaning of the values; NULL: the kind has no values */
	/* Each interval begins and ends on one CPU, so CPUs can be processed separately. */
	bool per_cpu;
	/* Its intervals describe CPUs: statistics never combine those of different CPUs. */
	bool is_of_cpu;
	/* Its intervals are instants: end_ns equals begin_ns. */
	bool is_instant;
	const struct kft_kind_event *events; /* the last one has no name */
	struct kft_kind_pairs pairs; /* zero: intervals are more than pairs of events */
	/*
	 * Appends the readable form of a key. NULL, or nothing appended: the key is shown
	 * as a number.
	 */
	void (*key_name)(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb);

	const void *arg; /* for the maker of the kind */

	/* Returns 0 or -ENOMEM. */
	int (*create)(struct kft_trace *t, void **ret_state);
	int (*feed)(const struct kft_interval_kind *kind, void *state,
		    const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink);
	/* Emits the open intervals; in->ts is the end of the trace. */
	int (*flush)(void *state, const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink);
	void (*destroy)(void *state);
};

/*
 * Appends the readable form of a key: the kind's name for it, or the number. Functions
 * have names only if the caller has loaded the trace's symbols.
 */
void kft_interval_key_text(struct kft_trace *t, const struct kft_interval_kind *kind,
			   uint64_t key, struct kft_strbuf *sb);

/*
 * Whether the trace has the number that is the key. The key of a system call whose number is unknown
 * only identifies its name within this run of kft, so exports leave it out.
 */
bool kft_interval_key_is_number(const struct kft_interval_kind *kind, uint64_t key);

/*
 * Whether keys can be functions: a caller that shows them loads the trace's symbols
 * first.
 */
bool kft_interval_kind_has_functions(const struct kft_interval_kind *kind);

/* An address farther from the symbol below it is not part of that function. */
#define KFT_FUNCTION_BYTES_MAX (1 << 20)

/*
 * For key_name: the function at an address (or "0x..."), and the trace's name with a
 * number.
 */
void kft_key_function(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb);
void kft_key_text(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb);

struct kft_engine;

/*
 * Creates an engine that feeds the kinds (borrowed array of n) with events of t; the sink
 * is copied. A kind gets no events if the trace does not describe them. -ENOMEM; -EINVAL
 * for an invalid filter of an event.
 */
int kft_engine_create(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		      size_t n, const struct kft_interval_sink *sink,
		      struct kft_engine **ret) __must_check;
struct kft_engine *kft_engine_destroy(struct kft_engine *e);
KFT_DEFINE_CLEANUP(struct kft_engine *, kft_engine_destroy)

/* Marks the ids of the events that the kinds need in wanted (65536 bits). */
void kft_engine_needs(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		      size_t n, uint64_t *wanted);

/* Like kft_engine_needs() without hints: marks the events that the intervals show. */
void kft_engine_tells(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		      size_t n, uint64_t *told);

/*
 * Sets the start and end of the trace, in ns. Intervals without a beginning or an end are
 * cut there. Without this call, start and end are the first and last event that is fed.
 */
void kft_engine_span(struct kft_engine *e, uint64_t first_ns, uint64_t last_ns);

/*
 * Sets the CPUs that are read (borrowed), if they may not be all CPUs of the machine.
 * NULL: all are read.
 */
void kft_engine_cover(struct kft_engine *e, const struct kft_coverage *coverage);

/*
 * Calls kft_engine_span() and kft_engine_cover() for the part of the trace in scope
 * (NULL: all); see model/span.h and model/coverage.h.
 */
void kft_engine_span_of(struct kft_engine *e, struct kft_trace *t,
			const struct kft_scope *scope);

/* Feeds an event; events come in the order of time. -ENOMEM, or the result of the sink. */
int kft_engine_feed(struct kft_engine *e, const struct kft_event *ev) __must_check;
/* Feeds n events of one stream, at least one, likewise. */
int kft_engine_feed_all(struct kft_engine *e, const struct kft_event *evs,
			size_t n) __must_check;

/*
 * The data that kinds need from events of one stream: a row for each kind that uses an
 * event. The first word of a row is its time.
 */
struct kft_rows {
	uint32_t cpu;
	uint16_t buffer;
	struct kft_u64_vec words;
	size_t at; /* index of the next row to feed */
};

/*
 * Feeding in two steps, for several threads: any thread may read events, which are not
 * needed afterwards. One thread feeds the rows of all streams, each time those up to some
 * time. The first event in empty rows has a row even if no kind uses it. -ENOMEM, or the
 * result of the sink.
 */
int kft_engine_read(const struct kft_engine *e, const struct kft_event *evs, size_t n,
		    struct kft_rows *to) __must_check;
int kft_engine_feed_rows(struct kft_engine *e, struct kft_rows *rows,
			 uint64_t until) __must_check;
/*
 * Feeds rows of two streams until one has no more; at equal times the rows of a come
 * first.
 */
int kft_engine_feed_both(struct kft_engine *e, struct kft_rows *a,
			 struct kft_rows *b) __must_check;

/* Emits all open intervals, at the end of the trace; a second call does nothing. */
int kft_engine_flush(struct kft_engine *e) __must_check;
