// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds levels of detail from items. */
#include "view/pyramid.h"

#include <errno.h>

#include "view/columns.h"

/* Items of a chunk, which the browser unpacks and decodes in some milliseconds. */
#define CHUNK_ITEMS 32768

/* A level has at most one item for this number of items of the level below. */
#define REDUCTION 8

/* Initial number of columns of a chunk, so that few attempts are needed. */
#define FINEST 4096

void kft_view_pyramid_finish(struct kft_view_pyramid *p)
{
	for (int i = 0; i < KFT_VIEW_LEVELS; i++)
		kft_vec_finish(&p->levels[i].items);
	kft_strbuf_finish(&p->texts);
	kft_vec_finish(&p->sorted);
	kft_vec_finish(&p->place);
}

/* Sorts into p->sorted by track; items of one track keep their order. */
static int sort(struct kft_view_pyramid *p, const struct kft_view_level *level)
{
	uint32_t n_tracks = 0;

	kft_vec_for_each(&level->items, i)
		n_tracks = KFT_MAX(n_tracks, i->track + 1);
	p->place.len = 0;
	p->sorted.len = 0;
	if (!kft_vec_reserve(&p->place, n_tracks + 1) ||
	    !kft_vec_reserve(&p->sorted, level->items.len))
		return -ENOMEM;
	memset(p->place.data, 0, (n_tracks + 1) * sizeof(*p->place.data));
	kft_vec_for_each(&level->items, i)
		p->place.data[i->track + 1]++;
	for (uint32_t track = 0; track < n_tracks; track++)
		p->place.data[track + 1] += p->place.data[track];
	kft_vec_for_each(&level->items, i)
		p->sorted.data[p->place.data[i->track]++] = *i;
	p->sorted.len = level->items.len;
	return 0;
}

static void span(const struct kft_view_pyramid *p, uint64_t *ret_begin, uint64_t *ret_end)
{
	*ret_begin = UINT64_MAX;
	*ret_end = 0;
	kft_vec_for_each(&p->sorted, i) {
		*ret_begin = KFT_MIN(*ret_begin, i->begin_ns);
		*ret_end = KFT_MAX(*ret_end, i->end_ns);
	}
}

static size_t track_end(const struct kft_view_pyramid *p, size_t at)
{
	uint32_t track = p->sorted.data[at].track;

	while (at < p->sorted.len && p->sorted.data[at].track == track)
		at++;
	return at;
}

static int write_chunk(struct kft_view_pyramid *p, unsigned int level)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf raw = {};
	struct kft_view_chunk about = {.level = level, .items = p->sorted.len};
	uint32_t before = 0;

	span(p, &about.begin_ns, &about.end_ns);
	for (size_t at = 0; at < p->sorted.len;) {
		const struct kft_view_item *first = &p->sorted.data[at];
		size_t end = track_end(p, at);

		kft_view_varint(&raw, first->track - before);
		kft_view_varint(&raw, end - at);
		kft_view_columns(first, end - at, level, &p->texts, &raw);
		before = first->track;
		at = end;
	}
	return kft_view_chunks_add(p->chunks, &about, &raw);
}

/* Whether two items merge, if all items within close_ns do. */
static bool are_close(const struct kft_view_item *run, const struct kft_view_item *next,
		      uint64_t close_ns)
{
	return run->track == next->track && next->end_ns - run->begin_ns <= close_ns;
}

/* The number of items that the level above would have. */
static size_t count_runs(const struct kft_view_pyramid *p, uint64_t close_ns)
{
	const struct kft_view_item *run = NULL;
	size_t runs = 0;

	kft_vec_for_each(&p->sorted, i) {
		if (run && are_close(run, i, close_ns))
			continue;
		run = i;
		runs++;
	}
	return runs;
}

