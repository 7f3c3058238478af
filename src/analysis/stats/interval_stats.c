// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts intervals and their times by kind and key. */
#include "analysis/stats/interval_stats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/span.h"

/* Only a broken file has more rows. */
#define ROWS_MAX (1 << 20)

const unsigned int kft_percentiles[KFT_PERCENTILES] = {500, 900, 990, 999};

/* Slots of the cache of recently found rows, which saves a lookup in the hash map. */
#define RECENT_MAX 256

/* Rows, found by their identity (struct kft_interval_row). */
struct rows {
	struct kft_map by_hash; /* -> index + 1 */
	struct kft_interval_stats stats;
	struct kft_interval_stat *recent[RECENT_MAX]; /* in stats.list, or NULL */
};

/* The name that was looked up last for a pid. It stays valid until the task is renamed. */
struct named {
	uint64_t since;
	uint64_t until;
	uint64_t number;
};

/* Shared by both passes. Everything is borrowed. */
struct run {
	struct kft_trace *trace;
	const struct kft_interval_question *question;
	unsigned int by;
	bool has_span;
	uint64_t first_ns;
	uint64_t last_ns;
	struct kft_coverage coverage;
	const struct rows *found; /* rows of the first pass; NULL during the first pass */
};

/* A value in a bucket that holds a percentile of its row. */
struct wanted_value {
	uint32_t row;
	uint32_t bucket;
	uint64_t ns;
};

/*
 * Counters of histograms that wait to be incremented. The histograms together do not fit into
 * the CPU's caches, so each counter is prefetched while the ones before it are incremented.
 */
#define COUNTERS_MAX 8
struct counters {
	uint64_t *list[COUNTERS_MAX]; /* borrowed from the rows' histograms */
	size_t len;
};

struct state {
	const struct run *run; /* borrowed */
	const struct kft_interval_where *where; /* its question's; borrowed; or NULL */
	unsigned int by;
	struct kft_engine *engine; /* owned */
	struct rows rows; /* first pass */
	struct counters counters; /* emptied by end() */
	struct kft_map names; /* pid -> index + 1 */
	KFT_VEC(struct named) named;
	KFT_VEC(struct wanted_value) values; /* second pass */
};

void kft_interval_stats_finish(struct kft_interval_stats *s)
{
	kft_vec_for_each(&s->list, stat)
		kft_histogram_finish(&stat->histogram);
	kft_vec_finish(&s->list);
}

static void finish_rows(struct rows *r)
{
	kft_map_finish(&r->by_hash);
	kft_interval_stats_finish(&r->stats);
}

/* The finalizer of MurmurHash3. */
static uint64_t mix(uint64_t h)
{
	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}

static uint64_t hash_of(const struct kft_interval_row *row)
{
	uint64_t h = mix((uintptr_t)row->kind + 31 * row->key);

	if (row->cpu >= 0 || row->pid >= 0 || row->comm)
		h = mix(h ^ ((uint64_t)row->cpu << 32 ^ (uint64_t)row->pid) ^
			row->comm << 48);
	return h == KFT_MAP_NO_KEY ? 0 : h;
}

static bool is_same_row(const struct kft_interval_row *a,
			const struct kft_interval_row *b)
{
	return a->kind == b->kind && a->key == b->key && a->cpu == b->cpu &&
	       a->pid == b->pid && a->comm == b->comm;
}

static uint64_t next_hash(uint64_t h)
{
	h++;
	return h == KFT_MAP_NO_KEY ? 0 : h;
}

/* Returns NULL if the row does not exist yet. */
static struct kft_interval_stat *find_row(const struct rows *r,
					  const struct kft_interval_row *row)
{
	uint64_t h = hash_of(row);
	const uint64_t *slot;

	while ((slot = kft_map_get(&r->by_hash, h))) {
		struct kft_interval_stat *s = &r->stats.list.data[*slot - 1];

		if (is_same_row(&s->row, row))
			return s;
		h = next_hash(h);
	}
	return NULL;
}

