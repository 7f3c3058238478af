/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>
#include <kft/session.h>

#include "base/macro.h"
#include "base/strbuf.h"
#include "model/sink.h"
#include "tracefs/drain/opts.h"

/*
 * Drains an instance's buffers into a sink, with one thread for each possible CPU, so
 * that a CPU that comes online during the recording is drained as well. The buffer of an
 * offline CPU keeps its events and is drained like the others.
 *
 * Pages move by splice(2) through a pipe, unparsed. While the kernel records, only full
 * pages are drained; the last, partial page of each CPU follows at the end.
 */
struct kft_drains;

/*
 * Opens the files of every CPU of the instance, and those of the sink, but starts no
 * thread. -ENOENT when the instance has no CPU.
 */
int kft_drains_open(const struct kft_drains_opts *opts, struct kft_drains **ret,
		    struct kft_err *e) __must_check;

/* Starts the threads; the kernel need not record yet. */
int kft_drains_start(struct kft_drains *d, struct kft_err *e) __must_check;

/*
 * Becomes readable when a thread fails, because of the sink or of the kernel; recording
 * has been switched off by then. Borrowed.
 */
int kft_drains_failed_fd(const struct kft_drains *d);

/*
 * Drains the remaining pages and waits for the threads to end. Recording is off before
 * the call, unless `once` is set. Returns the first failure of any thread. Call once.
 */
int kft_drains_finish(struct kft_drains *d, struct kft_err *e) __must_check;

/* Events, bytes and losses so far; callable at any time. */
void kft_drains_progress(const struct kft_drains *d, struct kft_progress *p);

/*
 * After kft_drains_finish(): adds the last counters of each CPU to meta.stats, and the
 * ranges that the sink has received to meta.lost. buffer is static: the name of the
 * buffer in the trace, NULL for the main one. Ranges of other buffers are left out,
 * because a range does not name its buffer.
 */
int kft_drains_report(const struct kft_drains *d, const char *buffer,
		      struct kft_meta *meta) __must_check;

/*
 * Appends the losses accounted for so far, one line for each CPU. Later drains of the
 * same buffers restore the text between open and start, see kft_account_restore(). The
 * text is ignored from a malformed line on.
 */
void kft_drains_save(const struct kft_drains *d, struct kft_strbuf *sb);
int kft_drains_restore(struct kft_drains *d, const char *text) __must_check;

/* Ends the threads that still run and waits for them. NULL is fine. Returns NULL. */
struct kft_drains *kft_drains_close(struct kft_drains *d);
KFT_DEFINE_CLEANUP(struct kft_drains *, kft_drains_close)
