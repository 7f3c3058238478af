// SPDX-License-Identifier: LGPL-2.1-or-later
/* Converts statistics of intervals to tables: the rows, and their histograms. */
#include "analysis/stats/interval_result.h"

#include <stdlib.h>

#include "derive/kinds/syscall_form.h"
#include "derive/kinds/kinds.h"

#define NS_PER_S  1000000000
#define BAR_WIDTH 40

const char *const kft_interval_sorts[] = {"total", "count", "min", "avg",   "max",  "sd",
					  "p50",   "p90",   "p99", "p99.9", "name", NULL};

static const struct kft_result_column columns[] = {
	{"kind", "KIND", .is_text = true},
	{"key", "KEY", .is_text = true, .is_optional = true},
	{"number", "NUMBER", .for_programs = true},
	{"cpu", "CPU", .is_optional = true},
	{"comm", "TASK", .is_text = true, .is_optional = true},
	{"pid", "PID", .is_optional = true},
	{"count", "COUNT"},
	{"rate", "RATE/s", .is_detail = true},
	{"total", "TOTAL"},
	{"min", "MIN", .is_detail = true},
	{"avg", "AVG"},
	{"max", "MAX", .marks_most = true},
	{"sd", "SD", .is_detail = true},
	{"p50", "P50", .is_detail = true},
	{"p90", "P90", .is_detail = true},
	{"p99", "P99"},
	{"p99.9", "P99.9", .is_detail = true},
	{"max_start", "MAX AT", .is_detail = true},
	{"max_end", "MAX END", .for_programs = true},
	{"max_cpu", "MAX CPU", .is_detail = true},
	{"max_pid", "MAX PID", .is_detail = true},
	{"cut", "PARTIAL", .is_optional = true, .is_detail = true},
	{"lossy", "LOSSY", .is_optional = true, .is_detail = true},
	{"apart", "APART", .for_programs = true},
};

static const struct kft_result_column histogram_columns[] = {
	{"kind", "KIND", .is_text = true},
	{"key", "KEY", .is_text = true, .is_optional = true},
	{"cpu", "CPU", .is_optional = true},
	{"comm", "TASK", .is_text = true, .is_optional = true},
	{"pid", "PID", .is_optional = true},
	{"from", "FROM"},
	{"to", "TO"},
	{"count", "COUNT"},
	{"share", "SHARE"},
	{"bar", "", .is_text = true},
};

struct kft_value kft_interval_row_name(struct kft_trace *t, struct kft_result *r,
				       const struct kft_interval_stat *s)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_interval_key_text(t, s->row.kind, s->row.key, &text);
	r->failed |= !kft_strbuf_ok(&text);
	return kft_value_textn(r, kft_strbuf_cstr(&text), text.len);
}

/* The name of a row's tasks, or of its task at its longest interval. */
static struct kft_value comm_of(struct kft_trace *t, struct kft_result *r,
				const struct kft_interval_stat *s)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	if (s->row.pid >= 0)
		return kft_value_task(r, kft_task_comm_at(&t->tasks, (uint32_t)s->row.pid,
							  s->longest.begin_ns));
	if (!s->row.comm)
		return kft_value_none();
	kft_names_text(&t->names, s->row.comm, &text);
	r->failed |= !kft_strbuf_ok(&text);
	return kft_value_task(r, kft_strbuf_cstr(&text));
}

static uint64_t sort_value(const struct kft_interval_stat *s, enum kft_interval_sort sort)
{
	switch (sort) {
	case KFT_SORT_TOTAL:
		return s->total_ns;
	case KFT_SORT_COUNT:
		return s->count;
	case KFT_SORT_MIN:
		return s->count ? s->min_ns : 0;
	case KFT_SORT_AVG:
		return kft_interval_stat_average(s);
	case KFT_SORT_MAX:
		return s->max_ns;
	case KFT_SORT_SD:
		return kft_interval_stat_deviation(s);
	case KFT_SORT_P50:
	case KFT_SORT_P90:
	case KFT_SORT_P99:
	case KFT_SORT_P999:
		return s->count ? s->percentiles[sort - KFT_SORT_P50] : 0;
	case KFT_SORT_NAME:
		return 0;
	}
	return 0;
}

struct sorting {
	struct kft_trace *trace;
	enum kft_interval_sort sort;
	const struct kft_interval_stat *list;
};