static struct kft_interval_stat *add_row(struct rows *r,
					 const struct kft_interval_row *row)
{
	const struct kft_interval_stat empty = {.row = *row, .min_ns = UINT64_MAX};
	const struct kft_interval_stat *before = r->stats.list.data;
	uint64_t h = hash_of(row);

	if (r->stats.list.len >= ROWS_MAX || !kft_vec_push(&r->stats.list, empty))
		return NULL;
	if (r->stats.list.data != before)
		memset(r->recent, 0, sizeof(r->recent));
	while (kft_map_get(&r->by_hash, h))
		h = next_hash(h);
	uint64_t *slot = kft_map_put(&r->by_hash, h);

	if (!slot) {
		r->stats.list.len--;
		return NULL;
	}
	*slot = r->stats.list.len;
	return &r->stats.list.data[*slot - 1];
}

static inline struct kft_interval_stat **recent_place(struct rows *r,
						      struct kft_interval_row row)
{
	uint64_t sum = ((uintptr_t)row.kind >> 3) + row.key + (uint64_t)row.cpu +
		       (uint64_t)row.pid + row.comm;

	return &r->recent[(sum * UINT64_C(0x9e3779b97f4a7c15) >> 32) % RECENT_MAX];
}

static __attribute__((noinline)) struct kft_interval_stat *
look_up_row(struct rows *r, struct kft_interval_row row)
{
	struct kft_interval_stat *s = find_row(r, &row);

	if (!s)
		s = add_row(r, &row);
	if (s)
		*recent_place(r, row) = s;
	return s;
}

/* The row is passed by value: it stays in registers when the cache of recent rows has it. */
static inline struct kft_interval_stat *get_row(struct rows *r,
						struct kft_interval_row row)
{
	struct kft_interval_stat *s = *recent_place(r, row);

	return likely(s && is_same_row(&s->row, &row)) ? s : look_up_row(r, row);
}

static __attribute__((noinline)) uint64_t comm_number(struct state *s,
						      const struct kft_interval *i)
{
	struct kft_trace *t = s->run->trace;
	uint64_t *slot = kft_map_put(&s->names, (uint32_t)i->pid);

	if (!slot)
		return 0;
	if (!*slot) {
		if (!kft_vec_push(&s->named, (struct named){}))
			return 0;
		*slot = s->named.len;
	}
	struct named *n = &s->named.data[*slot - 1];

	if (i->begin_ns < n->since || i->begin_ns >= n->until) {
		struct kft_task_span span = kft_task_span_at(&t->tasks, (uint32_t)i->pid,
							     i->begin_ns);

		*n = (struct named){
			span.since, span.until,
			kft_names_number(&t->names, span.comm, strlen(span.comm))};
	}
	return n->number;
}

static inline struct kft_interval_row row_of(struct state *s,
					     const struct kft_interval *i)
{
	unsigned int by = s->by | (i->kind->is_of_cpu ? KFT_INTERVAL_BY_CPU : 0);

	return (struct kft_interval_row){
		.kind = i->kind,
		.key = by & KFT_INTERVAL_BY_KEY ? i->key : 0,
		.cpu = by & KFT_INTERVAL_BY_CPU ? (int64_t)i->cpu : -1,
		.pid = by & KFT_INTERVAL_BY_TASK ? (int64_t)(uint32_t)i->pid : -1,
		.comm = by & KFT_INTERVAL_BY_COMM ? comm_number(s, i) : 0,
	};
}

static void add_128(struct kft_square_sum *to, uint64_t high, uint64_t low)
{
	to->low += low;
	to->high += high + (to->low < low);
}

static inline void add_square(struct kft_square_sum *to, uint64_t v)
{
#ifdef __SIZEOF_INT128__
	unsigned __int128 square = (unsigned __int128)v * v;

	add_128(to, (uint64_t)(square >> 64), (uint64_t)square);
#else
	uint64_t a = v >> 32;
	uint64_t b = v & UINT32_MAX;
	uint64_t ab = a * b;

	/* a * a << 64, 2 * a * b << 32, b * b */
	add_128(to, a * a, b * b);
	add_128(to, ab >> 31, ab << 33);
#endif
}

static void count_all(struct counters *c)
{
	for (size_t i = 0; i < c->len; i++)
		++*c->list[i];
	c->len = 0;
}

static int count_soon(struct counters *c, uint64_t *counter)
{
	if (!counter)
		return -ENOMEM;
	if (c->len == COUNTERS_MAX)
		count_all(c);
	__builtin_prefetch(counter, 1);
	c->list[c->len++] = counter;
	return 0;
}

