// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the events of one CPU from ring-buffer pages. */
#include "file/tracedat/read/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"
#include "base/io.h"
#include "file/tracedat/read/stream_impl.h"
#include "model/scope.h"

/* Bytes of a growing file that are freed at a time. */
#define GIVE_BACK_BYTES (UINT64_C(1) << 20)

void kft_dat_stream_damage(struct kft_dat_stream *s, int code, uint64_t offset,
			   const char *fmt, ...)
{
	char text[200];
	va_list ap;

	/* The damaged bytes may have held any number of events. */
	s->lost = KFT_LOST_UNKNOWN;
	if (s->base.damage_count++)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	(void)kft_err_set(&s->base.damage, code,
			  "'%s': events of CPU %u at byte %" PRIu64 ": %s", s->path,
			  s->base.cpu, offset, text);
}

/* Whether the page is the last one in the file. */
static bool is_last(const struct kft_dat_stream *s)
{
	return !kft_dat_pages_ready(&s->pages) && s->pages.next >= s->pages.end;
}

/*
 * Bytes beyond the commit word's count are left from an earlier use of the page, so a
 * count that exceeds the page is rejected (-EBADMSG). Only a page that the file truncates
 * is read as far as it goes. -ENODATA when even its header is truncated.
 */
int kft_dat_stream_open_walk(const struct kft_dat_stream *s, const struct kft_dat_page *p,
			     struct kft_ring_page *ret)
{
	struct kft_ring_page page;

	if (kft_ring_page_open(&s->d->layout, p->data, p->size, &page) < 0)
		return -ENODATA;
	if (page.cut && p->size == s->pages.page_size)
		return -EBADMSG;
	*ret = page;
	return 0;
}

void kft_dat_stream_open_page(struct kft_dat_stream *s, const struct kft_dat_page *p)
{
	s->page_offset = p->offset;
	s->page_data = p->data;
	switch (kft_dat_stream_open_walk(s, p, &s->page)) {
	case -ENODATA:
		if (!s->unfinished || !is_last(s))
			kft_dat_stream_damage(s, -ENODATA, p->offset,
					      "a page is cut short");
		return;
	case -EBADMSG:
		kft_dat_stream_damage(s, -EBADMSG, p->offset,
				      "a page says that it holds more than fits");
		return;
	default:
		break;
	}
	s->page.lost = kft_lost_add(s->page.lost, s->lost);
	s->lost = 0;
	s->in_page = true;
}

/*
 * 1 when there may be a page, 0 at the end, -errno (and damage) when
 * reading cannot continue.
 */
static int next_page(struct kft_dat_stream *s)
{
	struct kft_dat_page p = {};
	const char *why = "";
	int r = kft_dat_pages_next(&s->pages, &p, &why);

	if (r > 0)
		kft_dat_stream_open_page(s, &p);
	if (r < 0)
		kft_dat_stream_damage(s, r, p.offset, "%s", why);
	return r == -EBADMSG ? 1 : r;
}

void kft_dat_stream_leave_page(struct kft_dat_stream *s, int r)
{
	s->in_page = false;
	s->lost = kft_lost_add(s->lost, s->page.lost);
	if (r >= 0)
		return;
	if (!s->page.cut)
		kft_dat_stream_damage(
			s, r, s->page_offset,
			"the record at byte %td of a page runs past the page's end",
			s->page.pos - s->page_data);
	else if (!s->unfinished)
		kft_dat_stream_damage(s, -ENODATA, s->page_offset, "a page is cut short");
}

static void mark_losses(struct kft_dat_stream *s, struct kft_event *evs, size_t n)
{
	for (size_t i = 0; i < n && s->next_range < s->ranges.len;) {
		const struct kft_lost_range *range = &s->ranges.data[s->next_range];

		if (evs[i].ts < range->until) {
			i++;
			continue;
		}
		evs[i].lost_before = kft_lost_add(evs[i].lost_before, range->count);
		s->next_range++;
	}
}

/* Number of events lost after the last event. */
static uint64_t lost_at_end(const struct kft_dat_stream *s)
{
	uint64_t lost = s->lost;

	for (size_t i = s->next_range; i < s->ranges.len; i++)
		lost = kft_lost_add(lost, s->ranges.data[i].count);
	return lost;
}

