/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_REPORT_POOL_H
#define KFT_CLI_REPORT_POOL_H

#include "cli/out.h"
#include "decode/print.h"
#include "output/report.h"

/* Who makes lines of events: one for each thread. Zeroed is an empty one. */
struct cli_formatter {
	struct kft_printer *printer; /* owned */
	struct kft_report *report; /* owned */
};

/* how->info_ctx is set to the formatter's printer. -ENOMEM. */
int cli_formatter_init(struct cli_formatter *f, const struct kft_report_style *style,
		       const struct kft_report_opts *how) __must_check;
void cli_formatter_finish(struct cli_formatter *f);

/*
 * Lines of events made by several threads and written in the order in which the events
 * were added: the same bytes as one formatter makes. The one thread that owns the pool
 * adds events, makes lines too while the others are behind, and writes; the events are
 * copied by batches, so that streams go on meanwhile. Memory does not grow with the
 * number of events.
 */
struct cli_report_pool;

#define CLI_REPORT_THREADS_MAX 16

/*
 * threads counts the caller's. `first` (borrowed) made the lines before and is where the
 * pool goes on; out is drained before. -ENOMEM, or what creating threads fails with.
 */
int cli_report_pool_create(const struct kft_report_style *style,
			   const struct kft_report_opts *how, unsigned int threads,
			   struct cli_formatter *first, struct cli_out *out,
			   struct cli_report_pool **ret) __must_check;
struct cli_report_pool *cli_report_pool_destroy(struct cli_report_pool *p);
KFT_DEFINE_CLEANUP(struct cli_report_pool *, cli_report_pool_destroy)

/* What is made of an event. */
enum cli_report_as {
	CLI_REPORT_SHOWN,
	CLI_REPORT_LOSS, /* not shown itself: only the loss before it */
	CLI_REPORT_LEAF, /* the entry of a call: one line with its exit */
};

/* exit: NULL but for CLI_REPORT_LEAF. Appends to sb. */
void cli_formatter_add(const struct cli_formatter *f, enum cli_report_as as,
		       const struct kft_event *ev, const struct kft_event *exit,
		       struct kft_strbuf *sb);

/* As cli_formatter_add(). The error of out, -ENOMEM. */
int cli_report_pool_add(struct cli_report_pool *p, enum cli_report_as as,
			const struct kft_event *ev,
			const struct kft_event *exit) __must_check;

/* Everything that was added is written. Errors as cli_report_pool_add(). */
int cli_report_pool_flush(struct cli_report_pool *p) __must_check;

#endif