static int add_whole(struct state *s, struct kft_interval_stat *stat,
		     const struct kft_interval *i, uint64_t ns)
{
	stat->count++;
	stat->total_ns += ns;
	stat->min_ns = KFT_MIN(stat->min_ns, ns);
	add_square(&stat->squares, ns);
	if (unlikely(ns > stat->max_ns || stat->count == 1)) {
		stat->longest = *i;
		stat->longest.parent = NULL;
		stat->max_ns = ns;
	}
	if (i->kind->is_instant)
		return 0;
	return count_soon(&s->counters, kft_histogram_counter(&stat->histogram, ns));
}

static bool passes(const struct state *s, const struct kft_interval *i)
{
	return likely(!s->where) || kft_interval_where_match(s->where, s->run->trace, i);
}

static int take(void *arg, const struct kft_interval *i)
{
	struct state *s = arg;
	uint64_t ns = kft_interval_ns(i);

	if (!passes(s, i))
		return 0;
	struct kft_interval_stat *stat = get_row(&s->rows, row_of(s, i));

	if (!stat)
		return -ENOMEM;
	if (likely(!i->flags))
		return add_whole(s, stat, i, ns);
	if (i->flags & (KFT_INTERVAL_BEGUN_BEFORE | KFT_INTERVAL_NOT_ENDED))
		stat->cut++;
	else
		stat->lossy++;
	stat->apart_ns += ns;
	return 0;
}

/* Returns the bucket that holds percentile p. *ret_rank is its rank in the bucket, from 1. */
static unsigned int bucket_of(const struct kft_interval_stat *stat, enum kft_percentile p,
			      uint64_t *ret_rank)
{
	uint64_t rank = kft_histogram_rank(stat->count, kft_percentiles[p]);
	uint64_t below;
	unsigned int bucket = kft_histogram_find(&stat->histogram, rank, &below);

	*ret_rank = rank - below;
	return bucket;
}

static bool is_wanted(const struct kft_interval_stat *stat, unsigned int bucket)
{
	for (int p = 0; p < KFT_PERCENTILES; p++)
		if (stat->percentiles[p] == bucket)
			return true;
	return false;
}

/* The sink of the second pass. find_exact() put bucket numbers into the rows' percentiles. */
static int take_values(void *arg, const struct kft_interval *i)
{
	struct state *s = arg;
	const struct rows *found = s->run->found;
	uint64_t ns = kft_interval_ns(i);

	if (i->flags || i->kind->is_instant || !passes(s, i))
		return 0;
	const struct kft_interval_row key = row_of(s, i);
	const struct kft_interval_stat *stat = find_row(found, &key);
	unsigned int bucket = kft_histogram_bucket(ns);

	if (!stat || !is_wanted(stat, bucket))
		return 0;
	uint32_t row = (uint32_t)(stat - found->stats.list.data);

	return kft_vec_push(&s->values, ((struct wanted_value){row, bucket, ns}))
		       ? 0
		       : -ENOMEM;
}

static void needs(struct kft_trace *t, const void *arg, uint64_t *wanted)
{
	const struct run *run = arg;

	kft_engine_needs(t, run->question->kinds, run->question->n_kinds, wanted);
}

static void destroy(void *state)
{
	struct state *s = state;

	s->engine = kft_engine_destroy(s->engine);
	finish_rows(&s->rows);
	kft_map_finish(&s->names);
	kft_vec_finish(&s->named);
	kft_vec_finish(&s->values);
	free(s);
}

static int create(struct kft_trace *t, const void *arg, void **ret_state)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->run = arg;
	s->where = s->run->question->where;
	s->by = s->run->by;
	const struct kft_interval_sink sink = {s->run->found ? take_values : take, s};
	int r = kft_engine_create(t, s->run->question->kinds, s->run->question->n_kinds,
				  &sink, &s->engine);

	if (r < 0) {
		destroy(s);
		return r;
	}
	if (s->run->has_span)
		kft_engine_span(s->engine, s->run->first_ns, s->run->last_ns);
	kft_engine_cover(s->engine, &s->run->coverage);
	*ret_state = s;
	return 0;
}

static struct kft_engine *engine_of(void *state)
{
	return ((struct state *)state)->engine;
}

static int end(void *state, const struct kft_stream *stream)
{
	struct state *s = state;
	int r = kft_engine_flush(s->engine);

	count_all(&s->counters);
	return r;
}

