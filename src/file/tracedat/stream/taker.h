/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <pthread.h>

#include "file/tracedat/read/state.h"
#include "file/tracedat/stream/blocks.h"
#include "file/tracedat/stream/news.h"

/*
 * A thread that takes the blocks of a stream as they come. One other
 * thread gets the news from it.
 */
struct kft_stream_taker {
	/* Used by the thread only, until the last news. */
	struct kft_stream_blocks blocks;
	pthread_t thread;
	bool running;
	/* Used by the thread only. */
	struct kft_ring_layout layout;
	const struct kft_dat_stamps *stamps; /* borrowed from the trace */
	uint64_t latest; /* ns; time of the newest event */
	uint64_t latest_of_pass; /* the same at the end of the previous pass */
	pthread_mutex_t lock; /* guards the members below */
	pthread_cond_t changed;
	struct kft_stream_news news;
	bool is_new;
};

/* blocks have the first metadata, and d is its reader. 0 or -errno. */
int kft_stream_taker_start(struct kft_stream_taker *t,
			   const struct kft_dat_reader *d) __must_check;

/*
 * For a started or zeroed taker. blocks.over_fd was made readable
 * before, so the thread ends.
 */
void kft_stream_taker_finish(struct kft_stream_taker *t);

/* Waits for news. */
void kft_stream_taker_wait(struct kft_stream_taker *t, struct kft_stream_news *ret);
