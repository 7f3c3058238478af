/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/ctf/walk.h"

/*
 * Event headers: the id and the time of an event. LTTng's two headers and those of
 * fixed integers are recognized by their shape and read with a few loads; others
 * are read by kft_ctf_walk().
 */
enum kft_ctf_header_kind {
	KFT_CTF_HEADER_NONE, /* no header: one class of events, without a time */
	KFT_CTF_HEADER_WALK,
	KFT_CTF_HEADER_FIXED, /* whole bytes: an id, a time, or both */
	/*
	 * A short id next to a short time; the largest id is an escape
	 * to the long form of both.
	 */
	KFT_CTF_HEADER_COMPACT, /* 5-bit id, 27-bit time */
	KFT_CTF_HEADER_LARGE, /* 16-bit id, 32-bit time */
};

struct kft_ctf_header {
	uint8_t kind; /* enum kft_ctf_header_kind */
	bool swap;
	bool big_endian;
	const struct kft_ctf_node *root; /* NULL: no header */
	uint32_t align; /* of the header, in bits */
	/* Known alignment of the header's end, in bits: 8, or 1. */
	uint32_t end_align;
	/*
	 * FIXED: offsets in bytes from the header's start; id_bits or
	 * time_bits 0: it has none.
	 */
	uint32_t bytes;
	uint32_t id_at;
	uint32_t id_bits;
	uint32_t time_at;
	uint32_t time_bits;
	/* COMPACT, LARGE: alignments of the parts of the long form, in bits. */
	uint32_t align_ext;
	uint32_t align_id;
	uint32_t align_time;
	/* LARGE: alignment of the short form's time, in bits */
	uint32_t align_short_time;
};

/* Plans how to read the header of this tree; root NULL: events have none. */
struct kft_ctf_header kft_ctf_header_plan(const struct kft_ctf_node *root);

/*
 * Reads a header at w's position: w->time and *ret_id. False when the
 * bytes end before it does.
 */
__must_check bool kft_ctf_header_read_other(const struct kft_ctf_header *h,
					    struct kft_ctf_walk *w, uint64_t *ret_id);

/* Reads the long form of LTTng's headers: u32 id, u64 time. */
__must_check bool kft_ctf_header_read_long(const struct kft_ctf_header *h,
					   struct kft_ctf_walk *w, uint64_t *ret_id);

static inline __attribute__((always_inline)) bool
kft_ctf_header_read(const struct kft_ctf_header *h, struct kft_ctf_walk *w,
		    uint64_t *ret_id)
{
	struct kft_ctf_bits *b = &w->bits;

	if (unlikely(h->kind < KFT_CTF_HEADER_FIXED))
		return kft_ctf_header_read_other(h, w, ret_id);
	if (unlikely(!kft_ctf_bits_align(b, h->align)))
		return false;
	const uint8_t *p = kft_ctf_bits_here(b);
	uint64_t left = b->end - b->pos;

	if (h->kind == KFT_CTF_HEADER_COMPACT) {
		if (unlikely(left < 32))
			return false;
		uint32_t word = kft_load_u32(p, h->swap);
		uint32_t id = h->big_endian ? word >> 27 : word & 31;
		if (unlikely(id == 31)) {
			b->pos += 5;
			return kft_ctf_header_read_long(h, w, ret_id);
		}
		b->pos += 32;
		*ret_id = id;
		w->time = kft_ctf_time(w->time,
				       h->big_endian ? word & 0x07ffffff : word >> 5, 27);
		return true;
	}
	if (h->kind == KFT_CTF_HEADER_LARGE) {
		if (unlikely(left < 48))
			return false;
		uint32_t id = kft_load_u16(p, h->swap);
		b->pos += 16;
		if (unlikely(id == 65535))
			return kft_ctf_header_read_long(h, w, ret_id);
		if (unlikely(!kft_ctf_bits_align(b, h->align_short_time)))
			return false;
		p = kft_ctf_bits_here(b);
		if (unlikely(!kft_ctf_bits_skip(b, 32)))
			return false;
		*ret_id = id;
		w->time = kft_ctf_time(w->time, kft_load_u32(p, h->swap), 32);
		return true;
	}
	if (unlikely(left < (uint64_t)h->bytes * 8))
		return false;
	b->pos += (uint64_t)h->bytes * 8;
	*ret_id = h->id_bits ? kft_ctf_load(p + h->id_at, h->id_bits, h->swap) : 0;
	if (h->time_bits)
		w->time = kft_ctf_time(
			w->time, kft_ctf_load(p + h->time_at, h->time_bits, h->swap),
			h->time_bits);
	return true;
}
