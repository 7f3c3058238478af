/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "file/tracedat/stream/stream.h"
#include "model/trace.h"

/* The pages of one CPU so far. */
struct kft_stream_cpu {
	int fd; /* owned: temporary file; -1: none yet */
	uint64_t bytes;
};

/*
 * Splits a recording's stream into its blocks (docs/formats/stream.md): pages go to
 * temporary files, other blocks are collected here.
 */
struct kft_stream_blocks {
	int fd; /* borrowed */
	const char *name; /* for messages; borrowed */
	const uint8_t *head; /* borrowed: bytes that were read from fd before */
	size_t head_len;
	uint64_t pos;
	int over_fd; /* borrowed: readable when reading has to stop; -1: none */
	/*
	 * Borrowed: reading stops when the reader of this descriptor
	 * has closed it; -1: none.
	 */
	int out_fd;
	uint8_t *buf; /* owned; the last page */
	struct kft_trace *trace; /* owned: made from the first metadata, without events */
	struct kft_trace *last; /* owned: made from the last metadata */
	uint32_t page_size; /* 0: no metadata yet */
	uint32_t cpu_count;
	KFT_VEC(struct kft_stream_cpu) cpus;
	struct kft_strbuf lost; /* loss records */
	struct kft_strbuf names;
	struct kft_strbuf tasks; /* the newest block */
	bool is_ended;
};

struct kft_stream_block {
	uint32_t kind; /* enum kft_stream_kind, or a kind of a later version */
	uint32_t cpu;
	uint64_t len;
	uint64_t pos; /* of its header in the stream */
};

/* s is zeroed before: -ENOMEM. Must be finished in any case. */
int kft_stream_blocks_init(struct kft_stream_blocks *s, int fd, const void *head,
			   size_t len, const char *name) __must_check;
void kft_stream_blocks_finish(struct kft_stream_blocks *s);

/* Reads the magic number of a stream. -ENODATA when it ends before, -errno. */
int kft_stream_blocks_begin(struct kft_stream_blocks *s) __must_check;

/*
 * Takes one block. -ENODATA when the stream ends within it, -EBADMSG and others with e
 * set; -ENOMEM, -errno, -ECANCELED by over_fd, -EPIPE by out_fd with e unset.
 */
int kft_stream_blocks_take(struct kft_stream_blocks *s, struct kft_stream_block *ret,
			   struct kft_err *e) __must_check;

/* Sets e, unless it is set, to the reason r why no trace could be made. Returns r. */
int kft_stream_blocks_no_trace(int r, struct kft_err *e);

/* Sets the state of t after taking blocks ended with r, or with why if that is set. */
void kft_stream_blocks_ended(const struct kft_stream_blocks *s, int r,
			     const struct kft_err *why, struct kft_trace *t);
