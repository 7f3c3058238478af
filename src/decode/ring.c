// SPDX-License-Identifier: LGPL-2.1-or-later
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
 * "	field: local_t commit;	offset:8;	size:8;	signed:1;": finds the line
 * whose declaration ends in the name.
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

/* The count, when there was room for it, follows the data: rb_read_page() */
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
	/* Sign extended to 8 bytes by the kernel: only the low 32 bits mean something. */
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
