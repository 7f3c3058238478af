// SPDX-License-Identifier: LGPL-2.1-or-later
/* Chooses the chunks that a page leaves out. */
#include "view/thin.h"

static bool is_in(const struct kft_view_item *i, const struct kft_view_chunk *c)
{
	return i->end_ns >= c->begin_ns && i->begin_ns <= c->end_ns;
}

static bool has_longest(const struct kft_view_pack *p, const struct kft_view_chunk *c)
{
	kft_vec_for_each(&p->keys.list, k)
		if (k->count > k->cut &&
		    (is_in(&k->longest, c) || is_in(&k->worst_item, c)))
			return true;
	return false;
}

static bool is_asked_for(const struct kft_view_pack *p, const struct kft_view_chunk *c,
			 const struct kft_view_range *exact, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (exact[i].end_ns >= p->start_ns + c->begin_ns &&
		    exact[i].begin_ns <= p->start_ns + c->end_ns)
			return true;
	return false;
}

/* Marks the chunks of a level that can be left out; returns the sum of their bytes. */
static uint64_t mark_level(struct kft_view_pack *p, unsigned int level,
			   const struct kft_view_range *exact, size_t n_exact)
{
	uint64_t bytes = 0;

	kft_vec_for_each(&p->chunks.list, c) {
		c->is_left_out |= c->level == level && !has_longest(p, c) &&
				  !is_asked_for(p, c, exact, n_exact);
		if (c->level == level && c->is_left_out)
			bytes += c->bytes;
	}
	return bytes;
}

/* Unmarks as many chunks as there is room for, evenly distributed. */
static void fill_up(struct kft_view_pack *p, unsigned int level, uint64_t marked,
		    uint64_t room)
{
	double share = marked ? (double)room / (double)marked : 0;
	double kept = 0;
	double seen = 0;

	kft_vec_for_each(&p->chunks.list, c) {
		if (c->level != level || !c->is_left_out)
			continue;
		seen += c->bytes;
		if (kept + c->bytes > seen * share)
			continue;
		kept += c->bytes;
		c->is_left_out = false;
	}
}

void kft_view_thin(struct kft_view_pack *p, uint64_t max_bytes,
		   const struct kft_view_range *exact, size_t n_exact)
{
	uint64_t bytes = p->chunks.bytes;

	for (unsigned int level = 0; level + 1 < KFT_VIEW_LEVELS && bytes > max_bytes;
	     level++) {
		uint64_t marked = mark_level(p, level, exact, n_exact);

		bytes -= marked;
		if (bytes < max_bytes)
			fill_up(p, level, marked, max_bytes - bytes);
	}
	/* A page without its roots would be empty. */
	kft_vec_for_each(&p->roots, root)
		p->chunks.list.data[*root].is_left_out = false;
}
