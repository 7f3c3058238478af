// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the events of a stream without reading them. */
#include <errno.h>

#include "file/tracedat/read/stream_impl.h"

/* More pages than a buffer holds with the usual page size. */
#define PAGES_AT_ONCE 64

/*
 * Counts the losses of a page that has some, by reading its events as stream_fill() does.
 */
static void count_losses(struct kft_dat_stream *s, struct kft_counts *c)
{
	const struct kft_event origin = {.cpu = s->base.cpu, .buffer = s->base.buffer};
	struct kft_event evs[64];
	size_t n;
	int r;

	do {
		r = kft_ring_read(&s->page, s->d->layout.big_endian, NULL, &origin, evs,
				  ARRAY_SIZE(evs), &n);
		kft_dat_stream_finish_batch(s, evs, n);
		for (size_t i = 0; i < n; i++)
			kft_counts_add_loss(c, evs[i].lost_before);
	} while (r > 0);
	kft_dat_stream_leave_page(s, r);
}

/* Updates the stream and the counts as if the page's events had been read one by one. */
static void settle_page(struct kft_dat_stream *s, const struct kft_dat_page *p,
			const struct kft_ring_counted *counted, struct kft_counts *c)
{
	uint64_t first = counted->first;
	uint64_t last = counted->last;

	kft_dat_stream_open_page(s, p);
	if (!s->in_page)
		return;
	if (first <= last) {
		c->first = KFT_MIN(c->first, first);
		c->last = KFT_MAX(c->last, last);
	}
	bool range_ends = s->next_range < s->ranges.len && first <= last &&
			  last >= s->ranges.data[s->next_range].until;
	if (unlikely(s->page.lost || range_ends)) {
		count_losses(s, c);
		return;
	}
	s->page = counted->page;
	kft_dat_stream_leave_page(s, counted->r);
}

/* Gets the next pages that are valid together: their number, 0 at the end, -errno. */
static int next_pages(struct kft_dat_stream *s, struct kft_dat_page *pages, size_t max)
{
	const char *why = "";
	size_t n = 0;
	int r;

	do {
		r = kft_dat_pages_next(&s->pages, &pages[n], &why);
		if (r > 0)
			n++;
		else if (r < 0)
			kft_dat_stream_damage(s, r, pages[n].offset, "%s", why);
		/* A malformed chunk is skipped. */
	} while (r == -EBADMSG || (r > 0 && n < max && kft_dat_pages_ready(&s->pages)));
	return r < 0 ? r : (int)n;
}

int kft_dat_stream_count(struct kft_stream *base, struct kft_counts *c)
{
	struct kft_dat_stream *s = kft_dat_stream_of(base);
	struct kft_dat_page pages[PAGES_AT_ONCE];
	struct kft_ring_counted counted[PAGES_AT_ONCE];
	int n;

	while ((n = next_pages(s, pages, PAGES_AT_ONCE)) > 0) {
		for (int i = 0; i < n; i++) {
			counted[i] = (struct kft_ring_counted){};
			(void)kft_dat_stream_open_walk(s, &pages[i], &counted[i].page);
		}
		int r = kft_ring_count(counted, n, s->d->layout.big_endian, c);
		if (r < 0)
			return r;
		for (int i = 0; i < n; i++)
			settle_page(s, &pages[i], &counted[i], c);
	}
	if (n == 0)
		kft_dat_stream_end(s);
	return n;
}
