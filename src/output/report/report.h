/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "derive/event_context.h"
#include "model/trace.h"

/*
 * Prints events as text, one after another, in one of several styles
 * (docs/formats/report.md and json.md). The trace's task table must be loaded before.
 */
struct kft_report_opts {
	struct kft_trace *trace; /* borrowed */
	/* Appends the text that follows the event's name, e.g. by its print format. */
	void (*info)(void *ctx, const struct kft_event *ev, const struct kft_class *c,
		     struct kft_strbuf *sb);
	/*
	 * Does the same for a function's entry and the exit right after it,
	 * for kft_report_leaf().
	 */
	void (*leaf)(void *ctx, const struct kft_event *entry,
		     const struct kft_event *exit, struct kft_strbuf *sb);
	void *info_ctx; /* for both */
	/*
	 * Fields to print: of events, or the report's own: ts time wall cpu comm pid
	 * event system buffer info. "fields.x" is always the event's own x.
	 * Borrowed; n_fields 0: all.
	 */
	const char *const *fields;
	size_t n_fields;
	/* trace style: a column of flags like ftrace's (interrupts off etc.) */
	bool flags;
	bool diff; /* trace style: the time since the previous event */
	bool wall; /* trace style: the time of day instead of the clock's */
	uint64_t start; /* plain style: origin of times */
	bool tree; /* plain style: indent by nesting */
	bool colour; /* plain style: colours */
};

#define KFT_REPORT_OWN	   "fields." /* prefix of an event's own field */
#define KFT_REPORT_NO_TIME UINT64_MAX

struct kft_report;
struct kft_report_style;

/* The format of ftrace and trace-cmd. */
extern const struct kft_report_style kft_report_trace;
/* One JSON object per line. */
extern const struct kft_report_style kft_report_json;
/* In words, in the style of KPTrace. */
extern const struct kft_report_style kft_report_plain;
/* The chosen fields, separated by tabs. */
extern const struct kft_report_style kft_report_fields;

/* Creates a report; copies opts. -ENOMEM. */
int kft_report_create(const struct kft_report_style *style,
		      const struct kft_report_opts *opts,
		      struct kft_report **ret) __must_check;
struct kft_report *kft_report_destroy(struct kft_report *r);
KFT_DEFINE_CLEANUP(struct kft_report *, kft_report_destroy)

/* Whether name is one of the report's own fields, which every event has. */
bool kft_report_has_builtin(const char *name);

/*
 * Sets and gets the time of the event shown last, perhaps by another report;
 * KFT_REPORT_NO_TIME: none.
 */
void kft_report_resume(struct kft_report *r, uint64_t before);
uint64_t kft_report_before(const struct kft_report *r);

/* Call this when the names of tasks in the trace's table change. */
void kft_report_forget_tasks(struct kft_report *r);

/* Sets the context of the next event, for the plain style; borrowed. NULL: not known. */
void kft_report_moment(struct kft_report *r, const struct kft_event_context *m);

void kft_report_begin(struct kft_report *r, struct kft_strbuf *sb);
/* Prints only the loss before ev, for an event that is not shown itself. */
void kft_report_loss(struct kft_report *r, const struct kft_event *ev,
		     struct kft_strbuf *sb);
/* Call this after the last event: prints the losses after the last event of each CPU. */
void kft_report_end(struct kft_report *r, struct kft_strbuf *sb);
void kft_report_event(struct kft_report *r, const struct kft_event *ev,
		      struct kft_strbuf *sb);
/* Prints both events as one, in the trace style. */
void kft_report_leaf(struct kft_report *r, const struct kft_event *entry,
		     const struct kft_event *exit, struct kft_strbuf *sb);
