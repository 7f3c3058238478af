// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds an interval and says what its time was spent on: the rows and what leads. */
#include "analysis/why.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

/* What was before an interval, so that it is known who was where when it began. */
#define BEFORE_NS	UINT64_C(1000000000)
#define BEFORE_USUAL_NS UINT64_C(50000000)
#define AFTER_NS	UINT64_C(10000000)

/* Intervals that are looked at to know what is usual. */
#define USUAL_MAX 9
/* A little longer than usual is usual. In tenths. */
#define STRANGE_TENTHS 12

static int compare_rows(const void *pa, const void *pb)
{
	const struct kft_why_row *a = pa;
	const struct kft_why_row *b = pb;

	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return a->like.begin < b->like.begin ? -1 : a->like.begin > b->like.begin;
}

/* Whether two segments are one row: the same thing, on whatever CPU. */
static bool is_row(const struct kft_why_segment *a, const struct kft_why_segment *b)
{
	if (a->cause != b->cause || a->mode != b->mode || a->pid != b->pid ||
	    a->what != b->what)
		return false;
	/* For whom a task waited does not matter where it waited itself. */
	return a->link == b->link;
}

/* Rows are found by what they are; those of one hash are few. */
static uint64_t hash_segment(const struct kft_why_segment *s)
{
	const uint64_t parts[] = {s->cause, s->mode, (uint32_t)s->pid, s->what, s->link};

	return kft_hash_bytes(parts, sizeof(parts)) >> 1;
}

static struct kft_why_row *get_row(struct kft_why *w, struct kft_map *by_hash,
				   const struct kft_why_segment *s)
{
	uint64_t hash = hash_segment(s);

	for (;; hash = (hash + 1) & INT64_MAX) {
		uint64_t *slot = kft_map_put(by_hash, hash);

		if (!slot)
			return NULL;
		if (*slot && !is_row(&w->rows.data[*slot - 1].like, s))
			continue;
		if (!*slot && !kft_vec_push(&w->rows, (struct kft_why_row){.like = *s}))
			return NULL;
		if (!*slot)
			*slot = w->rows.len;
		return &w->rows.data[*slot - 1];
	}
}

static int add_rows(struct kft_why *w)
{
	struct kft_map by_hash = {};
	int r = 0;

	kft_vec_for_each(&w->path.segments, s) {
		struct kft_why_row *row = get_row(w, &by_hash, s);

		if (!row) {
			r = -ENOMEM;
			break;
		}
		if (s->end - s->begin > row->like.end - row->like.begin)
			row->like = *s;
		row->total_ns += s->end - s->begin;
		row->count++;
		w->by_cause[s->cause] += s->end - s->begin;
	}
	kft_map_finish(&by_hash);
	if (w->rows.len)
		qsort(w->rows.data, w->rows.len, sizeof(*w->rows.data), compare_rows);
	return r;
}

static int64_t excess(const struct kft_why *w, size_t cause)
{
	return (int64_t)(w->by_cause[cause] - w->usual_ns[cause]);
}

static bool is_strange(const struct kft_why *w)
{
	return w->has_usual &&
	       kft_interval_ns(&w->interval) > w->median_ns / 10 * STRANGE_TENTHS;
}

/*
 * The sentence is about the cause whose time is furthest above what is usual, so that what
 * every such interval does is not blamed; without anything usual, the one with most time.
 */
static void choose_lead(struct kft_why *w)
{
	bool by_excess = is_strange(w);

	w->lead = KFT_WHY_UNKNOWN;
	for (size_t i = 0; i < KFT_WHY_CAUSES; i++)
		if (by_excess ? excess(w, i) > excess(w, w->lead)
			      : w->by_cause[i] > w->by_cause[w->lead])
			w->lead = i;
	w->lead_row = 0;
	while (w->lead_row + 1 < w->rows.len &&
	       w->rows.data[w->lead_row].like.cause != w->lead)
		w->lead_row++;
}

/* Whose time an interval is. */
static struct kft_why_interval path_of(const struct kft_interval *i)
{
	struct kft_why_interval path = {
		.begin = i->begin_ns, .end = i->end_ns, .pid = i->pid, .cpu = i->cpu};

	if (i->kind && i->kind->per_cpu) {
		path.pid = -1;
		path.irq = i;
	}
	return path;
}

static int read_and_find(struct kft_trace *t, const struct kft_why_interval *i,
			 uint64_t before_ns, struct kft_why_facts *facts,
			 struct kft_why_path *path, struct kft_err *e)
{
	uint64_t since = i->begin > before_ns ? i->begin - before_ns : 0;
	uint64_t until = i->end > UINT64_MAX - AFTER_NS ? UINT64_MAX : i->end + AFTER_NS;
	int r = kft_why_facts_read(t, since, until, facts, e);

	if (r < 0)
		return r;
	r = kft_why_path_find(facts, i, path);
	if (r < 0)
		kft_why_facts_finish(facts);
	return r < 0 ? kft_err_sys(e, r, "cannot explain the interval") : 0;
}

/* What intervals that are no exception spend their time on, each cause on the average. */
static int find_usual(struct kft_why *w, const struct kft_why_found *found,
		      struct kft_err *e)
{
	size_t n = KFT_MIN(found->usual.len, (size_t)USUAL_MAX);

	for (size_t i = 0; i < n; i++) {
		const struct kft_why_interval one = path_of(&found->usual.data[i]);
		struct kft_why_facts facts;
		struct kft_why_path path;
		int r = read_and_find(w->trace, &one, BEFORE_USUAL_NS, &facts, &path, e);

		if (r < 0)
			return r;
		kft_vec_for_each(&path.segments, s)
			w->usual_ns[s->cause] += (s->end - s->begin) / n;
		kft_why_path_finish(&path);
		kft_why_facts_finish(&facts);
	}
	w->has_usual = n > 0;
	return 0;
}

static int explain(struct kft_why *w, const struct kft_why_interval *i, struct kft_err *e)
{
	int r = read_and_find(w->trace, i, BEFORE_NS, &w->facts, &w->path, e);

	if (r < 0)
		return r;
	r = add_rows(w);
	return r < 0 ? kft_err_sys(e, r, "cannot explain the interval") : 0;
}

int kft_why_explain(struct kft_trace *t, const struct kft_why_found *found, size_t rank,
		    struct kft_why *ret, struct kft_err *e)
{
	struct kft_why w = {
		.trace = t,
		.interval = found->worst.data[rank],
		.rank = (uint32_t)rank,
		.count = found->count,
		.median_ns = found->usual.len ? found->median_ns : 0,
	};
	const struct kft_why_interval i = path_of(&w.interval);
	int r = explain(&w, &i, e);

	if (r >= 0)
		r = find_usual(&w, found, e);
	if (r < 0) {
		kft_why_finish(&w);
		return r;
	}
	choose_lead(&w);
	*ret = w;
	return 0;
}

int kft_why_explain_time(struct kft_trace *t, const struct kft_why_interval *stretch,
			 struct kft_why *ret, struct kft_err *e)
{
	struct kft_why w = {.trace = t,
			    .interval = {.begin_ns = stretch->begin,
					 .end_ns = stretch->end,
					 .pid = stretch->pid,
					 .cpu = stretch->cpu},
			    .count = 1};
	int r = explain(&w, stretch, e);

	if (r < 0) {
		kft_why_finish(&w);
		return r;
	}
	choose_lead(&w);
	*ret = w;
	return 0;
}

void kft_why_finish(struct kft_why *w)
{
	kft_vec_finish(&w->rows);
	kft_why_path_finish(&w->path);
	kft_why_facts_finish(&w->facts);
}
