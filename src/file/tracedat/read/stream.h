/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/read/state.h"

/* Parameters of a stream of one CPU of one buffer. */
struct kft_dat_source {
	uint32_t cpu;
	uint16_t buffer; /* index into kft_trace.buffers */
	uint32_t page_size;
	uint64_t start; /* range of the pages in the file; within it */
	uint64_t end;
	bool chunked;
	/* Taken when it is not -1: the file with the pages, instead of the trace's. */
	int fd;
	uint64_t size; /* bytes of fd's file */
	/* Name of fd, escaped, borrowed while the trace lives; or NULL. */
	const char *path;
	bool unfinished; /* a partial last page is not damage */
};

/*
 * Creates the stream and adds it to its buffer. In buffer 0, the loss records of the
 * metadata become marks of its events. -ENOMEM.
 */
int kft_dat_stream_add(struct kft_dat_reader *d,
		       const struct kft_dat_source *src) __must_check;

/*
 * Sets the size of the growing file of a stream that was added without pages
 * (borrowed, may be written to). Blocks that were read are freed: the stream
 * cannot be rewound any more.
 */
void kft_dat_stream_grow(struct kft_stream *s, int fd, uint64_t bytes);

/* Adds a loss: the next event that is not before its end is marked. -ENOMEM. */
int kft_dat_stream_lose(struct kft_stream *s,
			const struct kft_lost_range *range) __must_check;

/*
 * Starts an independent walk through all pages of a stream of kft_dat_stream_add(), for
 * callers that need the raw pages. The stream outlives it.
 */
struct kft_dat_pages;
void kft_dat_stream_open_pages(struct kft_stream *s, struct kft_dat_pages *ret);
