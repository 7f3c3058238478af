/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/stream/blocks.h"

/* New data of a stream since the previous news. Must be finished. */
struct kft_stream_news {
	uint64_t settled; /* ns; events of all CPUs up to this time are complete */
	/* The files with their pages; descriptors are borrowed from the taker. */
	KFT_VEC(struct kft_stream_cpu) cpus;
	struct kft_strbuf lost; /* concatenated blocks */
	struct kft_strbuf names;
	struct kft_strbuf tasks;
	/* The taker has ended, with result and why. */
	bool is_last;
	int result;
	struct kft_err why; /* code 0: result is the whole reason */
};

/*
 * Adds pages to the streams, and losses and task names to the trace, which has one buffer
 * with a stream for each CPU. -ENOMEM, -EBADMSG for malformed losses.
 */
int kft_stream_news_use(const struct kft_stream_news *n,
			struct kft_trace *t) __must_check;

/* Adds the task names of the metadata at the end of the stream. */
void kft_stream_news_last(struct kft_trace *t, struct kft_trace *last);

void kft_stream_news_finish(struct kft_stream_news *n);

/* The stream of a CPU in such a trace. */
struct kft_stream *kft_stream_of_cpu(struct kft_trace *t, uint32_t cpu);