static int join_row(struct kft_interval_stat *to, const struct kft_interval_stat *from)
{
	to->count += from->count;
	to->cut += from->cut;
	to->lossy += from->lossy;
	to->apart_ns += from->apart_ns;
	to->total_ns += from->total_ns;
	to->min_ns = KFT_MIN(to->min_ns, from->min_ns);
	add_128(&to->squares, from->squares.high, from->squares.low);
	bool is_longer = !to->longest.kind || from->max_ns > to->max_ns ||
			 (from->max_ns == to->max_ns &&
			  from->longest.end_ns < to->longest.end_ns);

	if (from->longest.kind && is_longer)
		to->longest = from->longest;
	to->max_ns = KFT_MAX(to->max_ns, from->max_ns);
	return kft_histogram_join(&to->histogram, &from->histogram);
}

static int join(void *state, const void *later)
{
	struct state *s = state;
	const struct state *other = later;
	int r = 0;

	kft_vec_for_each(&other->rows.stats.list, from) {
		struct kft_interval_stat *to = get_row(&s->rows, from->row);

		r = to && !r ? join_row(to, from) : r;
		if (!to)
			return -ENOMEM;
	}
	kft_vec_for_each(&other->values, v)
		if (!kft_vec_push(&s->values, *v))
			return -ENOMEM;
	return r;
}

static const struct kft_analysis analysis = {
	.whole_streams = true,
	.needs = needs,
	.create = create,
	.engine = engine_of,
	.end = end,
	.join = join,
	.destroy = destroy,
};

static int run_pass(struct run *run, const struct kft_analysis_opts *opts,
		    struct state **ret, struct kft_err *e)
{
	struct kft_analysis a = analysis;
	struct kft_analysis_opts how = *opts;
	void *state;

	/* An engine takes a class from the buffer of its first event: needs time order. */
	a.by_stream = run->trace->buffers.len <= 1;
	for (size_t i = 0; i < run->question->n_kinds; i++)
		a.by_stream &= run->question->kinds[i]->per_cpu;
	how.arg = run;
	int r = kft_analysis_run(&a, run->trace, &how, &state, e);

	if (!r)
		*ret = state;
	return r;
}

/* Returns the middle of a bucket, clamped to the smallest and greatest values of the row. */
static uint64_t estimate(const struct kft_interval_stat *stat, unsigned int bucket)
{
	uint64_t least = kft_histogram_least(bucket);
	uint64_t middle = least + (kft_histogram_greatest(bucket) - least) / 2;

	return KFT_MAX(stat->min_ns, KFT_MIN(stat->max_ns, middle));
}

/* A row has percentiles if it has complete intervals with a duration. */
static bool has_times(const struct kft_interval_stat *stat)
{
	return stat->count && !stat->row.kind->is_instant;
}

void kft_interval_stats_estimate(struct kft_interval_stats *stats)
{
	uint64_t rank;

	kft_vec_for_each(&stats->list, stat)
		for (int p = 0; p < KFT_PERCENTILES; p++)
			stat->percentiles[p] =
				has_times(stat)
					? estimate(stat, bucket_of(stat, p, &rank))
					: 0;
}

static int compare_values(const void *pa, const void *pb)
{
	const struct wanted_value *a = pa;
	const struct wanted_value *b = pb;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->bucket != b->bucket)
		return a->bucket < b->bucket ? -1 : 1;
	return a->ns < b->ns ? -1 : a->ns > b->ns;
}

/* Returns the index of the first value of a row's bucket in the sorted values. */
static size_t find_values(const struct state *s, uint32_t row, unsigned int bucket)
{
	const struct wanted_value like = {row, bucket, 0};
	size_t low = kft_count_leading(s->values.len, middle,
				       compare_values(&s->values.data[middle], &like) <
					       0);
	return low;
}

static void select_values(struct kft_interval_stats *stats, const struct state *s)
{
	for (size_t i = 0; i < stats->list.len; i++) {
		struct kft_interval_stat *stat = &stats->list.data[i];

		for (int p = 0; p < KFT_PERCENTILES && has_times(stat); p++) {
			uint64_t rank;
			unsigned int bucket = bucket_of(stat, p, &rank);
			size_t at = find_values(s, (uint32_t)i, bucket) + rank - 1;

			if (at < s->values.len)
				stat->percentiles[p] = s->values.data[at].ns;
		}
	}
}

/* Reads the trace again and collects the values in the buckets that hold percentiles. */
static int find_exact(struct run *run, const struct kft_analysis_opts *opts,
		      struct state *first, struct kft_err *e)
{
	struct state *second;
	uint64_t rank;

