// SPDX-License-Identifier: LGPL-2.1-or-later
#include "file/tracedat/read_stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"
#include "base/io.h"
#include "file/tracedat/read_pages.h"
#include "model/scope.h"

struct stream {
	struct kft_stream base;
	struct kft_dat_reader *d; /* borrowed */
	struct kft_dat_input in;
	int own_fd; /* owned; -1: in is the trace's file */
	struct kft_dat_pages pages;
	bool unfinished;
	const char *path; /* escaped, for messages; borrowed from the trace */
	bool stamps_change;
	/*
	 * Losses that the pages do not tell, by their end, in the stream's time: each is
	 * a mark on the first event that is not before the end.
	 */
	KFT_VEC(struct kft_lost_range) ranges; /* owned */
	size_t next_range;

	struct kft_ring_page page;
	bool in_page;
	const uint8_t *page_data; /* borrowed from pages */
	uint64_t page_offset; /* in the file, for messages */
	uint64_t lost; /* to be told by the next event */
};

static struct stream *of(struct kft_stream *s)
{
	return container_of(s, struct stream, base);
}

__printf_fmt(4, 5) static void damage(struct stream *s, int code, uint64_t offset,
				      const char *fmt, ...)
{
	char text[200];
	va_list ap;

	/* Whatever was there is missing now. */
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

/* More than a buffer of pages of the usual size has. */
#define PAGES_AT_ONCE 64

/* The page is the last one that the file has. */
static bool is_last(const struct stream *s)
{
	return !kft_dat_pages_ready(&s->pages) && s->pages.next >= s->pages.end;
}

/*
 * Bytes behind what the commit word counts are of an earlier use of the page: a word that
 * counts more than the page holds is not believed (-EBADMSG). Only a page of which the
 * file does not have all is read as far as it goes. -ENODATA when that is too little.
 */
static int open_walk(const struct stream *s, const struct kft_dat_page *p,
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

/* Makes the page the current one. */
static void open_page(struct stream *s, const struct kft_dat_page *p)
{
	s->page_offset = p->offset;
	s->page_data = p->data;
	switch (open_walk(s, p, &s->page)) {
	case -ENODATA:
		if (!s->unfinished || !is_last(s))
			damage(s, -ENODATA, p->offset, "a page is cut short");
		return;
	case -EBADMSG:
		damage(s, -EBADMSG, p->offset,
		       "a page says that it holds more than fits");
		return;
	default:
		break;
	}
	s->page.lost = kft_lost_add(s->page.lost, s->lost);
	s->lost = 0;
	s->in_page = true;
}

/* 1 when there may be a page, 0 at the end, -errno (and damage) when nothing more comes. */
static int next_page(struct stream *s)
{
	struct kft_dat_page p = {};
	const char *why = "";
	int r = kft_dat_pages_next(&s->pages, &p, &why);

	if (r > 0)
		open_page(s, &p);
	if (r < 0)
		damage(s, r, p.offset, "%s", why);
	return r == -EBADMSG ? 1 : r;
}

static void leave_page(struct stream *s, int r)
{
	s->in_page = false;
	s->lost = kft_lost_add(s->lost, s->page.lost);
	if (r >= 0)
		return;
	if (!s->page.cut)
		damage(s, r, s->page_offset,
		       "the record at byte %td of a page runs past the page's end",
		       s->page.pos - s->page_data);
	else if (!s->unfinished)
		damage(s, -ENODATA, s->page_offset, "a page is cut short");
}

static void mark_losses(struct stream *s, struct kft_event *evs, size_t n)
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

/* What is lost where no event follows. */
static uint64_t lost_at_end(const struct stream *s)
{
	uint64_t lost = s->lost;

	for (size_t i = s->next_range; i < s->ranges.len; i++)
		lost = kft_lost_add(lost, s->ranges.data[i].count);
	return lost;
}

/* Nobody holds events any more: the memory is for the streams that go on. */
static void end_stream(struct stream *s)
{
	s->base.lost_after = lost_at_end(s);
	kft_dat_pages_release(&s->pages);
}

static void finish_batch(struct stream *s, struct kft_event *evs, size_t n)
{
	if (s->stamps_change)
		for (size_t i = 0; i < n; i++)
			evs[i].ts = kft_dat_stamp(&s->d->stamps, s->base.cpu, evs[i].ts);
	if (unlikely(s->next_range < s->ranges.len))
		mark_losses(s, evs, n);
}

static int stream_fill(struct kft_stream *base, struct kft_event *evs, size_t max)
{
	struct stream *s = of(base);
	const struct kft_event origin = {.cpu = base->cpu, .buffer = base->buffer};
	bool big = s->d->layout.big_endian;
	size_t n = 0;

	while (n < max) {
		size_t k;

		if (!s->in_page) {
			/* Events that are there borrow from the buffer: it must stay. */
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
			leave_page(s, r);
	}
	finish_batch(s, evs, n);
	if (!n)
		end_stream(s);
	return n;
}

/*
 * The loss marks of a page that has some: its events are read once more, as anybody else
 * gets them.
 */
static void count_losses(struct stream *s, struct kft_counts *c)
{
	const struct kft_event origin = {.cpu = s->base.cpu, .buffer = s->base.buffer};
	struct kft_event evs[64];
	size_t n;
	int r;

	do {
		r = kft_ring_read(&s->page, s->d->layout.big_endian, NULL, &origin, evs,
				  ARRAY_SIZE(evs), &n);
		finish_batch(s, evs, n);
		for (size_t i = 0; i < n; i++)
			kft_counts_add_loss(c, evs[i].lost_before);
	} while (r > 0);
	leave_page(s, r);
}

/* Takes what was counted of a page, as if its events had come one after the other. */
static void settle_page(struct stream *s, const struct kft_dat_page *p,
			const struct kft_ring_counted *counted, struct kft_counts *c)
{
	uint64_t first = counted->first;
	uint64_t last = counted->last;

	open_page(s, p);
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
	leave_page(s, counted->r);
}

/* The next pages that are valid together: how many, 0 at the end, -errno. */
static int next_pages(struct stream *s, struct kft_dat_page *pages, size_t max)
{
	const char *why = "";
	size_t n = 0;
	int r;

	do {
		r = kft_dat_pages_next(&s->pages, &pages[n], &why);
		if (r > 0)
			n++;
		else if (r < 0)
			damage(s, r, pages[n].offset, "%s", why);
		/* What cannot be used is stepped over. */
	} while (r == -EBADMSG || (r > 0 && n < max && kft_dat_pages_ready(&s->pages)));
	return r < 0 ? r : (int)n;
}

static int stream_count(struct kft_stream *base, struct kft_counts *c)
{
	struct stream *s = of(base);
	struct kft_dat_page pages[PAGES_AT_ONCE];
	struct kft_ring_counted counted[PAGES_AT_ONCE];
	int n;

	while ((n = next_pages(s, pages, PAGES_AT_ONCE)) > 0) {
		for (int i = 0; i < n; i++) {
			counted[i] = (struct kft_ring_counted){};
			(void)open_walk(s, &pages[i], &counted[i].page);
		}
		int r = kft_ring_count(counted, n, s->d->layout.big_endian, c);
		if (r < 0)
			return r;
		for (int i = 0; i < n; i++)
			settle_page(s, &pages[i], &counted[i], c);
	}
	if (n == 0)
		end_stream(s);
	return n;
}

static void seek(struct stream *s, uint64_t place)
{
	kft_dat_pages_seek(&s->pages, place);
	s->in_page = false;
	s->lost = 0;
}

/*
 * The time of a place's first page. False when it cannot be told: the page is empty or
 * damaged.
 */
static bool time_of(struct stream *s, uint64_t place, uint64_t *ret)
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
 * The first place in [place, end) with a time, within a few tries: damage is rare, and a
 * wrong answer only makes the search end earlier in the file.
 */
static bool time_near(struct stream *s, uint64_t place, uint64_t end, uint64_t *ret)
{
	for (unsigned int i = 0; i < 8 && place < end; i++)
		if (time_of(s, place++, ret))
			return true;
	return false;
}

/* The last place that begins before since: 0 when there is none. */
static uint64_t find_place(struct stream *s, uint64_t since)
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
	struct stream *s = of(base);
	uint64_t place = 0;
	uint64_t ts = 0;

	if (since && kft_dat_pages_places(&s->pages) > 1)
		place = find_place(s, since);
	s->next_range = 0;
	base->lost_after = 0;
	if (place && time_near(s, place, UINT64_MAX, &ts))
		/* What ended before is told by events before. */
		while (s->next_range < s->ranges.len &&
		       s->ranges.data[s->next_range].until <= ts)
			s->next_range++;
	seek(s, place);
	return 0;
}

static void stream_destroy(struct kft_stream *base)
{
	struct stream *s = of(base);

	kft_dat_pages_finish(&s->pages);
	kft_vec_finish(&s->ranges);
	kft_closep(&s->own_fd);
	free(s);
}

static const struct kft_stream_ops ops = {
	.fill = stream_fill,
	.rewind = stream_rewind,
	.count = stream_count,
	.destroy = stream_destroy,
};

/* Stamps may come in another order than they are in the file: each has to be looked at. */
static const struct kft_stream_ops ops_stamps_change = {
	.fill = stream_fill,
	.rewind = stream_rewind,
	.destroy = stream_destroy,
};

static int by_end(const void *pa, const void *pb)
{
	const struct kft_lost_range *a = pa;
	const struct kft_lost_range *b = pb;

	return a->until < b->until ? -1 : a->until > b->until;
}

static int add_ranges(struct stream *s)
{
	const struct kft_meta *m = &s->d->trace->meta;

	kft_vec_for_each(&m->lost, r) {
		struct kft_lost_range range = *r;

		if (r->cpu != s->base.cpu || s->base.buffer != 0)
			continue;
		range.until = kft_dat_stamp(&s->d->stamps, r->cpu, r->until);
		if (!kft_vec_push(&s->ranges, range))
			return -ENOMEM;
	}
	if (s->ranges.len)
		qsort(s->ranges.data, s->ranges.len, sizeof(*s->ranges.data), by_end);
	return 0;
}

int kft_dat_stream_add(struct kft_dat_reader *d, const struct kft_dat_source *src)
{
	struct kft_buffer *b = &d->trace->buffers.data[src->buffer];
	struct stream *s = calloc(1, sizeof(*s));

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
	const struct kft_dat_pages *p = &of(base)->pages;

	kft_dat_pages_init(ret, p->d, p->in, p->start, p->end, p->page_size, p->chunked);
}
