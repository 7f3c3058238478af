// SPDX-License-Identifier: LGPL-2.1-or-later
/* Adds up samples by function, task, CPU and interval. */
#include "analysis/stats/samples.h"

#include <errno.h>

#include "analysis/stats/sample_intervals.h"
#include "base/err.h"
#include "base/map.h"
#include "derive/recorded_stacks.h"
#include "model/stacks.h"

#define MILLION 1000000

/* The samples of a function, a task or a CPU. */
struct sum {
	uint64_t samples; /* with the function as the innermost one */
	uint64_t weight; /* of these samples */
	uint64_t
		total; /* weight of the samples with the function anywhere in the stack */
	uint32_t key; /* number of the name, pid or CPU */
	uint64_t ts; /* of the last one */
};

struct sums {
	KFT_VEC(struct sum) list;
	struct kft_map by_key; /* key -> index + 1 */
};

struct counting {
	struct kft_trace *trace; /* borrowed */
	struct kft_stacks stacks;
	KFT_VEC(uint64_t) counts; /* samples by index of the innermost frame */
	struct sums functions;
	struct sums tasks;
	struct sums cpus;
	KFT_VEC(struct kft_sample_point) points;
	struct kft_strbuf text;
	const struct kft_class *type; /* of the last sample */
	bool is_mixed; /* periods cannot be compared */
	uint64_t samples;
	uint64_t weight;
};

static void sums_finish(struct sums *s)
{
	kft_vec_finish(&s->list);
	kft_map_finish(&s->by_key);
}

static void counting_finish(struct counting *c)
{
	kft_stacks_finish(&c->stacks);
	kft_vec_finish(&c->counts);
	sums_finish(&c->functions);
	sums_finish(&c->tasks);
	sums_finish(&c->cpus);
	kft_vec_finish(&c->points);
	kft_strbuf_finish(&c->text);
}

/* The sum of a key, valid until the next call; NULL when memory runs out. */
static struct sum *sum_of(struct sums *s, uint32_t key)
{
	uint64_t *at = kft_map_put(&s->by_key, key);

	if (!at)
		return NULL;
	if (!*at) {
		if (!kft_vec_push(&s->list, (struct sum){.key = key}))
			return NULL;
		*at = s->list.len;
	}
	return &s->list.data[*at - 1];
}

static int add(struct sums *s, uint32_t key, const struct kft_recorded_stack *stack,
	       uint64_t weight)
{
	struct sum *sum = sum_of(s, key);

	if (!sum)
		return -ENOMEM;
	sum->samples++;
	sum->weight += weight;
	sum->ts = stack->ts;
	return 0;
}

static int add_frames(struct counting *c, const struct kft_recorded_stack *s,
		      uint64_t weight)
{
	uint32_t at = KFT_STACKS_NONE;
	int r = kft_recorded_stack_frames(c->trace, s, s->n, &c->stacks, &c->text, &at);

	while (r == 0 && c->counts.len <= at)
		r = kft_vec_push(&c->counts, 0) ? 0 : -ENOMEM;
	if (r < 0)
		return r;
	c->stacks.frames.data[at].weight += weight;
	c->counts.data[at]++;
	return 0;
}

static int count(void *arg, const struct kft_recorded_stack *s)
{
	struct counting *c = arg;
	uint64_t weight = c->is_mixed ? 1 : s->period;
	const struct kft_sample_point point = {s->ts, weight, s->pid, s->cpu};

	if (!s->sample)
		return 0;
	if (!kft_vec_push(&c->points, point))
		return -ENOMEM;
	c->type = s->sample;
	c->samples++;
	c->weight += weight;
	int r = add_frames(c, s, weight);
	if (r == 0)
		r = add(&c->tasks, (uint32_t)s->pid, s, weight);
	return r == 0 ? add(&c->cpus, s->cpu, s, weight) : r;
}

/* A function that calls itself is in its own total once. */
static bool is_within_itself(const struct kft_stacks *s, const struct kft_stack_frame *f)
{
	for (uint32_t i = f->parent; i != KFT_STACKS_NONE; i = s->frames.data[i].parent)
		if (s->frames.data[i].name == f->name)
			return true;
	return false;
}

/* Frames stand behind their parents: the weights go up from the last one. */
static int add_functions(struct counting *c)
{
	const struct kft_stacks *s = &c->stacks;
	size_t n = s->frames.len;
	_cleanup_free_ uint64_t *subtree = calloc(n + 1, sizeof(*subtree));

	if (!subtree)
		return -ENOMEM;
	for (size_t i = n; i-- > 0;) {
		const struct kft_stack_frame *f = &s->frames.data[i];
		struct sum *sum = sum_of(&c->functions, f->name);

		if (!sum)
			return -ENOMEM;
		subtree[i] += f->weight;
		if (f->parent != KFT_STACKS_NONE)
			subtree[f->parent] += subtree[i];
		sum->weight += f->weight;
		sum->samples += i < c->counts.len ? c->counts.data[i] : 0;
		sum->total += is_within_itself(s, f) ? 0 : subtree[i];
	}
	return 0;
}

