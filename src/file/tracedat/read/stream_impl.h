/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/read/pages.h"
#include "file/tracedat/read/stream.h"

/* State and functions that the files of a stream share; only they include this. */

struct kft_dat_stream {
	struct kft_stream base;
	struct kft_dat_reader *d; /* borrowed */
	struct kft_dat_input in;
	int own_fd; /* owned; -1: the pages are in the trace's file */
	uint64_t given_back; /* bytes of a growing file that were freed */
	struct kft_dat_pages pages;
	bool unfinished;
	const char *path; /* escaped, for messages; borrowed from the trace */
	bool stamps_change;
	/*
	 * Losses that are not marked in the pages, sorted by end, in the stream's time:
	 * each marks the first event that is not before its end.
	 */
	KFT_VEC(struct kft_lost_range) ranges; /* owned */
	size_t next_range;
	/* Index of a part's first loss; earlier ones belong to earlier parts. */
	size_t first_range;
	bool goes_on; /* another part follows */

	struct kft_ring_page page;
	bool in_page;
	const uint8_t *page_data; /* borrowed from pages */
	uint64_t page_offset; /* file offset, for messages */
	/* Events lost before the next event. */
	uint64_t lost;
};

static inline struct kft_dat_stream *kft_dat_stream_of(struct kft_stream *s)
{
	return container_of(s, struct kft_dat_stream, base);
}

/* Adds damage; an unknown number of events is lost there. */
__printf_fmt(4, 5) void kft_dat_stream_damage(struct kft_dat_stream *s, int code,
					      uint64_t offset, const char *fmt, ...);

/* Opens a page for reading. -EBADMSG, -ENODATA: the page cannot be read. */
int kft_dat_stream_open_walk(const struct kft_dat_stream *s, const struct kft_dat_page *p,
			     struct kft_ring_page *ret);

/* Makes the page the current one, unless it is damaged. */
void kft_dat_stream_open_page(struct kft_dat_stream *s, const struct kft_dat_page *p);

/* Leaves the current page after kft_ring_next() returned r. */
void kft_dat_stream_leave_page(struct kft_dat_stream *s, int r);

/* Corrects the times of events and adds the loss marks that pages do not have. */
void kft_dat_stream_finish_batch(struct kft_dat_stream *s, struct kft_event *evs,
				 size_t n);

/* The caller holds no events any more: frees the buffer for other streams. */
void kft_dat_stream_end(struct kft_dat_stream *s);

/* kft_stream_ops.count and split */
int kft_dat_stream_count(struct kft_stream *base, struct kft_counts *c);
int kft_dat_stream_split(struct kft_stream *base, uint64_t min_bytes,
			 struct kft_stream **ret, size_t n);
