/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_EXPORT_WRITER_H
#define KFT_EXPORT_WRITER_H

#include "export/export.h"

/* What formats share. Only they include this. */

#define KFT_EXPORT_BLOCK ((size_t)256 * 1024)

/* Writes what x->sb holds: 0 or -errno with x->e set. */
int kft_export_flush(struct kft_export *x) __must_check;

/* Writes when a block is full; cheap otherwise. */
static inline int kft_export_drain(struct kft_export *x)
{
	return likely(x->sb.len < KFT_EXPORT_BLOCK) ? 0 : kft_export_flush(x);
}

/* Calls event() with every event that is wanted, in the order of time. */
typedef int kft_export_event_fn(void *arg, const struct kft_event *ev);
int kft_export_each(struct kft_export *x, kft_export_event_fn *event,
		    void *arg) __must_check;

/* The intervals of x->kinds, in the order of their ends. */
int kft_export_intervals(struct kft_export *x, kft_interval_fn *take,
			 void *arg) __must_check;

/*
 * As kft_engine_create(), for formats that have events and intervals, with names of functions:
 * to be called before kft_export_each(), which feeds it.
 */
int kft_export_engine(struct kft_export *x, const struct kft_interval_kind *const *kinds,
		      size_t n, const struct kft_interval_sink *sink,
		      struct kft_engine **ret) __must_check;

/* What an interval's key is called, instead of what sb holds; "?" when that is not known. */
void kft_export_interval_name(const struct kft_export *x, const struct kft_interval *i,
			      struct kft_strbuf *sb);

/* -errno with the reason in x->e, unless there is one already. */
int kft_export_failed(struct kft_export *x, int code);

/* What the trace says of the kernel; borrowed from it, empty where it does not say. */
struct kft_export_uname {
	struct kft_blob sysname;
	struct kft_blob host;
	struct kft_blob release;
	struct kft_blob version;
	struct kft_blob machine;
};
struct kft_export_uname kft_export_uname(const struct kft_export *x);

/*
 * Stacks of calls by time; of a trace without calls its recorded stacks, by number; else those
 * of waiting tasks, by time. -errno with x->e set.
 */
struct kft_stacks;
int kft_export_stacks(struct kft_export *x, struct kft_stacks *stacks,
		      bool *ret_is_time) __must_check;

/* The formats, in files of their own. */
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

#endif
