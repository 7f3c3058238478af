/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_ENGINE_H
#define KFT_DERIVE_ENGINE_H

#include "base/strbuf.h"
#include "model/interval.h"
#include "model/scope.h"
#include "model/coverage.h"
#include "model/trace.h"

/*
 * Intervals from events: one pass feeds every kind that is asked for. A kind is a file with
 * one struct kft_interval_kind, and a line in the table of kinds.c.
 */
#define KFT_KIND_FIELDS 7
#define KFT_KIND_EVENTS 64

/* What an event is to a kind that pairs events (derive/pairs.h, derive/flights.h). */
enum kft_kind_role {
	KFT_KIND_BEGINS,
	KFT_KIND_ENDS,
	KFT_KIND_CANCELS, /* what was begun does not count */
	KFT_KIND_PREPARES, /* says something about an interval before it begins */
};

/* An event that a kind needs, and its fields. A class without one of them is none. */
struct kft_kind_event {
	const char *system; /* NULL: of any */
	const char *name; /* "sys_enter_*": all classes that begin so */
	/*
	 * Integers, elements of arrays of integers ("args[1]") and strings, up to the first
	 * NULL. One with a ? before its name need not be there; its value is 0 then.
	 */
	const char *fields[KFT_KIND_FIELDS];
	enum kft_kind_role role;
	bool is_hint; /* tells more of what others begin and end */
	/*
	 * Another event says the same: this one is read where a trace has it, but a
	 * recording for the kind does not need it.
	 */
	bool is_other_form;
	uint64_t key; /* the key, where no field has it */
	/* Finds the class_key of struct kft_kind_input; NULL: it is 0. */
	uint64_t (*class_key)(struct kft_trace *t, const struct kft_class *cls);
	const char *filter; /* only events that pass (model/event_filter.h); NULL: all */
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
	unsigned int n_fields; /* that the kind's event names */
	const uint64_t *fields; /* sign extended; of a string its length; borrowed */
	const char *texts[KFT_KIND_FIELDS]; /* of strings; not NUL terminated, borrowed */
	const bool *is_text; /* of each field: it is a string */
	const bool *has; /* of each field: the event has it */
	uint64_t class_key; /* what the event's class stands for */
	uint64_t first_ts; /* where the trace begins */
	/* Places so far where events are missing: on this CPU for kinds that are per CPU. */
	uint64_t losses;
	struct kft_names *names; /* of the trace */
	const struct kft_coverage
		*coverage; /* the CPUs that are read; borrowed; NULL: all */
};

/* 0 or -errno, which ends all. The interval is borrowed for the call. */
typedef int kft_interval_fn(void *arg, const struct kft_interval *i);

struct kft_interval_sink {
	/* In the order of their ends, but calls that return unseen (kind_syscall.c). */
	kft_interval_fn *take;
	void *arg;
};

struct kft_interval_kind {
	const char *name;
	const char *group; /* another name, which several kinds have; NULL: none */
	const char *about; /* a few words for people */
	const char *key; /* what a key is: "irq", "vector" */
	const char *value; /* what a value is; NULL: there is none */
	/* Intervals begin and end on one CPU, so that CPUs can be looked at on their own. */
	bool per_cpu;
	/* It is about CPUs: those of different ones are never taken together. */
	bool is_of_cpu;
	/* Something that happens and takes no time: the beginning is the end. */
	bool is_instant;
	const struct kft_kind_event *events; /* up to the first without a name */
	/* Appends a key as people know it. NULL, or nothing appended: the number. */
	void (*key_name)(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb);

	const void *arg; /* of whoever made the kind */

	/* -ENOMEM. */
	int (*create)(struct kft_trace *t, void **ret_state);
	int (*feed)(const struct kft_interval_kind *kind, void *state,
		    const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink);
	/* What has not ended; in->ts is where the trace ends. */
	int (*flush)(void *state, const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink);
	void (*destroy)(void *state);
};

