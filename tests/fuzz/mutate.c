// SPDX-License-Identifier: GPL-2.0-only
/* Derives inputs from those of a corpus. */
#include "mutate.h"

#include <string.h>

/* More changes at once mostly break the part of the file that is read first. */
#define CHANGES_MAX 6

struct mutation {
	uint64_t state; /* state of the random numbers */
	const struct fuzz_corpus *corpus;
	struct kft_strbuf *sb;
};

/* splitmix64: any state, also a small number, gives numbers that look random. */
static uint64_t next_number(struct mutation *m)
{
	uint64_t z = m->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static size_t below(struct mutation *m, size_t n)
{
	return n ? next_number(m) % n : 0;
}

static const struct kft_strbuf *any_file(struct mutation *m)
{
	return &m->corpus->files.data[below(m, m->corpus->files.len)];
}

static void flip_bit(struct mutation *m)
{
	if (m->sb->len)
		m->sb->buf[below(m, m->sb->len)] ^= (char)(1u << below(m, 8));
}

static void set_byte(struct mutation *m)
{
	if (m->sb->len)
		m->sb->buf[below(m, m->sb->len)] = (char)next_number(m);
}

/* Lengths and counts go wrong at such numbers. */
static void set_number(struct mutation *m)
{
	static const uint64_t numbers[] = {
		0,	    1,		0x7f,	    0x80,      0xffff,
		0x7fffffff, 0x80000000, UINT32_MAX, INT64_MAX, UINT64_C(1) << 63,
		UINT64_MAX};
	uint64_t v = numbers[below(m, ARRAY_SIZE(numbers))];
	size_t size = (size_t)1 << below(m, 4);

	if (m->sb->len < size)
		return;
	char *at = m->sb->buf + below(m, m->sb->len - size + 1);
	bool is_big = below(m, 4) == 0;

	for (size_t i = 0; i < size; i++)
		at[is_big ? size - 1 - i : i] = (char)(v >> (8 * i));
}

static void remove_bytes(struct mutation *m)
{
	size_t at = below(m, m->sb->len);
	size_t n = below(m, KFT_MIN(m->sb->len - at, (size_t)64)) + 1;

	if (m->sb->len < n)
		return;
	memmove(m->sb->buf + at, m->sb->buf + at + n, m->sb->len - at - n);
	m->sb->len -= n;
}

/* Overwrites bytes with a part of any file, or inserts that part. */
static void copy_bytes(struct mutation *m, bool inserts)
{
	const struct kft_strbuf *from = any_file(m);
	size_t begin = below(m, from->len);
	size_t n = below(m, KFT_MIN(from->len - begin, (size_t)256)) + 1;
	size_t at = below(m, m->sb->len);

	if (from->len < n || (!inserts && m->sb->len - at < n))
		return;
	if (inserts) {
		size_t rest = m->sb->len - at;

		/* The added bytes only make room: all of them are overwritten. */
		kft_strbuf_add(m->sb, from->buf, n);
		memmove(m->sb->buf + at + n, m->sb->buf + at, rest);
	}
	memcpy(m->sb->buf + at, from->buf + begin, n);
}

static void cut(struct mutation *m)
{
	m->sb->len = below(m, m->sb->len + 1);
}

static void change(struct mutation *m)
{
	switch (below(m, 16)) {
	case 0 ... 4:
		flip_bit(m);
		break;
	case 5 ... 7:
		set_byte(m);
		break;
	case 8 ... 11:
		set_number(m);
		break;
	case 12:
		remove_bytes(m);
		break;
	case 13:
		copy_bytes(m, true);
		break;
	case 14:
		copy_bytes(m, false);
		break;
	default:
		/* Cuts are rare, because files that end early have their own tests. */
		if (below(m, 8) == 0)
			cut(m);
	}
}

void fuzz_mutate(const struct fuzz_corpus *corpus, uint64_t n, struct kft_strbuf *ret)
{
	struct mutation m = {.state = n << 32, .corpus = corpus, .sb = ret};
	const struct kft_strbuf *file = any_file(&m);

	kft_strbuf_clear(ret);
	kft_strbuf_add(ret, file->buf, file->len);
	for (size_t left = below(&m, CHANGES_MAX) + 1; left; left--)
		change(&m);
}
