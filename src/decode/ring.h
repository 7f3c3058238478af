/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <errno.h>

#include "model/counts.h"
#include "model/event.h"

/*
 * Reads pages (sub-buffers) of the kernel's trace ring buffer: a time stamp, a commit
 * word and records. See include/linux/ring_buffer.h and kernel/trace/ring_buffer.c of
 * Linux; docs/formats/trace-dat.md describes the layout.
 *
 * These functions work on borrowed, untrusted bytes and allocate nothing.
 */

/*
 * The layout of a trace's pages from events/header_page, and the byte order of the trace.
 */
struct kft_ring_layout {
	bool big_endian;
	uint32_t commit_offset; /* bytes from the page's start */
	uint32_t commit_size; /* 4 or 8: size of the traced kernel's long */
	uint32_t data_offset; /* offset of the first record */
};

/* The layout of kernels since 2.6.31, for a trace without header_page. */
struct kft_ring_layout kft_ring_layout_default(bool big_endian, uint32_t long_size);

/*
 * Parses the text of events/header_page. -EINVAL when it does not describe such a page.
 */
int kft_ring_layout_parse(const char *text, size_t len, bool big_endian,
			  struct kft_ring_layout *ret) __must_check;

/* The time stamp of a page's first record; the page holds at least data_offset bytes. */
static inline uint64_t kft_ring_page_ts(const struct kft_ring_layout *l, const void *page)
{
	return kft_load_u64(page, l->big_endian != KFT_HOST_BIG_ENDIAN);
}

/*
 * Notes in a page's header that an unknown number of events is missing before it, unless it
 * says so already. header has at least data_offset bytes.
 */
void kft_ring_page_note_missed(const struct kft_ring_layout *l, void *header);

/* A walk through one page. Plain values: copy it to locals in a hot loop. */
struct kft_ring_page {
	const uint8_t *pos; /* the next record, borrowed from the page */
	const uint8_t *end; /* end of the committed records that are present */
	uint64_t ts; /* time of the record read last; at first the page's */
	uint64_t lost; /* events lost before the page: 0, n, KFT_LOST_UNKNOWN */
	bool cut; /* the commit word claims more bytes than are present */
};

/*
 * Starts a walk. -ENODATA when size is smaller than the page's header. A page that is
 * shorter than its commit word claims is opened up to its real end, and marked as cut.
 */
int kft_ring_page_open(const struct kft_ring_layout *l, const uint8_t *page, size_t size,
		       struct kft_ring_page *ret) __must_check;

/*
 * Types of a record (enum ring_buffer_type); 1 to 28 are data of 4 times that many bytes.
 */
enum kft_ring_type {
	KFT_RING_DATA = 0, /* the length is in the next word */
	KFT_RING_DATA_MAX = 28,
	KFT_RING_PADDING = 29,
	KFT_RING_TIME_EXTEND = 30,
	KFT_RING_TIME_STAMP = 31,
};

#define KFT_RING_TS_SHIFT 27 /* bits of time delta in a record's first word */
#define KFT_RING_TS_MSB	  (UINT64_C(0xf8) << 56) /* bits that an absolute stamp lacks */

/*
 * An absolute stamp has 59 bits; the upper bits come from the previous
 * time, see rb_fix_abs_ts().
 */
static inline uint64_t kft_ring_absolute(uint64_t stamp, uint64_t before)
{
	if (likely(!(before & KFT_RING_TS_MSB)))
		return stamp;
	stamp |= before & KFT_RING_TS_MSB;
	return stamp < before ? stamp + (UINT64_C(1) << 59) : stamp;
}

/*
 * Reads a record that is not a short data record. Returns like kft_ring_next(), or 2 when
 * the record held no data and was skipped.
 */