void kft_dat_stream_end(struct kft_dat_stream *s)
{
	s->base.lost_after = s->goes_on || s->base.is_growing ? 0 : lost_at_end(s);
	kft_dat_pages_release(&s->pages);
}

void kft_dat_stream_finish_batch(struct kft_dat_stream *s, struct kft_event *evs,
				 size_t n)
{
	if (s->stamps_change)
		for (size_t i = 0; i < n; i++)
			evs[i].ts = kft_dat_stamp(&s->d->stamps, s->base.cpu, evs[i].ts);
	if (unlikely(s->next_range < s->ranges.len))
		mark_losses(s, evs, n);
}

static int stream_fill(struct kft_stream *base, struct kft_event *evs, size_t max)
{
	struct kft_dat_stream *s = kft_dat_stream_of(base);
	const struct kft_event origin = {.cpu = base->cpu, .buffer = base->buffer};
	bool big = s->d->layout.big_endian;
	size_t n = 0;

	while (n < max) {
		size_t k;

		if (!s->in_page) {
			/*
			 * Events in evs borrow from the buffer, so
			 * it must not be refilled.
			 */
			if (n && !kft_dat_pages_ready(&s->pages))
				break;
			int r = next_page(s);
			if (r < 0)
				return r;
			if (r == 0)
				break;
			if (!s->in_page)
				continue;
		}
		int r = kft_ring_read(&s->page, big, base->wanted, &origin, evs + n,
				      max - n, &k);
		n += k;
		if (r <= 0)
			kft_dat_stream_leave_page(s, r);
	}
	kft_dat_stream_finish_batch(s, evs, n);
	if (!n)
		kft_dat_stream_end(s);
	return n;
}

static void seek(struct kft_dat_stream *s, uint64_t place)
{
	kft_dat_pages_seek(&s->pages, place);
	s->in_page = false;
	s->lost = 0;
}

/*
 * The time of a place's first page. False when it is unknown: the
 * page is empty or damaged.
 */
static bool time_of(struct kft_dat_stream *s, uint64_t place, uint64_t *ret)
{
	struct kft_ring_page page;
	struct kft_dat_page p;
	const char *why;

	seek(s, place);
	if (kft_dat_pages_next(&s->pages, &p, &why) <= 0 ||
	    kft_ring_page_open(&s->d->layout, p.data, p.size, &page) < 0 ||
	    page.pos == page.end || page.cut)
		return false;
	*ret = kft_dat_stamp(&s->d->stamps, s->base.cpu, page.ts);
	return true;
}

/*
 * The first place in [place, end) with a known time, within a few tries. Damage is rare,
 * and a wrong answer only makes the search end earlier in the file.
 */
static bool time_near(struct kft_dat_stream *s, uint64_t place, uint64_t end,
		      uint64_t *ret)
{
	for (unsigned int i = 0; i < 8 && place < end; i++)
		if (time_of(s, place++, ret))
			return true;
	return false;
}

