/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/run_mark.h"
#include "model/trace.h"

/* The part that an event plays for a run. */
enum kft_cut_kind {
	KFT_CUT_ENTRY,
	KFT_CUT_EXIT,
	KFT_CUT_START, /* the start trigger's probe */
	KFT_CUT_STOP,
	KFT_CUT_PRINT,
	KFT_CUT_KINDS,
};

/* Fields of a kind; NULL where it has none of that name. */
struct kft_cut_fields {
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

struct kft_cut_reader {
	struct kft_trace *trace; /* borrowed */
	struct kft_cut_fields of[KFT_CUT_KINDS];
};

/* One event, as far as it matters. */
struct kft_cut_record {
	enum kft_cut_kind kind;
	const struct kft_event *ev; /* borrowed */
	uint64_t flags;
	uint64_t func;
	uint64_t depth;
	uint64_t overrun;
	uint64_t duration_ns;
	int64_t pid;
};

/* Texts that kft itself writes into the trace when a run is switched. */
enum kft_cut_mark_kind {
	KFT_CUT_MARK_NONE, /* another program's text */
	KFT_CUT_MARK_START,
	KFT_CUT_MARK_STOP,
	KFT_CUT_MARK_PAUSE,
	KFT_CUT_MARK_RESUME,
};

struct kft_cut_mark {
	enum kft_cut_mark_kind kind;
	enum kft_run_cause cause;
	uint64_t ns; /* when, which may be before the mark */
};

/* A probe on a function is at most so far behind its first byte (endbr, call of ftrace). */
#define KFT_CUT_PROBE_DISTANCE 32

static inline bool kft_cut_is_near(uint64_t func, uint64_t probe)
{
	return func <= probe ? probe - func < KFT_CUT_PROBE_DISTANCE
			     : func - probe < KFT_CUT_PROBE_DISTANCE;
}

/* probe_group: of the events of the run's triggers; NULL: they are records as any other. */
void kft_cut_reader_init(struct kft_cut_reader *events, struct kft_trace *t,
			 const char *probe_group);

/* False for an event of another kind. */
bool kft_cut_record_read(const struct kft_cut_reader *events, const struct kft_event *ev,
			 struct kft_cut_record *ret);

/* The time at which the call of an exit was entered. */
uint64_t kft_cut_record_entry_ns(const struct kft_cut_record *exit);

struct kft_cut_mark kft_cut_record_mark(const struct kft_cut_reader *events,
					const struct kft_cut_record *print);
