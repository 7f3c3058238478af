// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts intervals and their times by kind and key. */
#include "analysis/interval_stats.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* More keys of a kind are those of a broken file. */
#define STATS_MAX (1 << 20)

/* What is asked for. */
struct question {
	const struct kft_interval_kind *const *kinds;
	size_t n_kinds;
};

struct state {
	struct kft_engine *engine; /* owned */
	const struct question *question; /* borrowed */
	struct kft_map by_key; /* number of the kind and key, hashed -> index + 1 */
	struct kft_interval_stats stats;
};

void kft_interval_stats_finish(struct kft_interval_stats *s)
{
	kft_vec_finish(&s->list);
}

static uint64_t number_of(const struct question *q, const struct kft_interval_kind *kind)
{
	uint64_t i = 0;

	while (q->kinds[i] != kind)
		i++;
	return i;
}

/* The stat of a kind's key; keys use no more than 56 bits, or share what is above. */
static struct kft_interval_stat *
get_stat(struct state *s, const struct kft_interval_kind *kind, uint64_t key)
{
	uint64_t id = number_of(s->question, kind) << 56 | (key & (UINT64_MAX >> 8));
	uint64_t *slot = kft_map_put(&s->by_key, id);

	if (!slot)
		return NULL;
	if (!*slot) {
		if (s->stats.list.len >= STATS_MAX ||
		    !kft_vec_push(&s->stats.list,
				  ((struct kft_interval_stat){.kind = kind,
							      .key = key,
							      .min_ns = UINT64_MAX})))
			return NULL;
		*slot = s->stats.list.len;
	}
	return &s->stats.list.data[*slot - 1];
}

static int take(void *arg, const struct kft_interval *i)
{
	struct state *s = arg;
	struct kft_interval_stat *stat = get_stat(s, i->kind, i->key);
	uint64_t ns = i->end_ns > i->begin_ns ? i->end_ns - i->begin_ns : 0;

	if (!stat)
		return -ENOMEM;
	stat->count++;
	if (i->flags & (KFT_INTERVAL_BEGUN_BEFORE | KFT_INTERVAL_NOT_ENDED)) {
		stat->cut++;
		return 0;
	}
	stat->total_ns += ns;
	stat->min_ns = KFT_MIN(stat->min_ns, ns);
	if (ns >= stat->max_ns && (ns > stat->max_ns || !stat->longest.kind))
		stat->longest = *i;
	stat->max_ns = KFT_MAX(stat->max_ns, ns);
	return 0;
}

static void needs(struct kft_trace *t, const void *arg, uint64_t *wanted)
{
	const struct question *q = arg;

	kft_engine_needs(t, q->kinds, q->n_kinds, wanted);
}

static void destroy(void *state)
{
	struct state *s = state;

	s->engine = kft_engine_destroy(s->engine);
	kft_map_finish(&s->by_key);
	kft_interval_stats_finish(&s->stats);
	free(s);
}

static int create(struct kft_trace *t, const void *arg, void **ret_state)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->question = arg;
	const struct kft_interval_sink sink = {take, s};
	int r = kft_engine_create(t, s->question->kinds, s->question->n_kinds, &sink,
				  &s->engine);

	if (r < 0)
		destroy(s);
	else
		*ret_state = s;
	return r;
}

static int feed(void *state, const struct kft_event *evs, size_t n)
{
	struct state *s = state;
	int r = 0;

	for (size_t i = 0; i < n && !r; i++)
		r = kft_engine_feed(s->engine, &evs[i]);
	return r;
}

static int end(void *state, const struct kft_stream *stream)
{
	return kft_engine_flush(((struct state *)state)->engine);
}

static int join(void *state, const void *later)
{
	const struct state *other = later;

	kft_vec_for_each(&other->stats.list, from) {
		struct kft_interval_stat *to = get_stat(state, from->kind, from->key);

		if (!to)
			return -ENOMEM;
		to->count += from->count;
		to->cut += from->cut;
		to->total_ns += from->total_ns;
		to->min_ns = KFT_MIN(to->min_ns, from->min_ns);
		if (from->longest.kind &&
		    (!to->longest.kind || from->max_ns > to->max_ns))
			to->longest = from->longest;
		to->max_ns = KFT_MAX(to->max_ns, from->max_ns);
	}
	return 0;
}

