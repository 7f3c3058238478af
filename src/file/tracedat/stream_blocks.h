/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_STREAM_BLOCKS_H
#define KFT_FILE_TRACEDAT_STREAM_BLOCKS_H

#include "base/strbuf.h"
#include "file/tracedat/stream.h"
#include "model/trace.h"

/* The pages of one CPU so far. */
struct kft_stream_cpu {
	int fd; /* owned; -1: none yet */
	uint64_t bytes;
};

/*
 * Takes the blocks of a recording's stream apart (docs/formats/stream.md): pages go to
 * temporary files, the rest is here.
 */
struct kft_stream_blocks {
	int fd; /* borrowed */
	const char *name; /* for messages; borrowed */
	const uint8_t *head; /* what was read of it before; borrowed */
	size_t head_len;
	uint64_t pos;
	int over_fd; /* borrowed: readable when it is to end; -1: none */
	int out_fd; /* borrowed: it is to end when nobody reads that; -1: none */
	uint8_t *buf; /* owned; the page that came last */
	struct kft_trace *trace; /* owned; of the first metadata, without events */
	struct kft_trace *last; /* owned; of the metadata that came last */
	uint32_t page_size; /* 0: there was no metadata yet */
	uint32_t cpu_count;
	KFT_VEC(struct kft_stream_cpu) cpus;
	struct kft_strbuf lost; /* loss records */
	struct kft_strbuf names;
	struct kft_strbuf tasks; /* the newest */
	bool is_ended;
};

struct kft_stream_block {
	uint32_t kind; /* enum kft_stream_kind, or of a later kft */
	uint32_t cpu;
	uint64_t len;
	uint64_t pos; /* of its header */
};

/* Zeroed: -ENOMEM. To be finished in any case. */
int kft_stream_blocks_init(struct kft_stream_blocks *s, int fd, const void *head,
			   size_t len, const char *name) __must_check;
void kft_stream_blocks_finish(struct kft_stream_blocks *s);

/* The bytes that begin a stream. -ENODATA when it ends before, -errno. */
int kft_stream_blocks_begin(struct kft_stream_blocks *s) __must_check;

/*
 * One more block. -ENODATA when the stream ends before its end, -EBADMSG and others with
 * e; -ENOMEM, -errno, -ECANCELED by over_fd, -EPIPE by out_fd without.
 */
int kft_stream_blocks_take(struct kft_stream_blocks *s, struct kft_stream_block *ret,
			   struct kft_err *e) __must_check;

/* No trace could be made of it, r says why: e is set unless it was. Returns r. */
int kft_stream_blocks_no_trace(int r, struct kft_err *e);

/* Taking blocks ended with r, and with why where that is set: what t says of it. */
void kft_stream_blocks_ended(const struct kft_stream_blocks *s, int r,
			     const struct kft_err *why, struct kft_trace *t);

#endif
