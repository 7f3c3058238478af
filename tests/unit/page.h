/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_PAGE_H
#define KFT_TESTS_PAGE_H

/*
 * Builds ring-buffer pages as a kernel of either byte order and word size writes them,
 * independently of the code that reads them.
 */
#include "t.h"

#include "base/strbuf.h"

struct t_page {
	struct kft_strbuf bytes; /* grows; t_page_finish() frees */
	bool big;
	unsigned int long_size;
};

static inline void t_put(struct kft_strbuf *sb, bool big, uint64_t v, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		kft_strbuf_addc(sb, v >> 8 * (big ? size - 1 - i : i));
}

static inline void t_patch(struct kft_strbuf *sb, size_t at, bool big, uint64_t v,
			   unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		sb->buf[at + i] = v >> 8 * (big ? size - 1 - i : i);
}

static inline void t_page_start(struct t_page *p, bool big, unsigned int long_size,
				uint64_t ts)
{
	p->big = big;
	p->long_size = long_size;
	kft_strbuf_clear(&p->bytes);
	t_put(&p->bytes, big, ts, 8);
	t_put(&p->bytes, big, 0, long_size);
}

static inline size_t t_page_header(const struct t_page *p)
{
	return 8 + p->long_size;
}

/* type_len and time_delta as the compiler lays out the bit fields of either order. */
static inline void t_page_word(struct t_page *p, uint32_t type, uint32_t delta)
{
	t_put(&p->bytes, p->big, p->big ? type << 27 | delta : delta << 5 | type, 4);
}

/* A data record of n words: id, then bytes that count up. */
static inline void t_page_data(struct t_page *p, uint32_t words, uint32_t delta,
			       uint16_t id)
{
	t_page_word(p, words, delta);
	t_put(&p->bytes, p->big, id, 2);
	for (uint32_t i = 2; i < words * 4; i++)
		kft_strbuf_addc(&p->bytes, i);
}

/* The long form: type 0, then the length with its own word. */
static inline void t_page_long(struct t_page *p, uint32_t bytes, uint32_t delta,
			       uint16_t id)
{
	t_page_word(p, 0, delta);
	t_put(&p->bytes, p->big, bytes + 4, 4);
	t_put(&p->bytes, p->big, id, 2);
	for (uint32_t i = 2; i < ((bytes + 3) & ~3u); i++)
		kft_strbuf_addc(&p->bytes, i);
}

/* Time extend (30) and absolute time stamp (31). */
static inline void t_page_time(struct t_page *p, uint32_t type, uint64_t value)
{
	t_page_word(p, type, value & ((1u << 27) - 1));
	t_put(&p->bytes, p->big, value >> 27, 4);
}

/*
 * Writes the commit word (sign extended, as kernels do) with the length so far and
 * flags, and fills the page up with bytes that would be records if they were read.
 */
static inline void t_page_end(struct t_page *p, size_t page_size, uint32_t flags)
{
	uint64_t commit = (p->bytes.len - t_page_header(p)) | flags;

	if (flags & 1u << 31)
		commit |= UINT64_C(0xffffffff) << 32;
	t_patch(&p->bytes, 8, p->big, commit, p->long_size);
	while (p->bytes.len < page_size)
		t_put(&p->bytes, p->big, 0x21, KFT_MIN(page_size - p->bytes.len, 4ul));
	assert_true(kft_strbuf_ok(&p->bytes));
}

static inline void t_page_finish(struct t_page *p)
{
	kft_strbuf_finish(&p->bytes);
}

#endif
