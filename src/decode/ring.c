// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads records from pages of the kernel's ring buffer. */
#include "decode/ring.h"

#include "model/stream.h"

/* The commit word of a page, RB_MISSED_* and the mask of its length in ring_buffer.c. */
#define COMMIT_MISSED (UINT64_C(1) << 31)
#define COMMIT_STORED (UINT64_C(1) << 30)
#define COMMIT_MASK   ((UINT64_C(1) << 27) - 1)

#define TS_BYTES 8

struct kft_ring_layout kft_ring_layout_default(bool big_endian, uint32_t long_size)
{
	uint32_t commit_size = long_size == 4 ? 4 : 8;

	return (struct kft_ring_layout){
		.big_endian = big_endian,
		.commit_offset = TS_BYTES,
		.commit_size = commit_size,
		.data_offset = TS_BYTES + commit_size,
	};
}

/* The number after `key` in a line, which is not NUL terminated. */
static bool line_number(const char *line, size_t len, const char *key, uint32_t *ret)
{
	const char *p = memmem(line, len, key, strlen(key));
	const char *end = line + len;
	uint32_t v = 0;

	if (!p)
		return false;
	p += strlen(key);
	if (p == end || *p < '0' || *p > '9')
		return false;
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		if (kft_mul(v, 10u, &v) || kft_add(v, (uint32_t)(*p - '0'), &v))
			return false;
	*ret = v;
	return true;
}

struct place {
	uint32_t offset;
	uint32_t size;
};

/*
 * Finds the line with a declaration that ends in the name, in a text like " field: local_t
 * commit; offset:8; size:8; signed:1;".
 */
static bool find_field(const char *text, size_t len, const char *name, struct place *ret)
{
	const char *end = text + len;

	while (text < end) {
		const char *nl = memchr(text, '\n', end - text);
		size_t line_len = (nl ? nl : end) - text;
		const char *semi = memchr(text, ';', line_len);
		size_t n = strlen(name);

		if (semi && (size_t)(semi - text) > n && semi[-1 - (ptrdiff_t)n] == ' ' &&
		    memcmp(semi - n, name, n) == 0)
			return line_number(text, line_len, "offset:", &ret->offset) &&
			       line_number(text, line_len, "size:", &ret->size);
		text += line_len + 1;
	}
	return false;
}

int kft_ring_layout_parse(const char *text, size_t len, bool big_endian,
			  struct kft_ring_layout *ret)
{
	struct place ts;
	struct place commit;
	struct place data;

	if (!find_field(text, len, "timestamp", &ts) ||
	    !find_field(text, len, "commit", &commit) ||
	    !find_field(text, len, "data", &data))
		return -EINVAL;
	if (ts.offset != 0 || ts.size != TS_BYTES)
		return -EINVAL;
	if (commit.size != 4 && commit.size != 8)
		return -EINVAL;
	if (commit.offset != TS_BYTES || data.offset != commit.offset + commit.size)
		return -EINVAL;
	*ret = (struct kft_ring_layout){
		.big_endian = big_endian,
		.commit_offset = commit.offset,
		.commit_size = commit.size,
		.data_offset = data.offset,
	};
	return 0;
}

static uint64_t load_long(const struct kft_ring_layout *l, const uint8_t *p)
{
	bool swap = l->big_endian != KFT_HOST_BIG_ENDIAN;

	return l->commit_size == 8 ? kft_load_u64(p, swap) : kft_load_u32(p, swap);
}

void kft_ring_page_note_missed(const struct kft_ring_layout *l, void *header)
{
	/* The commit word's low 32 bits are at its end in a big-endian page. */
	size_t low = l->big_endian ? l->commit_size - sizeof(uint32_t) : 0;
	uint8_t *p = (uint8_t *)header + l->commit_offset + low;

	p[l->big_endian ? 0 : 3] |= COMMIT_MISSED >> 24;
}

/*
 * The number of lost events, which the kernel stores after the data if it fits:
 * rb_read_page() of ring_buffer.c.
 */
static uint64_t lost_events(const struct kft_ring_layout *l, uint64_t commit,
			    const uint8_t *after, size_t left)
{
	if (!(commit & COMMIT_MISSED))
		return 0;
	if (!(commit & COMMIT_STORED) || left < l->commit_size)
		return KFT_LOST_UNKNOWN;
	uint64_t count = load_long(l, after);
	return count ? count : KFT_LOST_UNKNOWN;
}

