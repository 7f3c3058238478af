/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_READ_AHEAD_H
#define KFT_FILE_TRACEDAT_READ_AHEAD_H

#include "file/tracedat/read_decompress.h"

/*
 * Threads that unpack chunks before they are asked for. Each stream has one job, for its
 * next chunk, which it gives away while it reads the one before. What no thread has begun
 * when it is asked for is left to who asks: nobody waits for work that he could do.
 */
struct kft_dat_ahead;

/* Zeroed is one that was never started. The memory is its owner's. */
struct kft_dat_ahead_job {
	struct kft_dat_chunk chunk;
	uint8_t *buf; /* for chunk.size bytes */
	size_t cap;
	int result; /* once finished: 0 or -errno, as kft_dat_unpack() */
	const char *why;

	enum {
		KFT_DAT_AHEAD_IDLE,
		KFT_DAT_AHEAD_QUEUED,
		KFT_DAT_AHEAD_TAKEN,
		KFT_DAT_AHEAD_DONE,
	} state; /* under the lock */
	struct kft_dat_ahead_job *next; /* in the queue, under the lock */
};

/* The decompressor (borrowed) outlives it. -ENOMEM, or what creating threads fails with. */
int kft_dat_ahead_create(struct kft_dat_decompressor *dec, unsigned int threads,
			 struct kft_dat_ahead **ret) __must_check;
/* No job may be under way. NULL is fine. */
struct kft_dat_ahead *kft_dat_ahead_destroy(struct kft_dat_ahead *a);

/* chunk and buf are set; they stay until it is finished. Not for one that is started. */
void kft_dat_ahead_start(struct kft_dat_ahead *a, struct kft_dat_ahead_job *job);

/* Afterwards the job is its owner's again. False when nobody has done it. */
bool kft_dat_ahead_finish(struct kft_dat_ahead *a, struct kft_dat_ahead_job *job);

#endif