static inline __attribute__((always_inline)) int
kft_ring_next_other(struct kft_ring_page *p, uint32_t type, uint32_t delta, bool swap,
		    const uint8_t **ret_data, uint32_t *ret_size)
{
	size_t left = p->end - p->pos;

	/* Padding with delta 0 fills the rest of the page, and may lack the next word. */
	if (type == KFT_RING_PADDING && delta == 0)
		return 0;
	if (left < 8)
		return -EBADMSG;
	uint32_t word = kft_load_u32(p->pos + 4, swap);

	switch (type) {
	case KFT_RING_TIME_EXTEND:
		p->ts += (uint64_t)word << KFT_RING_TS_SHIFT | delta;
		p->pos += 8;
		return 2;
	case KFT_RING_TIME_STAMP:
		p->ts = kft_ring_absolute((uint64_t)word << KFT_RING_TS_SHIFT | delta,
					  p->ts);
		p->pos += 8;
		return 2;
	case KFT_RING_PADDING:
		/*
		 * A discarded record; its delta counts, as in kbuffer of
		 * libtraceevent. (The kernel stores a delta of 0 as 1 here, which
		 * readers cannot distinguish.)
		 */
		if (word > left - 4)
			return -EBADMSG;
		p->ts += delta;
		p->pos += 4 + word;
		return 2;
	default:
		/*
		 * The length includes its own word. An event has at
		 * least its 2-byte type.
		 */
		if (word < 4 + sizeof(uint16_t) || word > left - 4)
			return -EBADMSG;
		p->ts += delta;
		*ret_data = p->pos + 8;
		*ret_size = word - 4;
		/*
		 * Records start at multiples of 4; the last one's padding may be missing.
		 */
		word = (word + 3) & ~3u;
		p->pos = word > left - 4 ? p->end : p->pos + 4 + word;
		return 1;
	}
}

/*
 * Reads the next data record: 1, with its bytes borrowed from the page and its time in
 * p->ts; 0 at the end of the page; -EBADMSG when the record at p->pos extends past the
 * end (a page that is cut always ends so). The record has at least the 2 bytes of the
 * event's type. Inlined with a constant `big`, the byte order costs nothing.
 */
static inline __attribute__((always_inline)) int kft_ring_next(struct kft_ring_page *p,
							       bool big,
							       const uint8_t **ret_data,
							       uint32_t *ret_size)
{
	bool swap = big != KFT_HOST_BIG_ENDIAN;

	for (;;) {
		size_t left = p->end - p->pos;

		if (unlikely(left < 4))
			return left ? -EBADMSG : 0;
		uint32_t word = kft_load_u32(p->pos, swap);
		uint32_t type = big ? word >> KFT_RING_TS_SHIFT : word & 31;
		uint32_t delta = big ? word & ((1u << KFT_RING_TS_SHIFT) - 1) : word >> 5;

		if (likely(type - 1 < KFT_RING_DATA_MAX)) {
			if (unlikely(type * 4 > left - 4))
				return -EBADMSG;
			p->ts += delta;
			*ret_data = p->pos + 4;
			*ret_size = type * 4;
			p->pos += 4 + type * 4;
			return 1;
		}
		int r = kft_ring_next_other(p, type, delta, swap, ret_data, ret_size);
		if (r != 2)
			return r;
	}
}

/*
 * Reads up to max events of the page into evs, only those in wanted (as in struct
 * kft_stream); cpu and buffer are copied from origin. Returns 1 when there may be more, 0
 * at the end of the page, -EBADMSG like kft_ring_next(); *ret_n is always set. p->lost
 * goes to the first event that is kept; without one it stays in p for the next page.
 */
int kft_ring_read(struct kft_ring_page *p, bool big_endian, const uint64_t *wanted,
		  const struct kft_event *origin, struct kft_event *evs, size_t max,
		  size_t *ret_n);

/* A page, and the result of counting its events. */
struct kft_ring_counted {
	struct kft_ring_page page; /* in: opened; out: the end of the walk */
	int r; /* 0, or -EBADMSG like kft_ring_next() */
	/* First and last stamp of its events; first > last: it has none. */
	uint64_t first;
	uint64_t last;
};

/*
 * Counts the events of n pages by id. Walks two pages at once: each record's position
 * depends on the previous one, so that a single walk would leave the processor waiting.
 * The caller handles loss marks and the stamps in c. -ENOMEM.
 */
int kft_ring_count(struct kft_ring_counted *pages, size_t n, bool big_endian,
		   struct kft_counts *c) __must_check;