static int compare_names(const struct sorting *s, const struct kft_interval_stat *a,
			 const struct kft_interval_stat *b)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text_a = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text_b = {};

	kft_interval_key_text(s->trace, a->row.kind, a->row.key, &text_a);
	kft_interval_key_text(s->trace, b->row.kind, b->row.key, &text_b);
	return strcmp(kft_strbuf_cstr(&text_a), kft_strbuf_cstr(&text_b));
}

/* Compares indexes of rows of one kind. Rows with equal values keep their order. */
static int compare(const void *pa, const void *pb, void *arg)
{
	const struct sorting *s = arg;
	size_t at_a = *(const size_t *)pa;
	size_t at_b = *(const size_t *)pb;
	const struct kft_interval_stat *a = &s->list[at_a];
	const struct kft_interval_stat *b = &s->list[at_b];
	uint64_t value_a = sort_value(a, s->sort);
	uint64_t value_b = sort_value(b, s->sort);
	int by_name = s->sort == KFT_SORT_NAME ? compare_names(s, a, b) : 0;

	if (by_name)
		return by_name;
	if (value_a != value_b)
		return value_a > value_b ? -1 : 1;
	return at_a < at_b ? -1 : at_a > at_b;
}

static void put_row_key(struct kft_trace *t, struct kft_result *r,
			struct kft_result_table *table, const struct kft_interval_stat *s,
			unsigned int by, bool number)
{
	bool has_key = by & KFT_INTERVAL_BY_KEY;

	kft_result_put(table, kft_value_text(r, s->row.kind->name));
	kft_result_put(table,
		       has_key ? kft_interval_row_name(t, r, s) : kft_value_none());
	if (number)
		kft_result_put(
			table,
			has_key && kft_interval_key_is_number(s->row.kind, s->row.key)
				? kft_value_number(KFT_VALUE_INTEGER, s->row.key)
				: kft_value_none());
	kft_result_put(table, kft_value_cpu(s->row.cpu));
	kft_result_put(table, comm_of(t, r, s));
	kft_result_put(table, kft_value_pid(s->row.pid));
}

static struct kft_value rate(const struct kft_interval_stats *stats, uint64_t n)
{
	uint64_t span = stats->last_ns - stats->first_ns;

	if (!stats->has_span || stats->last_ns <= stats->first_ns)
		return kft_value_none();
	return kft_value_number(KFT_VALUE_RATE,
				(uint64_t)((double)n * NS_PER_S / span * 1000 + 0.5));
}

static bool counts_ns(const struct kft_trace *t)
{
	return !t->buffers.len || t->buffers.data[0].clock.unit == KFT_CLOCK_NS;
}

/* With a clock that does not count ns, a duration is a plain number. */
static void put_duration(const struct kft_trace *t, struct kft_result_table *table,
			 bool is_known, uint64_t ns)
{
	enum kft_value_kind kind = counts_ns(t) ? KFT_VALUE_DURATION : KFT_VALUE_COUNT;

	kft_result_put(table, is_known ? kft_value_number(kind, ns) : kft_value_none());
}

static void put_times(const struct kft_trace *t, struct kft_result_table *table,
		      const struct kft_interval_stat *s)
{
	bool is_timed = !s->row.kind->is_instant;
	bool is_known = is_timed && s->count;

	put_duration(t, table, is_timed, s->total_ns);
	put_duration(t, table, is_known, s->min_ns);
	put_duration(t, table, is_known, kft_interval_stat_average(s));
	put_duration(t, table, is_known, s->max_ns);
	put_duration(t, table, is_known, kft_interval_stat_deviation(s));
	for (int p = 0; p < KFT_PERCENTILES; p++)
		put_duration(t, table, is_known, s->percentiles[p]);
}

static void put_longest(const struct kft_trace *t, struct kft_result_table *table,
			const struct kft_interval_stat *s)
{
	enum kft_value_kind kind = counts_ns(t) ? KFT_VALUE_TIME : KFT_VALUE_TICKS;
	const struct kft_interval *i = &s->longest;
	bool is_known = s->count && !s->row.kind->is_instant;

	kft_result_put(table,
		       is_known ? kft_value_number(kind, i->begin_ns) : kft_value_none());
	kft_result_put(table,
		       is_known ? kft_value_number(kind, i->end_ns) : kft_value_none());
	kft_result_put(table, is_known ? kft_value_cpu(i->cpu) : kft_value_none());
	kft_result_put(table, is_known ? kft_value_pid(i->pid) : kft_value_none());
}

