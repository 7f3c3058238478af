/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_READ_STREAM_H
#define KFT_FILE_TRACEDAT_READ_STREAM_H

#include "file/tracedat/read_state.h"

/* What a stream of one CPU of one buffer is made from. */
struct kft_dat_source {
	uint32_t cpu;
	uint16_t buffer; /* index into kft_trace.buffers */
	uint32_t page_size;
	uint64_t start; /* range of the file with the pages; within it */
	uint64_t end;
	bool chunked;
	int fd; /* taken when it is not -1: read this file instead of the trace's */
	uint64_t size; /* of fd */
	const char *path; /* its name, escaped, borrowed while the trace lives; or NULL */
	bool unfinished; /* the last page may be partly there: that is no damage */
};

/*
 * Creates the stream and adds it to its buffer. The loss records of the metadata become
 * marks of its events when it is of buffer 0. -ENOMEM.
 */
int kft_dat_stream_add(struct kft_dat_reader *d,
		       const struct kft_dat_source *src) __must_check;

/*
 * A stream that was added without pages has a file of its own that grows (borrowed, may be
 * written to): so many bytes are there now. Those that were read are given back to the disk:
 * the stream cannot be rewound any more.
 */
void kft_dat_stream_grow(struct kft_stream *s, int fd, uint64_t bytes);

/* A loss that became known later marks the next event that is not before its end. -ENOMEM. */
int kft_dat_stream_lose(struct kft_stream *s,
			const struct kft_lost_range *range) __must_check;

/*
 * A walk of its own through all pages of a stream that kft_dat_stream_add() made, for who
 * wants the pages as they are. The stream outlives it.
 */
struct kft_dat_pages;
void kft_dat_stream_open_pages(struct kft_stream *s, struct kft_dat_pages *ret);

#endif
