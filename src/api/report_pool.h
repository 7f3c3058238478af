/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_API_REPORT_POOL_H
#define KFT_API_REPORT_POOL_H

#include "decode/printfmt/print.h"
#include "output/report.h"

/* What makes lines of events: one for each thread. Zeroed is an empty one. */
struct kft_formatter {
	struct kft_printer *printer; /* owned */
	struct kft_report *report; /* owned */
};

/* how->info_ctx is set to the formatter's printer. -ENOMEM. */
int kft_formatter_init(struct kft_formatter *f, const struct kft_report_style *style,
		       const struct kft_report_opts *how) __must_check;
void kft_formatter_finish(struct kft_formatter *f);

/*
 * Lines of events made by several threads and written in the order in which the events
 * were added: the same bytes as one formatter makes. The one thread that owns the pool
 * adds events, makes lines too while the others are behind, and writes; the events are
 * copied by batches, so that streams go on meanwhile. Memory does not grow with the
 * number of events.
 */
struct kft_report_pool;

#define KFT_REPORT_THREADS_MAX 16

/* Takes lines in their order, on the thread of the owner. 0 or -errno, which ends all. */
typedef int kft_report_write_fn(void *arg, const char *text, size_t len);

/*
 * threads counts the caller's. `first` (borrowed) made the lines before and is where the
 * pool goes on. -ENOMEM, or what creating threads fails with.
 */
int kft_report_pool_create(const struct kft_report_style *style,
			   const struct kft_report_opts *how, unsigned int threads,
			   struct kft_formatter *first, kft_report_write_fn *write,
			   void *arg, struct kft_report_pool **ret) __must_check;
struct kft_report_pool *kft_report_pool_destroy(struct kft_report_pool *p);
KFT_DEFINE_CLEANUP(struct kft_report_pool *, kft_report_pool_destroy)

/* What is made of an event. */
enum kft_report_as {
	KFT_REPORT_SHOWN,
	KFT_REPORT_LOSS, /* not shown itself: only the loss before it */
	KFT_REPORT_LEAF, /* the entry of a call: one line with its exit */
};

/*
 * exit: NULL but for KFT_REPORT_LEAF. moment: what came before the event; always or never
 * NULL. Appends to sb.
 */
void kft_formatter_add(const struct kft_formatter *f, enum kft_report_as as,
		       const struct kft_event *ev, const struct kft_event *exit,
		       const struct kft_moment *moment, struct kft_strbuf *sb);

/* As kft_formatter_add(). The error of write, -ENOMEM. */
int kft_report_pool_add(struct kft_report_pool *p, enum kft_report_as as,
			const struct kft_event *ev, const struct kft_event *exit,
			const struct kft_moment *moment) __must_check;

/* Everything that was added is written. Errors as kft_report_pool_add(). */
int kft_report_pool_flush(struct kft_report_pool *p) __must_check;

#endif
