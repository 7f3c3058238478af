// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds ring-buffer pages from records. */
#include "model/page_build.h"

#include <errno.h>

#include "base/cursor.h"
#include "model/event.h"

/*
 * Record types and time extends: enum ring_buffer_type and rb_event_time_stamp() of
 * the kernel's ring_buffer.c.
 */
#define TYPE_LONG	 0 /* the length is in the next word */
#define TYPE_DATA_MAX	 28 /* words of a short record */
#define TYPE_TIME_EXTEND 30
#define TS_SHIFT	 27
#define DELTA_MAX	 ((UINT64_C(1) << 59) - 1)
#define COMMIT_MISSED	 (UINT64_C(1) << 31)
#define COMMIT_STORED	 (UINT64_C(1) << 30)

#define TS_BYTES 8

static void put_u32(const struct kft_page_builder *b, uint8_t *p, uint32_t v)
{
	v = kft_load_u32(&v, b->big_endian != KFT_HOST_BIG_ENDIAN);
	memcpy(p, &v, sizeof(v));
}

static void put_u64(const struct kft_page_builder *b, uint8_t *p, uint64_t v)
{
	v = kft_load_u64(&v, b->big_endian != KFT_HOST_BIG_ENDIAN);
	memcpy(p, &v, sizeof(v));
}

static void put_long(const struct kft_page_builder *b, uint8_t *p, uint64_t v)
{
	if (b->header_size - TS_BYTES == 8)
		put_u64(b, p, v);
	else
		put_u32(b, p, (uint32_t)v);
}

int kft_page_builder_init(struct kft_page_builder *b, uint32_t page_size, bool big_endian,
			  uint32_t long_size)
{
	uint8_t *page = calloc(1, page_size);

	if (!page)
		return -ENOMEM;
	*b = (struct kft_page_builder){
		.page = page,
		.page_size = page_size,
		.header_size = TS_BYTES + long_size,
		.big_endian = big_endian,
	};
	return 0;
}

void kft_page_builder_finish(struct kft_page_builder *b)
{
	free(b->page);
	*b = (struct kft_page_builder){};
}

/*
 * Stores the number of lost events after the records if there is room, as the kernel
 * does. Returns the flags of the commit word.
 */
static uint64_t note_lost(struct kft_page_builder *b)
{
	uint32_t long_size = b->header_size - TS_BYTES;
	uint32_t at = b->header_size + b->used;

	if (!b->lost)
		return 0;
	if (b->lost == KFT_LOST_UNKNOWN || b->page_size - at < long_size)
		return COMMIT_MISSED;
	put_long(b, b->page + at, b->lost);
	return COMMIT_MISSED | COMMIT_STORED;
}

int kft_page_builder_show(struct kft_page_builder *b)
{
	if (!b->used)
		return 0;
	uint64_t flags = note_lost(b);
	put_long(b, b->page + TS_BYTES, b->used | flags);
	int r = b->flush(b->arg, b->page, b->page_size);
	return r < 0 ? r : 0;
}

int kft_page_builder_end(struct kft_page_builder *b)
{
	if (!b->used)
		return 0;
	int r = kft_page_builder_show(b);
	memset(b->page, 0, b->page_size);
	b->used = 0;
	b->lost = 0;
	return r;
}

static uint32_t first_word(const struct kft_page_builder *b, uint32_t type,
			   uint32_t delta)
{
	return b->big_endian ? type << TS_SHIFT | delta : delta << 5 | type;
}

static void put_record(struct kft_page_builder *b, uint32_t delta, const void *data,
		       uint32_t size)
{
	uint32_t words = (size + 3) / 4;
	uint8_t *p = b->page + b->header_size + b->used;

	if (words <= TYPE_DATA_MAX && words > 0) {
		put_u32(b, p, first_word(b, words, delta));
		memcpy(p + 4, data, size);
		b->used += 4 + words * 4;
	} else {
		put_u32(b, p, first_word(b, TYPE_LONG, delta));
		put_u32(b, p + 4, size + 4);
		memcpy(p + 8, data, size);
		b->used += 8 + words * 4;
	}
}

static void put_time_extend(struct kft_page_builder *b, uint64_t delta)
{
	uint8_t *p = b->page + b->header_size + b->used;

	put_u32(b, p,
		first_word(b, TYPE_TIME_EXTEND, delta & ((UINT64_C(1) << TS_SHIFT) - 1)));
	put_u32(b, p + 4, delta >> TS_SHIFT);
	b->used += 8;
}

int kft_page_builder_add(struct kft_page_builder *b, uint64_t ts, const void *data,
			 uint32_t size, uint64_t lost)
{
	uint32_t room = b->page_size - b->header_size;
	/* Reserves the room for note_lost(), unless a record fills the whole page. */
	uint32_t mark = b->lost ? b->header_size - TS_BYTES : 0;
	uint32_t need;

	/* 16 bytes: the two words before a long record, and a time extend. */
	if (kft_add(size, 16u + 3u, &need) || need > room)
		return -EMSGSIZE;
	bool fresh = !b->used || lost || ts < b->ts || ts - b->ts > DELTA_MAX ||
		     need + mark > room - b->used;
	if (fresh) {
		int r = kft_page_builder_end(b);

		if (r < 0)
			return r;
		put_u64(b, b->page, ts);
		b->lost = lost;
		b->ts = ts;
	}
	uint64_t delta = ts - b->ts;
	if (delta >> TS_SHIFT) {
		put_time_extend(b, delta);
		delta = 0;
	}
	put_record(b, (uint32_t)delta, data, size);
	b->ts = ts;
	return 0;
}
