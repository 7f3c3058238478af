/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_STREAM_TAKER_H
#define KFT_FILE_TRACEDAT_STREAM_TAKER_H

#include <pthread.h>

#include "file/tracedat/read_state.h"
#include "file/tracedat/stream_blocks.h"
#include "file/tracedat/stream_news.h"

/*
 * A thread that takes the blocks of a stream as they come. One other thread asks it for
 * news.
 */
struct kft_stream_taker {
	struct kft_stream_blocks blocks; /* of the thread, up to the last news */
	pthread_t thread;
	bool running;
	/* Of the thread. */
	struct kft_ring_layout layout;
	const struct kft_dat_stamps *stamps; /* borrowed from the trace */
	uint64_t latest; /* time of the newest event */
	uint64_t latest_of_pass; /* the same when the last pass ended */
	pthread_mutex_t lock; /* guards what follows */
	pthread_cond_t changed;
	struct kft_stream_news news;
	bool is_new;
};

/* blocks have the first metadata, whose reader is d. 0 or -errno. */
int kft_stream_taker_start(struct kft_stream_taker *t,
			   const struct kft_dat_reader *d) __must_check;

/* Once started or zeroed. blocks.over_fd says that it is to end. */
void kft_stream_taker_finish(struct kft_stream_taker *t);

/* Waits for them. */
void kft_stream_taker_wait(struct kft_stream_taker *t, struct kft_stream_news *ret);

#endif
