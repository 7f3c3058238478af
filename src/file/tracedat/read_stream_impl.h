/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_READ_STREAM_IMPL_H
#define KFT_FILE_TRACEDAT_READ_STREAM_IMPL_H

#include "file/tracedat/read_pages.h"
#include "file/tracedat/read_stream.h"

/* What the files that make up a stream share. Only they include this. */

struct kft_dat_stream {
	struct kft_stream base;
	struct kft_dat_reader *d; /* borrowed */
	struct kft_dat_input in;
	int own_fd; /* owned; -1: in is the trace's file */
	uint64_t given_back; /* bytes of a growing file that are gone */
	struct kft_dat_pages pages;
	bool unfinished;
	const char *path; /* escaped, for messages; borrowed from the trace */
	bool stamps_change;
	/*
	 * Losses that the pages do not tell, by their end, in the stream's time: each is
	 * a mark on the first event that is not before the end.
	 */
	KFT_VEC(struct kft_lost_range) ranges; /* owned */
	size_t next_range;
	size_t first_range; /* a part's: what came before has the ones before */
	bool goes_on; /* another part follows */

	struct kft_ring_page page;
	bool in_page;
	const uint8_t *page_data; /* borrowed from pages */
	uint64_t page_offset; /* in the file, for messages */
	uint64_t lost; /* to be told by the next event */
};

static inline struct kft_dat_stream *kft_dat_stream_of(struct kft_stream *s)
{
	return container_of(s, struct kft_dat_stream, base);
}

/* Notes damage and that something is lost there. */
__printf_fmt(4, 5) void kft_dat_stream_damage(struct kft_dat_stream *s, int code,
					      uint64_t offset, const char *fmt, ...);

/* -EBADMSG, -ENODATA: a page that nothing is read of. */
int kft_dat_stream_open_walk(const struct kft_dat_stream *s, const struct kft_dat_page *p,
			     struct kft_ring_page *ret);

/* Makes the page the current one, unless it is damaged. */
void kft_dat_stream_open_page(struct kft_dat_stream *s, const struct kft_dat_page *p);

/* The walk of the current page ended with r, as kft_ring_next() has it. */
void kft_dat_stream_leave_page(struct kft_dat_stream *s, int r);

/* What events get that the pages do not say. */
void kft_dat_stream_finish_batch(struct kft_dat_stream *s, struct kft_event *evs,
				 size_t n);

/* Nobody holds events any more: the memory is for the streams that go on. */
void kft_dat_stream_end(struct kft_dat_stream *s);

/* kft_stream_ops.count and split */
int kft_dat_stream_count(struct kft_stream *base, struct kft_counts *c);
int kft_dat_stream_split(struct kft_stream *base, uint64_t min_bytes,
			 struct kft_stream **ret, size_t n);

#endif
