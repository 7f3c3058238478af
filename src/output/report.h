/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_REPORT_H
#define KFT_OUTPUT_REPORT_H

#include "base/strbuf.h"
#include "derive/moment.h"
#include "model/trace.h"

/*
 * Events as text, one after another, in one of several styles (docs/formats/report.md and
 * json.md). The task table of the trace is filled before.
 */
struct kft_report_opts {
	struct kft_trace *trace; /* borrowed */
	/* Appends what is said of the event behind its name, e.g. by its print format. */
	void (*info)(void *ctx, const struct kft_event *ev, const struct kft_class *c,
		     struct kft_strbuf *sb);
	/*
	 * The same for a function's entry and the exit that follows it at once, for
	 * kft_report_leaf().
	 */
	void (*leaf)(void *ctx, const struct kft_event *entry,
		     const struct kft_event *exit, struct kft_strbuf *sb);
	void *info_ctx; /* of both */
	/*
	 * Only these: fields of events, or the report's own: ts time wall cpu comm pid
	 * event system buffer info. "fields.x" is the event's own x, whatever else is called x.
	 * Borrowed; n_fields 0: everything.
	 */
	const char *const *fields;
	size_t n_fields;
	bool flags; /* the trace style: a column of what was on or off, as ftrace has it */
	bool diff; /* likewise: the time since the event that was shown before */
	bool wall; /* likewise: the time of day, which the trace knows, and not its clock's */
	uint64_t start; /* the plain style: where its times begin */
	bool tree; /* likewise: indented by what happens within what */
	bool colour; /* likewise */
};

#define KFT_REPORT_OWN	   "fields." /* before the name of an event's own field */
#define KFT_REPORT_NO_TIME UINT64_MAX

struct kft_report;
struct kft_report_style;

/* As ftrace and trace-cmd show a trace. */
extern const struct kft_report_style kft_report_trace;
/* One JSON object a line. */
extern const struct kft_report_style kft_report_json;
/* In words, as KPTrace did. */
extern const struct kft_report_style kft_report_plain;
/* The chosen fields, separated by tabs. */
extern const struct kft_report_style kft_report_fields;

/* Copies opts. -ENOMEM. */
int kft_report_create(const struct kft_report_style *style,
		      const struct kft_report_opts *opts,
		      struct kft_report **ret) __must_check;
struct kft_report *kft_report_destroy(struct kft_report *r);
KFT_DEFINE_CLEANUP(struct kft_report *, kft_report_destroy)

/* Whether name is one of the columns that every event has. */
bool kft_report_has_builtin(const char *name);

/*
 * The time of the event that was shown before the next one, by another report maybe;
 * KFT_REPORT_NO_TIME: none was.
 */
void kft_report_resume(struct kft_report *r, uint64_t before);
uint64_t kft_report_before(const struct kft_report *r);

/* Names of tasks in the trace's table have changed. */
void kft_report_forget_tasks(struct kft_report *r);

/* What came before the next event, for the plain style; borrowed. NULL: not known. */
void kft_report_moment(struct kft_report *r, const struct kft_moment *m);

void kft_report_begin(struct kft_report *r, struct kft_strbuf *sb);
/* Only where events are missing before ev; for one that is not shown itself. */
void kft_report_loss(struct kft_report *r, const struct kft_event *ev,
		     struct kft_strbuf *sb);
/* After the last event: what was lost behind it, by its CPU. */
void kft_report_end(struct kft_report *r, struct kft_strbuf *sb);
void kft_report_event(struct kft_report *r, const struct kft_event *ev,
		      struct kft_strbuf *sb);
/* Both events as one, in the trace style. */
void kft_report_leaf(struct kft_report *r, const struct kft_event *entry,
		     const struct kft_event *exit, struct kft_strbuf *sb);

#endif
