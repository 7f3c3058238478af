/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_STREAM_NEWS_H
#define KFT_FILE_TRACEDAT_STREAM_NEWS_H

#include "file/tracedat/stream_blocks.h"

/* What came since the news before. To be finished. */
struct kft_stream_news {
	uint64_t settled; /* time up to which events of all CPUs are there */
	/* Their pages; descriptors are borrowed from the taker. */
	KFT_VEC(struct kft_stream_cpu) cpus;
	struct kft_strbuf lost; /* as the blocks have them */
	struct kft_strbuf names;
	struct kft_strbuf tasks;
	bool is_last; /* the taker has ended, with what follows */
	int result;
	struct kft_err why; /* code 0: result says all */
};

/*
 * Streams grow, losses and names of tasks become known. The trace has one buffer with a
 * stream for each CPU. -ENOMEM, -EBADMSG for losses that are none.
 */
int kft_stream_news_use(const struct kft_stream_news *n,
			struct kft_trace *t) __must_check;

/* Names of tasks as the metadata at the end has them. */
void kft_stream_news_last(struct kft_trace *t, struct kft_trace *last);

void kft_stream_news_finish(struct kft_stream_news *n);

/* Of such a trace. */
struct kft_stream *kft_stream_of_cpu(struct kft_trace *t, uint32_t cpu);

#endif
