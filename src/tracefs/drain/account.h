/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_ACCOUNT_H
#define KFT_TRACEFS_ACCOUNT_H

#include <kft/error.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "tracefs/control/cpu_counts.h"
#include "tracefs/control/written.h"
#include "model/sink.h"

/*
 * What one CPU recorded and lost, followed while it records. One thread uses it; only
 * events and lost may be looked at by others meanwhile.
 */
struct kft_account {
	uint32_t cpu;
	int stats_fd; /* owned */
	struct kft_loss_watch watch;
	struct kft_cpu_counts last; /* at the last sample */
	struct kft_written written; /* what is compared with the events that were read */
	uint64_t read_elsewhere; /* of the kernel's count of read events, not written */
	bool is_settled; /* instead, all that the sink has read is known: */
	uint64_t settled_events;
	struct kft_strbuf text; /* the kernel's own words for it */
	uint64_t sampled_ns; /* when that was, on CLOCK_MONOTONIC; 0: never */
	KFT_VEC(struct kft_lost_range) ranges;
	_Atomic uint64_t events; /* recorded, whether read already or not */
	_Atomic uint64_t lost;
	/* Taken from the buffer by somebody else; KFT_LOST_UNKNOWN when not counted. */
	_Atomic uint64_t taken;
};

/* What happened before is not counted. The account is to be finished in any case. */
int kft_account_open(struct kft_account *a, int instance_fd, uint32_t cpu,
		     struct kft_err *e) __must_check;
void kft_account_finish(struct kft_account *a);

/*
 * From now on the events in the pages that are written to fd are compared with those that
 * the kernel says were read. Only for who writes all that it reads there. -ENOMEM.
 */
int kft_account_compare(struct kft_account *a, int fd,
			const struct kft_ring_layout *layout,
			size_t page_size) __must_check;

/*
 * Losses that are accounted for, as a line of text, for an account that goes on with the
 * same buffer: restored before its first sample, it places what was lost since. An empty text says that nothing
 * was read from the buffer before.
 */
void kft_account_save(const struct kft_account *a, struct kft_strbuf *sb);
void kft_account_restore(struct kft_account *a, const char *text);

/* The sink has read so many events, and will read no more: the next sample compares. */
void kft_account_settle(struct kft_account *a, uint64_t events);

/* Reads the kernel's counters; a loss since the last time becomes a range. */
int kft_account_sample(struct kft_account *a, struct kft_sink *sink) __must_check;

/* As kft_account_sample() when the last one is some time ago, else nothing. */
int kft_account_follow(struct kft_account *a, struct kft_sink *sink) __must_check;

/*
 * Adds the totals and ranges to meta; bytes is what was drained. -ENOMEM. buffer: as
 * kft_drains_report() says.
 */
int kft_account_report(const struct kft_account *a, const char *buffer, uint64_t bytes,
		       struct kft_meta *meta) __must_check;

#endif