static int heaviest_first(const void *pa, const void *pb)
{
	const struct sum *a = pa;
	const struct sum *b = pb;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

static int by_key(const void *pa, const void *pb)
{
	const struct sum *a = pa;
	const struct sum *b = pb;

	return a->key < b->key ? -1 : a->key > b->key;
}

static void sort(struct sums *s, int (*compare)(const void *, const void *))
{
	if (s->list.len)
		qsort(s->list.data, s->list.len, sizeof(*s->list.data), compare);
}

static struct kft_value share(const struct counting *c, uint64_t weight)
{
	return kft_value_number(
		KFT_VALUE_RATIO,
		(uint64_t)((double)weight / (double)c->weight * MILLION + 0.5));
}

static void put_functions(struct counting *c, size_t top, struct kft_result *r)
{
	static const struct kft_result_column columns[] = {
		{"function", "FUNCTION", .is_text = true},
		{"samples", "SAMPLES"},
		{"self", "SELF"},
		{"total", "TOTAL"},
	};
	struct kft_result_table *t = kft_result_add_table(r, "by_function", columns,
							  ARRAY_SIZE(columns));

	if (t)
		t->top = top;
	sort(&c->functions, heaviest_first);
	kft_vec_for_each(&c->functions.list, sum) {
		kft_result_put(t, kft_value_function(r, kft_intern_text(&c->stacks.names,
									sum->key)));
		kft_result_put(t, kft_value_count(sum->samples));
		kft_result_put(t, share(c, sum->weight));
		kft_result_put(t, share(c, sum->total));
	}
}

static void put_tasks(struct counting *c, size_t top, struct kft_result *r)
{
	static const struct kft_result_column columns[] = {
		{"comm", "TASK", .is_text = true},
		{"pid", "PID"},
		{"samples", "SAMPLES"},
		{"share", "SHARE"},
	};
	struct kft_result_table *t = kft_result_add_table(r, "by_task", columns,
							  ARRAY_SIZE(columns));

	if (t)
		t->top = top;
	sort(&c->tasks, heaviest_first);
	kft_vec_for_each(&c->tasks.list, sum) {
		kft_result_put(t, kft_value_task(r, kft_task_comm_at(&c->trace->tasks,
								     sum->key, sum->ts)));
		kft_result_put(t, kft_value_pid((int32_t)sum->key));
		kft_result_put(t, kft_value_count(sum->samples));
		kft_result_put(t, share(c, sum->weight));
	}
}

static void put_cpus(struct counting *c, struct kft_result *r)
{
	static const struct kft_result_column columns[] = {
		{"cpu", "CPU"},
		{"samples", "SAMPLES"},
		{"share", "SHARE"},
	};
	struct kft_result_table *t = kft_result_add_table(r, "by_cpu", columns,
							  ARRAY_SIZE(columns));

	sort(&c->cpus, by_key);
	kft_vec_for_each(&c->cpus.list, sum) {
		kft_result_put(t, kft_value_cpu(sum->key));
		kft_result_put(t, kft_value_count(sum->samples));
		kft_result_put(t, share(c, sum->weight));
	}
}

static void put_totals(struct counting *c, enum kft_sample_unit unit,
		       struct kft_result *r)
{
	kft_result_add(r, "samples", "Samples", kft_value_count(c->samples));
	if (unit == KFT_SAMPLES_MIXED)
		return;
	kft_result_add(r, "event", "Of", kft_value_text(r, c->type->name));
	kft_result_add(r, "sum", unit == KFT_SAMPLES_NS ? "Time" : "Events",
		       unit == KFT_SAMPLES_NS ? kft_value_duration(c->weight)
					      : kft_value_count(c->weight));
}

int kft_sample_stats(struct kft_trace *t, const struct kft_scope *scope, size_t top,
		     struct kft_result *result, struct kft_err *e)
{
	_cleanup_(counting_finish) struct counting c = {.trace = t};
	enum kft_sample_unit unit = kft_sample_unit(t);

	c.is_mixed = unit == KFT_SAMPLES_MIXED;
	kft_stacks_init(&c.stacks);
	int r = unit == KFT_SAMPLES_NONE ? -ENODATA
					 : kft_recorded_stacks_run(t, scope, count, &c);
	if (r == -ENODATA || (r == 0 && !c.samples)) {
		kft_err_set(e, -ENODATA, "the trace has no samples");
		kft_err_hint(e, "'kft record --sample' and 'perf record' take some");
		return -ENODATA;
	}
	if (r == 0)
		r = add_functions(&c);
	if (r < 0)
		return kft_err_sys(e, r, "cannot count the samples");
	put_totals(&c, unit, result);
	put_functions(&c, top, result);
	put_tasks(&c, top, result);
	put_cpus(&c, result);
	r = kft_sample_intervals(t, scope, c.points.data, c.points.len, c.weight, top,
				 result);
	return r < 0 ? kft_err_sys(e, r, "cannot find the intervals of the samples") : 0;
}