static int compare(const void *pa, const void *pb, void *arg)
{
	const struct kft_interval_stat *a = pa;
	const struct kft_interval_stat *b = pb;
	uint64_t kind_a = number_of(arg, a->kind);
	uint64_t kind_b = number_of(arg, b->kind);

	if (kind_a != kind_b)
		return kind_a < kind_b ? -1 : 1;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

int kft_interval_stats_run(struct kft_trace *t,
			   const struct kft_interval_kind *const *kinds, size_t n_kinds,
			   const struct kft_analysis_opts *opts,
			   struct kft_interval_stats *ret, struct kft_err *e)
{
	struct kft_analysis a = {.by_stream = true,
				 .whole_streams = true,
				 .needs = needs,
				 .create = create,
				 .feed = feed,
				 .end = end,
				 .join = join,
				 .destroy = destroy};
	struct question q = {kinds, n_kinds};
	struct kft_analysis_opts how = *opts;
	void *state;

	for (size_t i = 0; i < n_kinds; i++)
		a.by_stream &= kinds[i]->per_cpu;
	how.arg = &q;
	int r = kft_analysis_run(&a, t, &how, &state, e);

	if (r < 0)
		return r;
	struct state *s = state;

	if (s->stats.list.len)
		qsort_r(s->stats.list.data, s->stats.list.len,
			sizeof(*s->stats.list.data), compare, &q);
	*ret = s->stats;
	s->stats = (struct kft_interval_stats){};
	destroy(s);
	return 0;
}

static const struct kft_result_column columns[] = {
	{"kind", "KIND", .is_text = true},
	{"key", "WHICH", .is_text = true},
	{"count", "COUNT"},
	{"cut", "CUT", .is_optional = true},
	{"total", "TOTAL"},
	{"average", "AVERAGE"},
	{"min", "SHORTEST"},
	{"max", "LONGEST"},
	{"max_start", "LONGEST FROM"},
	{"max_pid", "BY PID"},
};

static struct kft_value key_name(struct kft_trace *t, struct kft_result *r,
				 const struct kft_interval_stat *s)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_interval_key_text(t, s->kind, s->key, &text);
	r->failed |= !kft_strbuf_ok(&text);
	return kft_value_textn(r, text.buf, text.len);
}

static void add_longest(const struct kft_trace *t, const struct kft_interval_stat *s,
			struct kft_result_table *table)
{
	bool is_ns = !t->buffers.len || t->buffers.data[0].clock.unit == KFT_CLOCK_NS;
	uint64_t whole = s->count - s->cut;

	if (!whole) {
		for (int i = 0; i < 5; i++)
			kft_result_put(table, kft_value_none());
		return;
	}
	kft_result_put(table, kft_value_duration(s->total_ns / whole));
	kft_result_put(table, kft_value_duration(s->min_ns));
	kft_result_put(table, kft_value_duration(s->max_ns));
	kft_result_put(table, kft_value_number(is_ns ? KFT_VALUE_TIME : KFT_VALUE_TICKS,
					       s->longest.begin_ns));
	kft_result_put(table, kft_value_number(KFT_VALUE_PID, (uint32_t)s->longest.pid));
}

void kft_interval_stats_result(struct kft_trace *t, const struct kft_interval_stats *s,
			       struct kft_result *r)
{
	struct kft_result_table *table = kft_result_add_table(r, "intervals", columns,
							      ARRAY_SIZE(columns));

	kft_vec_for_each(&s->list, stat) {
		kft_result_put(table, kft_value_text(r, stat->kind->name));
		kft_result_put(table, key_name(t, r, stat));
		kft_result_put(table, kft_value_count(stat->count));
		kft_result_put(table, kft_value_count(stat->cut));
		kft_result_put(table, kft_value_duration(stat->total_ns));
		add_longest(t, stat, table);
	}
}
