/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_WALK_H
#define KFT_FILE_CTF_WALK_H

#include "base/strbuf.h"
#include "file/ctf/bits.h"
#include "file/ctf/node.h"

/*
 * Steps through the bytes of a node of any kind: keeps lengths and tags in their slots,
 * follows the clock, and can make text of what it sees. What events have often is read by
 * faster means (program.h, header.h); this reads everything.
 */

/* Values in one event or header; a hostile array of nothing would have billions. */
#define KFT_CTF_STEPS_MAX (1u << 20)

struct kft_ctf_walk {
	struct kft_ctf_bits bits;
	uint64_t *slots; /* borrowed, n_slots of them */
	uint64_t time; /* of the clock, in its cycles: changed by integers mapped to it */
	uint32_t steps; /* left */
	uint64_t event; /* where the last event began */
	struct kft_strbuf *text; /* where values are written; NULL: nowhere */
};

/* False when the bytes end before the node does, or make no sense. */
__must_check bool kft_ctf_walk(struct kft_ctf_walk *w, const struct kft_ctf_node *n);

/* A time of size bits, from one before it: what is missing comes from there (8.2). */
static inline uint64_t kft_ctf_time(uint64_t before, uint64_t v, uint32_t size)
{
	if (size >= 64)
		return v;
	uint64_t wrap = UINT64_C(1) << size;
	uint64_t time = (before & ~(wrap - 1)) | v;

	return time < before ? time + wrap : time;
}

#endif
