// SPDX-License-Identifier: LGPL-2.1-or-later
/* Splits streams into parts that several threads read. */
#include <errno.h>

#include "file/tracedat/read/stream_impl.h"

/* Number of places that are tried as the start of a part before giving up. */
#define TRIES_MAX 8

/*
 * A part may begin at a page if the page before it has events and no damage: no loss
 * or damage is then left to report with the part's first event. *ret_last is the stamp
 * of the page's last event.
 */
static bool ends_clean(const struct kft_dat_stream *s, const struct kft_dat_page *p,
		       uint64_t *ret_last)
{
	bool big = s->d->layout.big_endian;
	struct kft_ring_page page;
	const uint8_t *data;
	uint32_t size;
	bool any = false;
	int r;

	if (kft_dat_stream_open_walk(s, p, &page) < 0)
		return false;
	while ((r = kft_ring_next(&page, big, &data, &size)) > 0) {
		*ret_last = page.ts;
		any = true;
	}
	return any && r == 0;
}

/* Whether a part can begin at a place. */
static bool can_cut(struct kft_dat_stream *s, uint64_t place, uint64_t *ret_last)
{
	struct kft_dat_pages before;
	struct kft_dat_page page;
	const char *why;
	bool clean = false;
	int r;

	kft_dat_pages_part(&s->pages, place - 1, place, &before);
	while ((r = kft_dat_pages_next(&before, &page, &why)) > 0)
		clean = ends_clean(s, &page, ret_last);
	kft_dat_pages_finish(&before);
	return clean && r == 0;
}

/*
 * Makes a stream of the places [from, to); `last` is the stamp of the last event before.
 */
static struct kft_stream *make_part(struct kft_dat_stream *s, uint64_t from, uint64_t to,
				    uint64_t last)
{
	struct kft_dat_stream *part = calloc(1, sizeof(*part));

	if (!part)
		return NULL;
	*part = (struct kft_dat_stream){
		.base = {.ops = s->base.ops,
			 .cpu = s->base.cpu,
			 .buffer = s->base.buffer},
		.d = s->d,
		.in = s->in,
		.own_fd = -1,
		.unfinished = s->unfinished,
		.path = s->path,
	};
	kft_dat_pages_part(&s->pages, from, to, &part->pages);
	part->pages.in = &part->in;
	part->goes_on = to < kft_dat_pages_places(&s->pages);
	kft_vec_for_each(&s->ranges, r) {
		if (!kft_vec_push(&part->ranges, *r)) {
			part->base.ops->destroy(&part->base);
			return NULL;
		}
		/* The event that this loss marks is in an earlier part. */
		if (from && r->until <= last)
			part->first_range++;
	}
	part->next_range = part->first_range;
	return &part->base;
}

static int drop_parts(struct kft_stream **parts, size_t n)
{
	while (n > 0) {
		n--;
		parts[n]->ops->destroy(parts[n]);
	}
	return -ENOMEM;
}

int kft_dat_stream_split(struct kft_stream *base, uint64_t min_bytes,
			 struct kft_stream **ret, size_t n)
{
	struct kft_dat_stream *s = kft_dat_stream_of(base);
	uint64_t places = kft_dat_pages_places(&s->pages);
	uint64_t most = (s->pages.end - s->pages.start) / KFT_MAX(min_bytes, UINT64_C(1));
	uint64_t from = 0;
	uint64_t last = 0;
	size_t made = 0;

	most = KFT_MIN(most, places);
	n = KFT_MIN((uint64_t)n, most);
	if (n < 2)
		return 0;
	for (size_t i = 1; i <= n; i++) {
		uint64_t to = i == n ? places : places / n * i;
		uint64_t next_last = 0;
		unsigned int tries = 0;

		to = KFT_MAX(to, from + 1);
		while (to < places && tries < TRIES_MAX && !can_cut(s, to, &next_last)) {
			tries++;
			to++;
		}
		/*
		 * No part can begin there: the current part
		 * continues into the next share.
		 */
		if (to < places && tries == TRIES_MAX)
			continue;
		ret[made] = make_part(s, from, to, last);
		if (!ret[made])
			return drop_parts(ret, made);
		made++;
		if (to == places)
			break;
		from = to;
		last = next_last;
	}
	return made;
}
