/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "file/ctf/bits.h"
#include "file/ctf/tsdl/node.h"

/*
 * Steps through the bytes of any node: stores lengths and tags in their slots, updates
 * the clock, and can convert values to text. Frequent types have faster readers
 * (program.h, header.h); this one handles everything.
 */

/*
 * Maximum of values in one event or header; a hostile array of
 * empty elements has billions.
 */
#define KFT_CTF_STEPS_MAX (1u << 20)

struct kft_ctf_walk {
	struct kft_ctf_bits bits;
	uint64_t *slots; /* borrowed, n_slots of them */
	/* Clock of the packet in cycles, updated by integers that are mapped to it. */
	uint64_t time;
	uint32_t steps; /* values left until KFT_CTF_STEPS_MAX */
	uint64_t event; /* bit offset of the last event */
	/* Borrowed: values are appended to it as text; NULL: no text. */
	struct kft_strbuf *text;
};

/* False when the node is malformed or longer than the bytes. */
__must_check bool kft_ctf_walk(struct kft_ctf_walk *w, const struct kft_ctf_node *n);

/* Extends a time of size bits by the high bits of the time before it (8.2). */
static inline uint64_t kft_ctf_time(uint64_t before, uint64_t v, uint32_t size)
{
	if (size >= 64)
		return v;
	uint64_t wrap = UINT64_C(1) << size;
	uint64_t time = (before & ~(wrap - 1)) | v;

	return time < before ? time + wrap : time;
}