/* The last place that begins before since; 0 when there is none. */
static uint64_t find_place(struct kft_dat_stream *s, uint64_t since)
{
	uint64_t lo = 0;
	uint64_t hi = kft_dat_pages_places(&s->pages);

	while (hi - lo > 1) {
		uint64_t mid = lo + (hi - lo) / 2;
		uint64_t ts;

		if (time_near(s, mid, hi, &ts) && ts < since)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static int stream_rewind(struct kft_stream *base, uint64_t since)
{
	struct kft_dat_stream *s = kft_dat_stream_of(base);
	uint64_t place = 0;
	uint64_t ts = 0;

	if (since && kft_dat_pages_places(&s->pages) > 1)
		place = find_place(s, since);
	s->next_range = s->first_range;
	base->lost_after = 0;
	if (place && time_near(s, place, UINT64_MAX, &ts))
		/* Losses that end before the place belong to events before it. */
		while (s->next_range < s->ranges.len &&
		       s->ranges.data[s->next_range].until <= ts)
			s->next_range++;
	seek(s, place);
	return 0;
}

static void stream_destroy(struct kft_stream *base)
{
	struct kft_dat_stream *s = kft_dat_stream_of(base);

	kft_dat_pages_finish(&s->pages);
	kft_vec_finish(&s->ranges);
	kft_closep(&s->own_fd);
	free(s);
}

static const struct kft_stream_ops ops = {
	.fill = stream_fill,
	.rewind = stream_rewind,
	.count = kft_dat_stream_count,
	.split = kft_dat_stream_split,
	.destroy = stream_destroy,
	.skips_unwanted = true,
};

/*
 * Corrected stamps may be in another order than the file's: stamps
 * of all events are needed.
 */
static const struct kft_stream_ops ops_stamps_change = {
	.fill = stream_fill,
	.rewind = stream_rewind,
	.destroy = stream_destroy,
	.skips_unwanted = true,
};

static int by_end(const void *pa, const void *pb)
{
	const struct kft_lost_range *a = pa;
	const struct kft_lost_range *b = pb;

	return a->until < b->until ? -1 : a->until > b->until;
}

static int add_range(struct kft_dat_stream *s, const struct kft_lost_range *r)
{
	struct kft_lost_range range = *r;

	if (r->cpu != s->base.cpu || s->base.buffer != 0)
		return 0;
	range.until = kft_dat_stamp(&s->d->stamps, r->cpu, r->until);
	return kft_vec_push(&s->ranges, range) ? 0 : -ENOMEM;
}

/* Sorts the losses that no event was marked with yet. */
static void sort_ranges(struct kft_dat_stream *s)
{
	size_t n = s->ranges.len - s->next_range;

	if (n)
		qsort(s->ranges.data + s->next_range, n, sizeof(*s->ranges.data), by_end);
}

static int add_ranges(struct kft_dat_stream *s)
{
	int r = 0;

	kft_vec_for_each(&s->d->trace->meta.lost, range)
		if (r == 0)
			r = add_range(s, range);
	sort_ranges(s);
	return r;
}

int kft_dat_stream_lose(struct kft_stream *base, const struct kft_lost_range *range)
{
	struct kft_dat_stream *s = kft_dat_stream_of(base);
	int r = add_range(s, range);

	sort_ranges(s);
	return r;
}

/*
 * Frees the blocks of pages that were read. Where the file system cannot do this, the
 * file grows to the length of the stream.
 */
static void give_back(struct kft_dat_stream *s)
{
	uint64_t read = s->pages.next / GIVE_BACK_BYTES * GIVE_BACK_BYTES;

	if (read <= s->given_back)
		return;
	(void)fallocate(s->in.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			(off_t)s->given_back, (off_t)(read - s->given_back));
	s->given_back = read;
}

void kft_dat_stream_grow(struct kft_stream *base, int fd, uint64_t bytes)
{
	struct kft_dat_stream *s = kft_dat_stream_of(base);

	s->in.fd = fd;
	s->in.size = bytes;
	s->pages.end = bytes;
	give_back(s);
}

int kft_dat_stream_add(struct kft_dat_reader *d, const struct kft_dat_source *src)
{
	struct kft_buffer *b = &d->trace->buffers.data[src->buffer];
	struct kft_dat_stream *s = calloc(1, sizeof(*s));

	if (!s) {
		if (src->fd >= 0)
			(void)close(src->fd);
		return -ENOMEM;
	}
	s->stamps_change = kft_dat_stamps_change(&d->stamps, src->cpu);
	s->base = (struct kft_stream){
		.ops = s->stamps_change ? &ops_stamps_change : &ops,
		.cpu = src->cpu,
		.buffer = src->buffer,
	};
	s->d = d;
	s->own_fd = src->fd;
	s->in = d->in;
	if (src->fd >= 0) {
		s->in.fd = src->fd;
		s->in.size = src->size;
	}
	s->path = src->path ? src->path : d->path;
	s->unfinished = src->unfinished;
	kft_dat_pages_init(&s->pages, d, &s->in, src->start, src->end, src->page_size,
			   src->chunked);
	if (add_ranges(s) < 0 || !kft_vec_push(&b->streams, &s->base)) {
		stream_destroy(&s->base);
		return -ENOMEM;
	}
	d->n_streams++;
	return 0;
}

void kft_dat_stream_open_pages(struct kft_stream *base, struct kft_dat_pages *ret)
{
	const struct kft_dat_pages *p = &kft_dat_stream_of(base)->pages;

	kft_dat_pages_init(ret, p->d, p->in, p->start, p->end, p->page_size, p->chunked);
}
