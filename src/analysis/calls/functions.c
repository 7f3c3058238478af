// SPDX-License-Identifier: LGPL-2.1-or-later
/* Adds up calls by function. */
#include "analysis/calls/functions.h"

#include <errno.h>
#include <string.h>

/* Number of rows at the beginning of a table that are searched for waiting functions. */
#define LEADING_ROWS 10

void kft_functions_finish(struct kft_functions *f)
{
	kft_func_stats_finish(&f->stats);
	kft_vec_finish(&f->by_func);
	kft_map_finish(&f->pairs);
}

static struct kft_func_stat *get_func(struct kft_functions *f, uint32_t func)
{
	while (f->by_func.len <= func)
		if (!kft_vec_push(&f->by_func, KFT_FUNC_STAT_NONE))
			return NULL;
	uint32_t *index = &f->by_func.data[func];

	if (*index == KFT_FUNC_STAT_NONE) {
		struct kft_func_stat stat = {
			.func = func,
			.min_ns = UINT64_MAX,
			.first_callee = KFT_FUNC_STAT_NONE,
			.last_callee = KFT_FUNC_STAT_NONE,
		};

		if (!kft_vec_push(&f->stats.funcs, stat))
			return NULL;
		*index = f->stats.funcs.len - 1;
	}
	return &f->stats.funcs.data[*index];
}

static struct kft_callee_stat *get_callee(struct kft_functions *f, uint32_t caller,
					  uint32_t callee)
{
	uint64_t *slot = kft_map_put(&f->pairs, (uint64_t)caller << 32 | callee);

	if (!slot)
		return NULL;
	if (*slot)
		return &f->stats.callees.data[*slot - 1];
	struct kft_func_stat *parent = get_func(f, caller);
	struct kft_callee_stat stat = {.func = callee, .next = KFT_FUNC_STAT_NONE};

	if (!parent || f->stats.callees.len >= KFT_FUNC_STAT_NONE ||
	    !kft_vec_push(&f->stats.callees, stat))
		return NULL;
	uint32_t index = f->stats.callees.len - 1;

	if (parent->last_callee == KFT_FUNC_STAT_NONE)
		parent->first_callee = index;
	else
		f->stats.callees.data[parent->last_callee].next = index;
	parent->last_callee = index;
	*slot = index + 1;
	return &f->stats.callees.data[index];
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static void add_time(struct kft_func_stat *stat, const struct kft_nested *n)
{
	uint64_t dur = n->call.dur_ns;

	stat->timed++;
	stat->sum_ns += dur;
	stat->min_ns = KFT_MIN(stat->min_ns, dur);
	stat->max_ns = KFT_MAX(stat->max_ns, dur);
	stat->local_ns += kft_nested_local_ns(n);
	stat->on_local_ns += kft_nested_on_local_ns(n);
}

/* Adds rows at entry, so that functions are in the order of their first calls. */
static int on_enter(void *arg, const struct kft_nested *n)
{
	struct kft_functions *f = arg;

	if (!get_func(f, n->call.func) ||
	    (n->parent && !get_callee(f, n->parent->call.func, n->call.func)))
		return -ENOMEM;
	return 0;
}

static int add_to_callee(struct kft_functions *f, const struct kft_nested *n)
{
	struct kft_callee_stat *callee = get_callee(f, n->parent->call.func,
						    n->call.func);

	if (!callee)
		return -ENOMEM;
	callee->calls++;
	callee->sum_ns += n->call.dur_ns;
	return 0;
}

static int on_leave(void *arg, const struct kft_nested *n)
{
	struct kft_functions *f = arg;
	struct kft_func_stat *stat = get_func(f, n->call.func);

	if (!stat || (n->parent && add_to_callee(f, n) < 0))
		return -ENOMEM;
	stat->calls++;
	if (n->call.end == KFT_CALL_ENDED)
		add_time(stat, n);
	if (!n->inner) {
		stat->total_ns += n->span_ns;
		stat->on_total_ns += minus(n->span_ns, n->span_off_ns);
	}
	f->stats.has_off |= n->has_off;
	return 0;
}

struct kft_nest_sink kft_functions_sink(struct kft_functions *f)
{
	return (struct kft_nest_sink){on_enter, on_leave, f};
}

struct sort_key {
	enum kft_functions_order order;
	const struct kft_intern *names;
};

/* A function without a timed call has an unknown time and is sorted after those with 0. */
static int64_t value_of(const struct kft_func_stat *f, enum kft_functions_order order)
{
	if (order == KFT_FUNCTIONS_BY_CALLS)
		return f->calls;
	if (!f->timed)
		return -1;
	switch (order) {
	case KFT_FUNCTIONS_BY_AVERAGE:
		return f->sum_ns / f->timed;
	case KFT_FUNCTIONS_BY_SUB:
		return minus(f->total_ns, f->local_ns);
	case KFT_FUNCTIONS_BY_LOCAL:
		return f->local_ns;
	case KFT_FUNCTIONS_BY_ON_TOTAL:
		return f->on_total_ns;
	case KFT_FUNCTIONS_BY_ON_LOCAL:
		return f->on_local_ns;
	case KFT_FUNCTIONS_BY_NAME:
	case KFT_FUNCTIONS_BY_CALLS:
	case KFT_FUNCTIONS_BY_TOTAL:
		break;
	}
	return f->total_ns;
}

static int compare(const void *pa, const void *pb, void *arg)
{
	const struct kft_func_stat *a = pa;
	const struct kft_func_stat *b = pb;
	const struct sort_key *key = arg;

	if (key->order == KFT_FUNCTIONS_BY_NAME)
		return strcmp(kft_intern_text(key->names, b->func),
			      kft_intern_text(key->names, a->func));
	int64_t va = value_of(a, key->order);
	int64_t vb = value_of(b, key->order);

	if (va != vb)
		return va > vb ? -1 : 1;
	return a->func < b->func ? -1 : a->func > b->func;
}

void kft_functions_sort(struct kft_functions *f, enum kft_functions_order order,
			const struct kft_intern *names)
{
	struct sort_key key = {order, names};

	if (f->stats.funcs.len)
		qsort_r(f->stats.funcs.data, f->stats.funcs.len,
			sizeof(*f->stats.funcs.data), compare, &key);
}

/* Recognizes kernel functions in which the task is not running or the CPU is idle. */
static bool is_waiting(const char *function)
{
	static const char *const begins[] = {"schedule", "__schedule",
					     "cpu_startup_entry"};

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (strncmp(function, begins[i], strlen(begins[i])) == 0)
			return true;
	return strstr(function, "idle");
}

void kft_functions_waiting(const struct kft_func_stats *stats,
			   const struct kft_intern *names, struct kft_strbuf *sb)
{
	size_t n = stats->has_off ? 0 : KFT_MIN(stats->funcs.len, (size_t)LEADING_ROWS);

	for (size_t i = 0; i < n; i++) {
		const struct kft_func_stat *f = &stats->funcs.data[i];
		const char *name = kft_intern_text(names, f->func);

		if (!f->timed || !is_waiting(name))
			continue;
		kft_strbuf_adds(sb, sb->len ? ", " : "");
		kft_strbuf_add_escaped(sb, name, strlen(name));
	}
}