int kft_ring_page_open(const struct kft_ring_layout *l, const uint8_t *page, size_t size,
		       struct kft_ring_page *ret)
{
	if (size < l->data_offset)
		return -ENODATA;
	/*
	 * The kernel sign-extends the commit word to 8 bytes: only the
	 * low 32 bits are valid.
	 */
	uint64_t commit = load_long(l, page + l->commit_offset);
	const uint8_t *data = page + l->data_offset;
	size_t room = size - l->data_offset;
	size_t len = commit & COMMIT_MASK;
	bool cut = len > room;

	if (cut)
		len = room;
	*ret = (struct kft_ring_page){
		.pos = data,
		.end = data + len,
		.ts = kft_ring_page_ts(l, page),
		.lost = lost_events(l, commit, data + len, room - len),
		.cut = cut,
	};
	return 0;
}

static inline __attribute__((always_inline)) int
read_page(struct kft_ring_page *page, bool big, const uint64_t *wanted,
	  const struct kft_event *origin, struct kft_event *evs, size_t max,
	  size_t *ret_n)
{
	bool swap = big != KFT_HOST_BIG_ENDIAN;
	struct kft_ring_page p = *page;
	struct kft_event ev = *origin;
	size_t n = 0;
	int r = 1;

	while (n < max) {
		r = kft_ring_next(&p, big, &ev.data, &ev.size);
		if (unlikely(r <= 0))
			break;
		/* common_type is the first field of every format. */
		ev.id = kft_load_u16(ev.data, swap);
		if (wanted && !kft_id_wanted(wanted, ev.id))
			continue;
		ev.ts = p.ts;
		ev.lost_before = p.lost;
		p.lost = 0;
		evs[n++] = ev;
	}
	*page = p;
	*ret_n = n;
	return r;
}

int kft_ring_read(struct kft_ring_page *p, bool big_endian, const uint64_t *wanted,
		  const struct kft_event *origin, struct kft_event *evs, size_t max,
		  size_t *ret_n)
{
	if (big_endian && wanted)
		return read_page(p, true, wanted, origin, evs, max, ret_n);
	if (big_endian)
		return read_page(p, true, NULL, origin, evs, max, ret_n);
	if (wanted)
		return read_page(p, false, wanted, origin, evs, max, ret_n);
	return read_page(p, false, NULL, origin, evs, max, ret_n);
}

/* One of the two walks of kft_ring_count(). */
struct lane {
	struct kft_ring_page p;
	/*
	 * Below this a short record is inside the page; NULL: not even the first one is.
	 */
	const uint8_t *safe;
	uint64_t *ids; /* the array kft_counts.low */
	const uint8_t *run; /* first record of the current fast run */
	uint64_t run_ts; /* the time before that record */
	struct kft_ring_counted *c; /* the page; NULL: no pages are left */
};

/* The pages that no walk has taken yet. */
struct page_queue {
	struct kft_ring_counted *next;
	struct kft_ring_counted *end;
};

#define SHORT_BYTES_MAX (4 + 4 * KFT_RING_DATA_MAX)

static void take_page(struct lane *l, struct page_queue *q)
{
	l->c = q->next < q->end ? q->next++ : NULL;
	if (!l->c)
		return;
	l->c->first = UINT64_MAX;
	l->c->last = 0;
	l->p = l->c->page;
	l->run_ts = l->p.ts;
	l->safe = l->p.end - l->p.pos >= SHORT_BYTES_MAX ? l->p.end - SHORT_BYTES_MAX
							 : NULL;
}

/* Counts a short data record; its bytes are known to be inside the page. */
static inline __attribute__((always_inline)) bool
count_short(const uint8_t **pos, uint64_t *ts, uint64_t *ids, bool big)
{
	bool swap = big != KFT_HOST_BIG_ENDIAN;
	uint32_t word = kft_load_u32(*pos, swap);
	uint32_t type = big ? word >> KFT_RING_TS_SHIFT : word & 31;
	uint16_t id = kft_load_u16(*pos + 4, swap);

	if (unlikely(type - 1 >= KFT_RING_DATA_MAX || id >= KFT_COUNTS_LOW))
		return false;
	*ts += big ? word & ((1u << KFT_RING_TS_SHIFT) - 1) : word >> 5;
	*pos += 4 + type * 4;
	ids[id]++;
	return true;
}

