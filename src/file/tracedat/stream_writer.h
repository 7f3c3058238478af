/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_STREAM_WRITER_H
#define KFT_FILE_TRACEDAT_STREAM_WRITER_H

#include <pthread.h>

#include <kft/error.h>

#include "file/tracedat/stream_out.h"
#include "file/tracedat/stream_pages.h"

/*
 * A thread that reads the kernel's pages of all CPUs again and again, and writes them as
 * blocks, with what other threads hand on. Only it waits for the stream's reader.
 */
struct kft_stream_writer {
	struct kft_stream_out to;
	struct kft_stream_pages pages; /* of the thread while it runs */
	pthread_t thread;
	bool running;
	atomic_bool is_over; /* what is in the kernel's buffers now is the rest */
	/* What is to be written, of the thread while it runs; the caller's before and after. */
	struct kft_strbuf out;
	pthread_mutex_t lock; /* guards what follows */
	int *raw_fds; /* owned; of each CPU, borrowed from the capture; -1: none */
	struct kft_strbuf
		waiting; /* blocks of other threads, who do not wait for a reader */
	bool has_looks; /* somebody looks for names of tasks */
	unsigned int looks; /* since the last PASS */
	struct kft_err err; /* why nothing is written any more */
};

/* To out_fd, borrowed. 0 or -errno; to be finished in any case. */
int kft_stream_writer_init(struct kft_stream_writer *w, int out_fd) __must_check;
void kft_stream_writer_finish(struct kft_stream_writer *w);

/* Writes what is in w->out, and what there is of the machine's pages from now on. */
int kft_stream_writer_start(struct kft_stream_writer *w,
			    const struct kft_meta *meta) __must_check;

/* Once started. From any thread. */
void kft_stream_writer_take(struct kft_stream_writer *w, uint32_t cpu, int raw_fd);
int kft_stream_writer_hand_on(struct kft_stream_writer *w, enum kft_stream_kind kind,
			      const void *data, size_t len) __must_check;
/* All names of tasks that were there when this look for them began were handed on. */
void kft_stream_writer_looked(struct kft_stream_writer *w);
int kft_stream_writer_failed(struct kft_stream_writer *w, struct kft_err *e) __must_check;

/* Recording is off: takes the rest, and does not touch the CPUs any more. */
void kft_stream_writer_stop(struct kft_stream_writer *w);

/* Writes w->out and what still waits, once stopped. What fails is what failed first. */
int kft_stream_writer_flush(struct kft_stream_writer *w) __must_check;

#endif