/* All kinds, up to NULL. */
extern const struct kft_interval_kind *const kft_interval_kinds[];

const struct kft_interval_kind *kft_interval_kind_find(const char *name);

/*
 * Appends what a key is called: the kind's name for it, or the number. Names of functions are
 * there if somebody asked for the trace's symbols before.
 */
void kft_interval_key_text(struct kft_trace *t, const struct kft_interval_kind *kind,
			   uint64_t key, struct kft_strbuf *sb);

/* Whether keys can be functions: whoever shows them loads the trace's symbols first. */
bool kft_interval_kind_has_functions(const struct kft_interval_kind *kind);

/* For key_name: of an address the function (or "0x..."), of a number the trace's name. */
void kft_key_function(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb);
void kft_key_text(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb);

struct kft_engine;

/*
 * The kinds (borrowed array of n) are fed from events of t; the sink is copied. A kind whose
 * events the trace does not describe stays silent. -ENOMEM; -EINVAL for a filter of an
 * event that is none.
 */
int kft_engine_create(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		      size_t n, const struct kft_interval_sink *sink,
		      struct kft_engine **ret) __must_check;
struct kft_engine *kft_engine_destroy(struct kft_engine *e);
KFT_DEFINE_CLEANUP(struct kft_engine *, kft_engine_destroy)

/* Marks the ids of what the kinds need (65536 bits). */
void kft_engine_needs(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		      size_t n, uint64_t *wanted);

/* The same without those that are hints only: what is told when the intervals are. */
void kft_engine_tells(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		      size_t n, uint64_t *told);

/*
 * Where the trace begins and ends, which intervals are cut to that have no beginning or no
 * end. Without, these are the first and last event that the engine is fed.
 */
void kft_engine_span(struct kft_engine *e, uint64_t first_ns, uint64_t last_ns);

/*
 * The CPUs that are read (borrowed), where these may not be all of the machine's. NULL: all
 * are.
 */
void kft_engine_cover(struct kft_engine *e, const struct kft_coverage *coverage);

/*
 * kft_engine_span() and kft_engine_cover() of the part of the trace that a scope (NULL: all)
 * leaves; see model/span.h and model/coverage.h.
 */
void kft_engine_span_of(struct kft_engine *e, struct kft_trace *t,
			const struct kft_scope *scope);

/* An event, in the order of time. -ENOMEM, or what the sink returns. */
int kft_engine_feed(struct kft_engine *e, const struct kft_event *ev) __must_check;
/* Those of one stream. */
int kft_engine_feed_all(struct kft_engine *e, const struct kft_event *evs,
			size_t n) __must_check;

/*
 * What kinds need of events of one stream: a row for each kind that hears an event. The first
 * word of a row is its time.
 */
struct kft_rows {
	uint32_t cpu;
	uint16_t buffer;
	struct kft_u64_vec words;
	size_t at; /* where the next row to be fed is */
};

/*
 * The same in two steps, for several threads: any may read events, which are not needed any
 * more then; one feeds what was read of all streams, each time the rows up to some time. A
 * stream's first event here has a row even if nobody hears it.
 */
int kft_engine_read(const struct kft_engine *e, const struct kft_event *evs, size_t n,
		    struct kft_rows *to) __must_check;
int kft_engine_feed_rows(struct kft_engine *e, struct kft_rows *rows,
			 uint64_t until) __must_check;
/* Those of two streams until one has no more; at equal times a's come first. */
int kft_engine_feed_both(struct kft_engine *e, struct kft_rows *a,
			 struct kft_rows *b) __must_check;

/* The end: again does nothing. */
int kft_engine_flush(struct kft_engine *e) __must_check;

/* All of the above for a part of a trace (NULL: all of it), in the order of time. */
int kft_engine_run(struct kft_trace *t, const struct kft_scope *scope,
		   const struct kft_interval_kind *const *kinds, size_t n,
		   const struct kft_interval_sink *sink) __must_check;

#endif
