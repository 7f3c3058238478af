/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_TRIM_EVENT_H
#define KFT_SESSION_RUN_TRIM_EVENT_H

#include "session/run/record.h"
#include "model/trace.h"

/* What an event says of a run. */
enum kft_trim_kind {
	KFT_TRIM_ENTRY,
	KFT_TRIM_EXIT,
	KFT_TRIM_START, /* the start trigger's probe */
	KFT_TRIM_STOP,
	KFT_TRIM_PRINT,
	KFT_TRIM_KINDS,
};

/* Fields of a kind; NULL where it has none of that name. */
struct kft_trim_fields {
	const struct kft_class *class; /* NULL: the trace has no such events */
	const struct kft_field *flags;
	const struct kft_field *pid;
	const struct kft_field *func; /* of a probe: where it is */
	const struct kft_field *depth;
	const struct kft_field *calltime;
	const struct kft_field *rettime;
	const struct kft_field *overrun;
	const struct kft_field *text;
};

struct kft_trim_events {
	struct kft_trace *trace; /* borrowed */
	struct kft_trim_fields of[KFT_TRIM_KINDS];
};

/* One event, as far as it matters. */
struct kft_trim_event {
	enum kft_trim_kind kind;
	const struct kft_event *ev; /* borrowed */
	uint64_t flags;
	uint64_t func;
	uint64_t depth;
	uint64_t overrun;
	uint64_t duration_ns;
	int64_t pid;
};

/* What kft itself writes into the trace when a run is switched. */
enum kft_trim_mark_kind {
	KFT_TRIM_MARK_NONE, /* somebody's text */
	KFT_TRIM_MARK_START,
	KFT_TRIM_MARK_STOP,
	KFT_TRIM_MARK_PAUSE,
	KFT_TRIM_MARK_RESUME,
};

struct kft_trim_mark {
	enum kft_trim_mark_kind kind;
	enum kft_run_cause cause;
	uint64_t ns; /* when, which may be before the mark */
};

/* A probe on a function is at most so far behind its first byte (endbr, call of ftrace). */
#define KFT_TRIM_PROBE_DISTANCE 32

static inline bool kft_trim_is_near(uint64_t func, uint64_t probe)
{
	return func <= probe ? probe - func < KFT_TRIM_PROBE_DISTANCE
			     : func - probe < KFT_TRIM_PROBE_DISTANCE;
}

/* probe_group: of the events of the run's triggers; NULL: they are records as any other. */
void kft_trim_events_init(struct kft_trim_events *events, struct kft_trace *t,
			  const char *probe_group);

/* False for an event of another kind. */
bool kft_trim_event_read(const struct kft_trim_events *events, const struct kft_event *ev,
			 struct kft_trim_event *ret);

/* Of an exit: when its call was entered. */
uint64_t kft_trim_event_entry_ns(const struct kft_trim_event *exit);

struct kft_trim_mark kft_trim_event_mark(const struct kft_trim_events *events,
					 const struct kft_trim_event *print);

#endif
