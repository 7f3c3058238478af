/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "tracefs/control/cpu_counts.h"
#include "tracefs/control/written.h"
#include "model/sink.h"

/*
 * Counts the events that one CPU recorded and lost, while it records. One thread uses it;
 * other threads may read the atomic members.
 */
struct kft_account {
	uint32_t cpu;
	int stats_fd; /* owned */
	struct kft_loss_watch watch;
	struct kft_cpu_counts last; /* at the last sample */
	/* events in the file, compared with the kernel's count of read events */
	struct kft_written written;
	/* read events, by the kernel's count, that were not written */
	uint64_t read_elsewhere;
	bool is_settled; /* settled_events is used instead of `written` */
	uint64_t settled_events;
	struct kft_strbuf text; /* the stats file at the last reading */
	uint64_t sampled_ns; /* time of the last sample on CLOCK_MONOTONIC; 0: none yet */
	KFT_VEC(struct kft_lost_range) ranges;
	_Atomic uint64_t events; /* recorded, whether read already or not */
	_Atomic uint64_t lost;
	/* Events that another reader took; KFT_LOST_UNKNOWN when they cannot be counted. */
	_Atomic uint64_t taken;
};

/*
 * Losses and foreign reads from before the call get no range. kft_account_finish() is
 * needed even after a failure.
 */
int kft_account_open(struct kft_account *a, int instance_fd, uint32_t cpu,
		     struct kft_err *e) __must_check;
void kft_account_finish(struct kft_account *a);

/*
 * Makes each later sample compare the events in the pages that were written to fd with
 * the kernel's count of read events. Requires that all pages that are read are written to
 * fd. -ENOMEM.
 */
int kft_account_compare(struct kft_account *a, int fd,
			const struct kft_ring_layout *layout,
			size_t page_size) __must_check;

/*
 * Appends the losses accounted for so far as a line of text. A later account of the same
 * buffer and file restores it before its first sample, so that losses in the meantime get
 * a range. Events that were read since then and are not in the file, as a killed process
 * had them in its pipe, count as taken, and are a range at once. An empty text stands for
 * a buffer that was never read. -ENOMEM.
 */
void kft_account_save(const struct kft_account *a, struct kft_strbuf *sb);
int kft_account_restore(struct kft_account *a, const char *text,
			struct kft_sink *sink) __must_check;

/*
 * Sets the number of events that the sink has read. It reads no more, and the next sample
 * compares the number with the kernel's count.
 */
void kft_account_settle(struct kft_account *a, uint64_t events);

/* Reads the kernel's counters; a loss since the last sample becomes a range. */
int kft_account_sample(struct kft_account *a, struct kft_sink *sink) __must_check;

/* Calls kft_account_sample() if the last sample is 200 ms old, else does nothing. */
int kft_account_follow(struct kft_account *a, struct kft_sink *sink) __must_check;

/*
 * Adds the totals and ranges to meta. bytes: drained bytes. buffer: see
 * kft_drains_report(). -ENOMEM.
 */
int kft_account_report(const struct kft_account *a, const char *buffer, uint64_t bytes,
		       struct kft_meta *meta) __must_check;
