/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "base/vec.h"

/*
 * Byte sequences that grow at the same time and are read one after the other: for formats
 * that store all data of a task together, while events come in the order of time. All but
 * the last block of a strand are in a temporary file.
 */
struct kft_byte_stream {
	struct kft_strbuf tail; /* bytes that are not in the file yet */
	uint64_t first; /* number of its first block; 0: none is written */
	uint64_t next; /* number of the block that the tail becomes */
};

struct kft_byte_streams {
	int fd; /* owned; -1: no block was written yet */
	uint64_t blocks; /* allocated numbers, from 1 */
	KFT_VEC(struct kft_byte_stream) list; /* by number of the strand */
};

/* Bytes of a strand in a block: a multiple of 8. */
#define KFT_BYTE_STREAM_BLOCK ((size_t)2040)

void kft_byte_streams_finish(struct kft_byte_streams *s);

/*
 * Appends to a strand, which is created if necessary. The errors of
 * kft_spool_create(), and -errno.
 */
int kft_byte_streams_add(struct kft_byte_streams *s, uint32_t strand, const void *data,
			 size_t len) __must_check;

/*
 * Calls take() with the contents of a strand, in pieces of
 * KFT_BYTE_STREAM_BLOCK; the last may be shorter.
 */
typedef int kft_byte_stream_take_fn(void *arg, const char *data, size_t len);
int kft_byte_streams_read(const struct kft_byte_streams *s, uint32_t strand,
			  kft_byte_stream_take_fn *take, void *arg) __must_check;
