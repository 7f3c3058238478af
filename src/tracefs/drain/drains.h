/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_DRAINS_H
#define KFT_TRACEFS_DRAINS_H

#include <kft/plan.h>
#include <kft/session.h>

#include "base/macro.h"
#include "base/strbuf.h"
#include "model/sink.h"

/*
 * Moving pages from an instance's buffers to a sink: one thread for each CPU that the
 * kernel may ever have, so that one that is switched on meanwhile is drained too. A CPU
 * that is off keeps what it recorded, which is drained as if it were on.
 *
 * Pages go by splice(2) through a pipe and are not looked at. Only full ones are taken
 * while the kernel records; the last, partial one of each CPU comes with the end.
 */
struct kft_drains;
struct kft_ring_layout;

struct kft_drains_opts {
	int instance_fd; /* borrowed */
	struct kft_sink *sink; /* borrowed; begun before the start */
	size_t page_size; /* of a sub-buffer, in bytes */
	/*
	 * Of the pages, to count what was written and notice another reader; NULL: that
	 * is not noticed. Borrowed until the drains are open.
	 */
	const struct kft_ring_layout *layout;
	uint64_t buffer_bytes; /* of each CPU */
	bool overwrite; /* take nothing before the end */
	/* These are stopped together: their failed_fd tells failures of both. NULL: none. */
	const struct kft_drains *with;
	/*
	 * Functions are traced here, and in other_fd (borrowed; -1: nowhere else): not those
	 * that the threads call.
	 */
	bool untraced;
	int other_fd;
	/* The kernel records on after the end: the rest is what its buffers hold then. */
	bool once;
};

/*
 * Opens what is needed for every CPU of the instance, the sink's files included, but
 * starts nothing. -ENOENT when the instance has no CPU.
 */
int kft_drains_open(const struct kft_drains_opts *opts, struct kft_drains **ret,
		    struct kft_err *e) __must_check;

/* Starts the threads; the kernel need not record yet. */
int kft_drains_start(struct kft_drains *d, struct kft_err *e) __must_check;

/*
 * Readable once a thread could not go on: the sink failed, or the kernel. Recording was
 * switched off by then. Borrowed.
 */
int kft_drains_failed_fd(const struct kft_drains *d);

/*
 * The kernel records no more: takes what is left and waits for the threads to end. Gives
 * the first thing that went wrong in any of them. Call once.
 */
int kft_drains_finish(struct kft_drains *d, struct kft_err *e) __must_check;

/* Events, bytes and losses so far; callable at any time. */
void kft_drains_progress(const struct kft_drains *d, struct kft_progress *p);

/*
 * After the end: the last state of each CPU's counters goes into meta.stats, the ranges
 * that the sink was told of into meta.lost. buffer: static, the name of the buffer in the
 * trace if it is not the main one; ranges have no place for it and are left out then.
 */
int kft_drains_report(const struct kft_drains *d, const char *buffer,
		      struct kft_meta *meta) __must_check;

/* Threads that run are told to end and waited for. NULL is fine. Returns NULL. */
/*
 * The losses that are accounted for, one line for each CPU. Drains that go on with the same
 * buffers restore it between open and start: what is lost in between then has its place. A
 * text that is not understood is ignored.
 */
void kft_drains_save(const struct kft_drains *d, struct kft_strbuf *sb);
void kft_drains_restore(struct kft_drains *d, const char *text);

struct kft_drains *kft_drains_close(struct kft_drains *d);
KFT_DEFINE_CLEANUP(struct kft_drains *, kft_drains_close)

#endif