/* Advances both walks until one of them needs count_other(). */
static inline __attribute__((always_inline)) void count_two(struct lane *a,
							    struct lane *b, bool big)
{
	const uint8_t *a_pos = a->p.pos;
	const uint8_t *b_pos = b->p.pos;
	const uint8_t *const a_safe = a->safe;
	const uint8_t *const b_safe = b->safe;
	uint64_t *const a_ids = a->ids;
	uint64_t *const b_ids = b->ids;
	uint64_t a_ts = a->p.ts;
	uint64_t b_ts = b->p.ts;

	while (likely(a_pos <= a_safe && b_pos <= b_safe))
		if (!count_short(&a_pos, &a_ts, a_ids, big) ||
		    !count_short(&b_pos, &b_ts, b_ids, big))
			break;
	a->p.pos = a_pos;
	a->p.ts = a_ts;
	b->p.pos = b_pos;
	b->p.ts = b_ts;
}

static inline __attribute__((always_inline)) void count_one(struct lane *l, bool big)
{
	while (l->p.pos <= l->safe)
		if (!count_short(&l->p.pos, &l->p.ts, l->ids, big))
			break;
}

/*
 * Counts the stamps of a fast run again, one record at a time, because they overflowed 64
 * bits in it. This happens only in a damaged trace.
 */
static void rescan_run(const struct lane *l, bool big)
{
	struct kft_ring_page p = {.pos = l->run, .end = l->p.pos, .ts = l->run_ts};
	const uint8_t *data;
	uint32_t size;

	while (kft_ring_next(&p, big, &data, &size) == 1) {
		l->c->first = KFT_MIN(l->c->first, p.ts);
		l->c->last = KFT_MAX(l->c->last, p.ts);
	}
}

/*
 * Reads the next record of any type, on the next page when this one ends.
 * First and last stamps are updated here only, where each page begins: during
 * a fast run stamps only grow.
 */
static int count_other(struct lane *l, struct page_queue *q, bool big,
		       struct kft_counts *counts)
{
	bool swap = big != KFT_HOST_BIG_ENDIAN;
	const uint8_t *data;
	uint32_t size;

	while (l->c) {
		struct kft_ring_counted *c = l->c;

		if (unlikely(l->p.ts < l->run_ts))
			rescan_run(l, big);
		/* The last stamp so far is that of an event, whatever follows. */
		if (c->first != UINT64_MAX)
			c->last = KFT_MAX(c->last, l->p.ts);
		int r = kft_ring_next(&l->p, big, &data, &size);
		if (r == 1) {
			c->first = KFT_MIN(c->first, l->p.ts);
			c->last = KFT_MAX(c->last, l->p.ts);
			l->run = l->p.pos;
			l->run_ts = l->p.ts;
			return kft_counts_add(counts, kft_load_u16(data, swap));
		}
		c->page = l->p;
		c->r = r;
		take_page(l, q);
	}
	return 0;
}

static inline __attribute__((always_inline)) int
count_pages(struct page_queue *q, bool big, struct kft_counts *counts)
{
	struct lane a = {.ids = counts->low[0]};
	struct lane b = {.ids = counts->low[1]};

	take_page(&a, q);
	take_page(&b, q);
	for (;;) {
		int r = count_other(&a, q, big, counts);
		if (r == 0)
			r = count_other(&b, q, big, counts);
		if (r < 0)
			return r;
		if (!a.c || !b.c)
			break;
		count_two(&a, &b, big);
	}
	struct lane *rest = a.c ? &a : &b;
	while (rest->c) {
		count_one(rest, big);
		int r = count_other(rest, q, big, counts);
		if (r < 0)
			return r;
	}
	return 0;
}

int kft_ring_count(struct kft_ring_counted *pages, size_t n, bool big_endian,
		   struct kft_counts *c)
{
	struct page_queue q = {pages, pages + n};

	return big_endian ? count_pages(&q, true, c) : count_pages(&q, false, c);
}
