/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "export/export.h"

/* Shared by the export formats. Only they include this. */

#define KFT_EXPORT_BLOCK ((size_t)256 * 1024)

/* Writes the contents of x->sb: 0 or -errno with x->e set. */
int kft_export_flush(struct kft_export *x) __must_check;

/* Writes when a block is full; cheap otherwise. */
static inline int kft_export_drain(struct kft_export *x)
{
	return likely(x->sb.len < KFT_EXPORT_BLOCK) ? 0 : kft_export_flush(x);
}

/* Calls event() for each selected event, in the order of time. */
typedef int kft_export_event_fn(void *arg, const struct kft_event *ev);
int kft_export_each(struct kft_export *x, kft_export_event_fn *event,
		    void *arg) __must_check;

/* Calls take() for the intervals of x->kinds, in the order of their ends. */
int kft_export_intervals(struct kft_export *x, kft_interval_fn *take,
			 void *arg) __must_check;

/*
 * Does the same as kft_engine_create(), with names of functions, for formats that have
 * events and intervals. Call it before kft_export_each(), which feeds it.
 */
int kft_export_engine(struct kft_export *x, const struct kft_interval_kind *const *kinds,
		      size_t n, const struct kft_interval_sink *sink,
		      struct kft_engine **ret) __must_check;

/* Replaces the text of sb by the name of an interval's key; "?" when it is not known. */
void kft_export_interval_name(const struct kft_export *x, const struct kft_interval *i,
			      struct kft_strbuf *sb);

/* Returns -errno with the reason in x->e, unless that is already set. */
int kft_export_failed(struct kft_export *x, int code);

/* The traced kernel's uname; borrowed from the trace, empty if not known. */
struct kft_export_uname {
	struct kft_blob sysname;
	struct kft_blob host;
	struct kft_blob release;
	struct kft_blob version;
	struct kft_blob machine;
};
struct kft_export_uname kft_export_uname(const struct kft_export *x);

/*
 * Collects stacks: of calls, weighted by time; in a trace without calls the recorded
 * stacks, by number; else those of waiting tasks, by time. -errno with x->e set.
 */
struct kft_stacks;
int kft_export_stacks(struct kft_export *x, struct kft_stacks *stacks,
		      bool *ret_is_time) __must_check;

/* The formats, each in its own file. */
extern const struct kft_export_format kft_export_chrome;
extern const struct kft_export_format kft_export_csv;
extern const struct kft_export_format kft_export_ctf;
extern const struct kft_export_format kft_export_firefox;
extern const struct kft_export_format kft_export_folded;
extern const struct kft_export_format kft_export_framesoc;
extern const struct kft_export_format kft_export_json;
extern const struct kft_export_format kft_export_kpt;
extern const struct kft_export_format kft_export_perfetto;
extern const struct kft_export_format kft_export_pprof;
extern const struct kft_export_format kft_export_sqlite;
extern const struct kft_export_format kft_export_tracedat;