static void add_row(struct kft_trace *t, const struct kft_interval_stats *stats,
		    const struct kft_interval_stat *s, unsigned int by,
		    struct kft_result_table *table, struct kft_result *r)
{
	put_row_key(t, r, table, s, by, true);
	kft_result_put(table, kft_value_count(s->count));
	kft_result_put(table, rate(stats, s->count));
	put_times(t, table, s);
	put_longest(t, table, s);
	kft_result_put(table, kft_value_count(s->cut));
	kft_result_put(table, kft_value_count(s->lossy));
	put_duration(t, table, true, s->apart_ns);
}

static struct kft_value bar(struct kft_result *r, uint64_t n, uint64_t most)
{
	char text[BAR_WIDTH + 1];
	size_t len = (size_t)((double)n / most * BAR_WIDTH + 0.999999);

	len = KFT_MIN(len, (size_t)BAR_WIDTH);
	memset(text, '#', len);
	return kft_value_textn(r, text, len);
}

static uint64_t sum_of_octave(const struct kft_histogram *h, unsigned int octave)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; h->octaves[octave] && i < KFT_HISTOGRAM_PER_OCTAVE; i++)
		sum += h->octaves[octave][i];
	return sum;
}

/* A line for each octave from the first to the last that has values. */
static void add_histogram(struct kft_trace *t, const struct kft_interval_stat *s,
			  unsigned int by, struct kft_result_table *table,
			  struct kft_result *r)
{
	uint64_t most = 1;
	unsigned int first = kft_histogram_bucket(s->min_ns) / KFT_HISTOGRAM_PER_OCTAVE;
	unsigned int last = kft_histogram_bucket(s->max_ns) / KFT_HISTOGRAM_PER_OCTAVE;

	for (unsigned int i = first; i <= last; i++)
		most = KFT_MAX(most, sum_of_octave(&s->histogram, i));
	for (unsigned int i = first; i <= last; i++) {
		uint64_t n = sum_of_octave(&s->histogram, i);
		unsigned int bucket = i * KFT_HISTOGRAM_PER_OCTAVE;

		put_row_key(t, r, table, s, by, false);
		put_duration(t, table, true, kft_histogram_least(bucket));
		put_duration(
			t, table, true,
			kft_histogram_greatest(bucket + KFT_HISTOGRAM_PER_OCTAVE - 1));
		kft_result_put(table, kft_value_count(n));
		kft_result_put(table,
			       kft_value_number(
				       KFT_VALUE_RATIO,
				       (uint64_t)((double)n / s->count * 1000000 + 0.5)));
		kft_result_put(table, bar(r, n, most));
	}
}

/* Rows in the order in which they are shown. */
static size_t *order_rows(struct kft_trace *t, const struct kft_interval_stats *s,
			  enum kft_interval_sort sort)
{
	const struct kft_interval_stat *list = s->list.data;
	struct sorting sorting = {t, sort, list};
	size_t n = s->list.len;
	size_t *order = calloc(n + 1, sizeof(*order));

	for (size_t i = 0; order && i < n; i++)
		order[i] = i;
	for (size_t from = 0, to; order && from < n; from = to) {
		for (to = from + 1; to < n && list[to].row.kind == list[from].row.kind;)
			to++;
		qsort_r(order + from, to - from, sizeof(*order), compare, &sorting);
	}
	return order;
}

size_t kft_interval_stats_result(struct kft_trace *t, const struct kft_interval_stats *s,
				 const struct kft_interval_view *view,
				 struct kft_result *r)
{
	_cleanup_free_ size_t *order = order_rows(t, s, view->sort);
	struct kft_result_table *rows = kft_result_add_table(r, "intervals", columns,
							     ARRAY_SIZE(columns));
	struct kft_result_table *bins =
		view->histograms
			? kft_result_add_table(r, "histograms", histogram_columns,
					       ARRAY_SIZE(histogram_columns))
			: NULL;
	const struct kft_interval_kind *kind = NULL;
	size_t of_kind = 0;
	size_t left_out = 0;

	r->failed |= !order;
	for (size_t i = 0; order && i < s->list.len; i++) {
		const struct kft_interval_stat *stat = &s->list.data[order[i]];

		of_kind = stat->row.kind == kind ? of_kind + 1 : 1;
		kind = stat->row.kind;
		if (view->top && of_kind > view->top) {
			left_out++;
			continue;
		}
		add_row(t, s, stat, view->by, rows, r);
		if (bins && stat->count && !kind->is_instant)
			add_histogram(t, stat, view->by, bins, r);
	}
	return left_out;
}
