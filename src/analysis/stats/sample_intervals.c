// SPDX-License-Identifier: LGPL-2.1-or-later
/* Adds up samples by the interval in which they were taken. */
#include "analysis/stats/sample_intervals.h"

#include <errno.h>
#include <stdlib.h>

#include "base/intern.h"
#include "derive/engine/ahead.h"
#include "derive/kinds/kinds.h"

#define MILLION 1000000

struct row {
	const struct kft_interval_kind *kind;
	uint64_t key;
	uint64_t samples;
	uint64_t weight;
};

struct counting {
	const struct kft_sample_point *samples; /* borrowed */
	size_t n;
	bool by_cpu; /* samples are sorted by CPU, or else by task; then by time */
	struct kft_intern keys; /* address of a kind and a key -> index of their row */
	KFT_VEC(struct row) rows;
};

static int compare_times(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_task(const void *pa, const void *pb)
{
	const struct kft_sample_point *a = pa;
	const struct kft_sample_point *b = pb;

	return a->pid != b->pid ? (a->pid < b->pid ? -1 : 1)
				: compare_times(a->ts, b->ts);
}

static int by_cpu(const void *pa, const void *pb)
{
	const struct kft_sample_point *a = pa;
	const struct kft_sample_point *b = pb;

	return a->cpu != b->cpu ? (a->cpu < b->cpu ? -1 : 1)
				: compare_times(a->ts, b->ts);
}

/* The number of samples that come before a time of the interval's task or CPU. */
static size_t count_before(const struct counting *c, const struct kft_interval *i,
			   uint64_t ts)
{
	const struct kft_sample_point at = {.ts = ts, .pid = i->pid, .cpu = i->cpu};

	return kft_count_leading(
		c->n, mid, (c->by_cpu ? by_cpu : by_task)(&c->samples[mid], &at) < 0);
}

static int take(void *arg, const struct kft_interval *i)
{
	struct counting *c = arg;
	const uint64_t key[] = {(uintptr_t)i->kind, i->key};
	size_t first = count_before(c, i, i->begin_ns);
	size_t end = count_before(c, i, i->end_ns);
	uint32_t at;

	if (first >= end || i->key == KFT_INTERVAL_NO_KEY)
		return 0;
	int r = kft_intern(&c->keys, (const char *)key, sizeof(key), &at);
	if (r < 0)
		return r;
	if (at == c->rows.len &&
	    !kft_vec_push(&c->rows, (struct row){.kind = i->kind, .key = i->key}))
		return -ENOMEM;
	for (size_t s = first; s < end; s++)
		c->rows.data[at].weight += c->samples[s].weight;
	c->rows.data[at].samples += end - first;
	return 0;
}

static int count_kinds(struct kft_trace *t, const struct kft_scope *scope,
		       struct kft_sample_point *samples, bool of_cpus, struct counting *c)
{
	static const char *const names[] = {"syscall", "work", "softirq", "irq"};
	const struct kft_interval_kind *kinds[ARRAY_SIZE(names)];
	const struct kft_interval_sink sink = {take, c};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct kft_interval_kind *kind = kft_interval_kind_find(names[i]);

		if (kind && kind->per_cpu == of_cpus)
			kinds[n++] = kind;
	}
	c->by_cpu = of_cpus;
	qsort(samples, c->n, sizeof(*samples), of_cpus ? by_cpu : by_task);
	return kft_engine_run(t, scope, kinds, n, &sink);
}

static int most_first(const void *pa, const void *pb)
{
	const struct row *a = pa;
	const struct row *b = pb;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return compare_times(a->key, b->key);
}

static void put_rows(struct kft_trace *t, struct counting *c, uint64_t whole, size_t top,
		     struct kft_result *r)
{
	static const struct kft_result_column columns[] = {
		{"kind", "WITHIN", .is_text = true},
		{"key", "KEY", .is_text = true},
		{"samples", "SAMPLES"},
		{"share", "SHARE"},
	};
	struct kft_result_table *table = kft_result_add_table(r, "by_interval", columns,
							      ARRAY_SIZE(columns));

	if (table)
		table->top = top;
	qsort(c->rows.data, c->rows.len, sizeof(*c->rows.data), most_first);
	kft_vec_for_each(&c->rows, row) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
		double share = (double)row->weight / (double)whole;

		kft_interval_key_text(t, row->kind, row->key, &name);
		kft_result_put(table, kft_value_word(row->kind->name));
		kft_result_put(table, kft_value_text(r, kft_strbuf_cstr(&name)));
		kft_result_put(table, kft_value_count(row->samples));
		kft_result_put(table,
			       kft_value_number(KFT_VALUE_RATIO,
						(uint64_t)(share * MILLION + 0.5)));
	}
}

int kft_sample_intervals(struct kft_trace *t, const struct kft_scope *scope,
			 struct kft_sample_point *samples, size_t n, uint64_t whole,
			 size_t top, struct kft_result *r)
{
	struct counting c = {.samples = samples, .n = n};
	int err = count_kinds(t, scope, samples, false, &c);

	if (err == 0)
		err = count_kinds(t, scope, samples, true, &c);
	if (err == 0 && c.rows.len)
		put_rows(t, &c, whole, top, r);
	kft_vec_finish(&c.rows);
	kft_intern_finish(&c.keys);
	return err;
}
