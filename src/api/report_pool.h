/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/printfmt/print.h"
#include "output/report/report.h"

/* A maker of event lines; each thread has one. Zeroed: empty. */
struct kft_formatter {
	struct kft_printer *printer; /* owned */
	struct kft_report *report; /* owned */
};

/* Sets how->info_ctx to the formatter's printer. -ENOMEM. */
int kft_formatter_init(struct kft_formatter *f, const struct kft_report_style *style,
		       const struct kft_report_opts *how) __must_check;
void kft_formatter_finish(struct kft_formatter *f);

/*
 * Lines of events made by several threads and written in the order in which the events
 * were added: the same bytes as one formatter makes. The thread that owns the pool adds
 * events, makes lines as well while the others are behind, and writes; events are
 * copied in batches, so that streams can be read on meanwhile. Memory does not grow
 * with the number of events.
 */
struct kft_report_pool;

#define KFT_REPORT_THREADS_MAX 16

/*
 * Called with lines in their order, on the owner's thread. 0 or
 * -errno, which ends all work.
 */
typedef int kft_report_write_fn(void *arg, const char *text, size_t len);

/*
 * threads includes the caller's. `first` (borrowed) made the earlier lines, and its state
 * is the pool's initial state. -ENOMEM, or an error of creating threads.
 */
int kft_report_pool_create(const struct kft_report_style *style,
			   const struct kft_report_opts *how, unsigned int threads,
			   struct kft_formatter *first, kft_report_write_fn *write,
			   void *arg, struct kft_report_pool **ret) __must_check;
struct kft_report_pool *kft_report_pool_destroy(struct kft_report_pool *p);
KFT_DEFINE_CLEANUP(struct kft_report_pool *, kft_report_pool_destroy)

/* The output for an event. */
enum kft_report_as {
	KFT_REPORT_SHOWN,
	KFT_REPORT_LOSS, /* not the event, only the loss before it */
	KFT_REPORT_LEAF, /* entry of a call: one line together with its exit */
};

/*
 * Appends the lines of an event to sb. exit: NULL except for KFT_REPORT_LEAF. moment: the
 * context before the event; either always or never NULL.
 */
void kft_formatter_add(const struct kft_formatter *f, enum kft_report_as as,
		       const struct kft_event *ev, const struct kft_event *exit,
		       const struct kft_event_context *moment, struct kft_strbuf *sb);

/* Adds an event, see kft_formatter_add(). An error of write, or -ENOMEM. */
int kft_report_pool_add(struct kft_report_pool *p, enum kft_report_as as,
			const struct kft_event *ev, const struct kft_event *exit,
			const struct kft_event_context *moment) __must_check;

/* Writes all events that were added. Errors as in kft_report_pool_add(). */
int kft_report_pool_flush(struct kft_report_pool *p) __must_check;