static uint64_t choose_close(struct kft_view_pyramid *p)
{
	uint64_t begin;
	uint64_t end;
	uint64_t close_ns;

	span(p, &begin, &end);
	close_ns = KFT_MAX((end - begin) / FINEST, p->close_ns / 2);
	close_ns = KFT_MAX(close_ns, UINT64_C(1));
	while (close_ns < end - begin &&
	       count_runs(p, close_ns) > p->sorted.len / REDUCTION)
		/* Doubling a value above half of the range would overflow. */
		close_ns = close_ns > UINT64_MAX / 2 ? UINT64_MAX : close_ns * 2;
	p->close_ns = close_ns;
	return close_ns;
}

/* Converts an item of a level to one of the level above. */
static struct kft_view_item lift(const struct kft_view_item *i, unsigned int level,
				 uint32_t chunk)
{
	struct kft_view_item up = *i;

	if (!level) {
		up.count = 1;
		up.busy_ns = up.max_ns = i->end_ns - i->begin_ns;
	}
	up.n = 1;
	up.child = chunk;
	return up;
}

static void add_to_run(struct kft_view_item *run, const struct kft_view_item *i)
{
	run->end_ns = i->end_ns;
	run->n++;
	run->count += i->count;
	run->busy_ns += i->busy_ns;
	run->flags |= i->flags;
	int64_t peak = KFT_MAX(run->value, i->value);

	if (i->max_ns > run->max_ns) {
		run->max_ns = i->max_ns;
		run->key = i->key;
		run->value = i->value;
		run->other = i->other;
	}
	if (run->flags & KFT_VIEW_PEAK)
		run->value = peak;
}

/* Adds the merged items of a chunk to the level above. */
static int raise_runs(struct kft_view_pyramid *p, unsigned int level, uint32_t chunk)
{
	struct kft_view_level *above = &p->levels[level + 1];
	uint64_t close_ns = choose_close(p);
	size_t first = above->items.len;

	if (!kft_vec_reserve(&above->items, p->sorted.len))
		return -ENOMEM;
	kft_vec_for_each(&p->sorted, i) {
		const struct kft_view_item up = lift(i, level, chunk);
		struct kft_view_item *run = above->items.len > first
						    ? above->items.data +
							      above->items.len - 1
						    : NULL;

		if (run && are_close(run, &up, close_ns))
			add_to_run(run, &up);
		else
			above->items.data[above->items.len++] = up;
	}
	return 0;
}

static int flush(struct kft_view_pyramid *p, unsigned int n)
{
	struct kft_view_level *level = &p->levels[n];
	uint32_t chunk = p->chunks->list.len;
	int r = sort(p, level);

	if (!r)
		r = write_chunk(p, n);
	if (!r && n + 1 < KFT_VIEW_LEVELS)
		r = raise_runs(p, n, chunk);
	level->items.len = 0;
	level->chunks++;
	if (n == 0)
		kft_strbuf_clear(&p->texts);
	return r;
}

/*
 * Writes the levels that have enough items for a chunk. The highest
 * level collects everything.
 */
static int flush_full(struct kft_view_pyramid *p)
{
	int r = 0;

	for (unsigned int n = 0; n + 1 < KFT_VIEW_LEVELS && !r; n++) {
		if (p->levels[n].items.len < CHUNK_ITEMS)
			break;
		r = flush(p, n);
	}
	return r;
}

int kft_view_pyramid_add(struct kft_view_pyramid *p, const struct kft_view_item *item,
			 const char *text, size_t len)
{
	struct kft_view_item i = *item;

	i.text = p->texts.len;
	i.text_len = len;
	kft_strbuf_add(&p->texts, text, len);
	if (!kft_strbuf_ok(&p->texts) || !kft_vec_push(&p->levels[0].items, i))
		return -ENOMEM;
	return likely(p->levels[0].items.len < CHUNK_ITEMS) ? 0 : flush_full(p);
}

int kft_view_pyramid_end(struct kft_view_pyramid *p)
{
	int r = 0;

	for (unsigned int n = 0; n < KFT_VIEW_LEVELS && !r; n++) {
		bool is_top = true;

		for (unsigned int i = n; i < KFT_VIEW_LEVELS; i++)
			is_top &= !p->levels[i].chunks &&
				  (i == n || !p->levels[i].items.len);
		if (p->levels[n].items.len)
			r = flush(p, n);
		if (is_top)
			break;
	}
	return r;
}