	kft_vec_for_each(&first->rows.stats.list, stat)
		for (int p = 0; p < KFT_PERCENTILES; p++)
			stat->percentiles[p] = bucket_of(stat, p, &rank);
	run->found = &first->rows;
	int r = run_pass(run, opts, &second, e);

	run->found = NULL;
	if (r < 0)
		return r;
	if (second->values.len)
		qsort(second->values.data, second->values.len,
		      sizeof(*second->values.data), compare_values);
	kft_interval_stats_estimate(&first->rows.stats);
	select_values(&first->rows.stats, second);
	destroy(second);
	return 0;
}

static size_t number_of(const struct kft_interval_question *q,
			const struct kft_interval_kind *kind)
{
	size_t i = 0;

	while (q->kinds[i] != kind)
		i++;
	return i;
}

static int compare_i64(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

/* Compares texts: the numbers of names depend on the order in which threads met them. */
static int compare_names(struct kft_names *names, uint64_t a, uint64_t b)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text_a = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text_b = {};

	kft_names_text(names, a, &text_a);
	kft_names_text(names, b, &text_b);
	return strcmp(kft_strbuf_cstr(&text_a), kft_strbuf_cstr(&text_b));
}

static int compare(const void *pa, const void *pb, void *arg)
{
	const struct kft_interval_stat *a = pa;
	const struct kft_interval_stat *b = pb;
	const struct run *run = arg;
	size_t kind_a = number_of(run->question, a->row.kind);
	size_t kind_b = number_of(run->question, b->row.kind);

	if (kind_a != kind_b)
		return kind_a < kind_b ? -1 : 1;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	if (a->row.key != b->row.key)
		return a->row.key < b->row.key ? -1 : 1;
	if (a->row.cpu != b->row.cpu)
		return compare_i64(a->row.cpu, b->row.cpu);
	if (a->row.pid != b->row.pid)
		return compare_i64(a->row.pid, b->row.pid);
	return a->row.comm == b->row.comm
		       ? 0
		       : compare_names(&run->trace->names, a->row.comm, b->row.comm);
}

int kft_interval_stats_run(struct kft_trace *t, const struct kft_interval_question *q,
			   const struct kft_analysis_opts *opts,
			   struct kft_interval_stats *ret, struct kft_err *e)
{
	struct run run = {
		.trace = t, .question = q, .by = q->by ? q->by : KFT_INTERVAL_BY_KEY};
	struct state *s;

	run.has_span = kft_span_of(t, opts->scope, &run.first_ns, &run.last_ns);
	kft_coverage_find(t, opts->scope, &run.coverage);
	int r = run_pass(&run, opts, &s, e);

	if (r < 0)
		return r;
	if (q->is_exact)
		r = find_exact(&run, opts, s, e);
	else
		kft_interval_stats_estimate(&s->rows.stats);
	if (!r && s->rows.stats.list.len)
		qsort_r(s->rows.stats.list.data, s->rows.stats.list.len,
			sizeof(*s->rows.stats.list.data), compare, &run);
	if (!r) {
		*ret = s->rows.stats;
		s->rows.stats = (struct kft_interval_stats){};
		ret->has_span = run.has_span;
		ret->first_ns = run.first_ns;
		ret->last_ns = run.last_ns;
		ret->is_partial = run.coverage.is_partial;
		ret->whole_from = run.coverage.whole_from;
	}
	destroy(s);
	return r;
}

uint64_t kft_interval_stat_average(const struct kft_interval_stat *s)
{
	return s->count ? s->total_ns / s->count : 0;
}

/* Newton's method, starting above the root: kft needs libm for nothing else. */
static long double root(long double v)
{
	long double x = v > 1 ? v : 1;
	long double better = (x + v / x) / 2;

	if (v <= 0)
		return 0;
	while (better < x) {
		x = better;
		better = (x + v / x) / 2;
	}
	return x;
}

/* The deviation of the whole population, not of a sample: the divisor is n, not n - 1. */
uint64_t kft_interval_stat_deviation(const struct kft_interval_stat *s)
{
	if (!s->count)
		return 0;
	long double squares = (long double)s->squares.high * 0x1p64L +
			      (long double)s->squares.low;
	long double mean = (long double)s->total_ns / s->count;

	return (uint64_t)(root(squares / s->count - mean * mean) + 0.5L);
}
