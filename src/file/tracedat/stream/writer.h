/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <pthread.h>

#include <kft/error.h>

#include "file/tracedat/stream/out.h"
#include "file/tracedat/stream/pages.h"

/*
 * A thread that reads the kernel's pages of all CPUs in passes and writes them
 * as blocks, together with blocks from other threads. Only this thread waits
 * for the stream's reader.
 */
struct kft_stream_writer {
	struct kft_stream_out to;
	struct kft_stream_pages pages; /* used by the thread only while it runs */
	pthread_t thread;
	bool running;
	/* Recording is off: only the pages in the kernel's buffers are left. */
	atomic_bool is_over;
	/*
	 * Data to write; used by the thread only while it runs, by the
	 * caller before and after.
	 */
	struct kft_strbuf out;
	pthread_mutex_t lock; /* guards the members below */
	/*
	 * Owned array; the descriptor of each CPU is borrowed from the capture; -1: none.
	 */
	int *raw_fds;
	/* Blocks from other threads, which must not wait for a reader. */
	struct kft_strbuf waiting;
	bool has_looks; /* a thread searches for names of tasks */
	unsigned int looks; /* number of completed searches since the last PASS */
	struct kft_err err; /* why writing has failed */
};

/* Writes to out_fd, borrowed. 0 or -errno; must be finished in any case. */
int kft_stream_writer_init(struct kft_stream_writer *w, int out_fd) __must_check;
void kft_stream_writer_finish(struct kft_stream_writer *w);

/*
 * Starts the thread: it writes w->out, and from now on the pages of the
 * machine that meta describes.
 */
int kft_stream_writer_start(struct kft_stream_writer *w,
			    const struct kft_meta *meta) __must_check;

/* May be called from any thread while the thread runs. */
void kft_stream_writer_take(struct kft_stream_writer *w, uint32_t cpu, int raw_fd);
int kft_stream_writer_hand_on(struct kft_stream_writer *w, enum kft_stream_kind kind,
			      const void *data, size_t len) __must_check;
/* A search for task names has ended, and all names that it found were handed on. */
void kft_stream_writer_looked(struct kft_stream_writer *w);
int kft_stream_writer_failed(struct kft_stream_writer *w, struct kft_err *e) __must_check;

/*
 * Recording is off: waits for the thread to read the remaining pages and to end, so that
 * the CPUs' descriptors are no longer used.
 */
void kft_stream_writer_stop(struct kft_stream_writer *w);

/*
 * Writes w->out and the waiting blocks, after kft_stream_writer_stop().
 * Returns the first failure.
 */
int kft_stream_writer_flush(struct kft_stream_writer *w) __must_check;
