// SPDX-License-Identifier: LGPL-2.1-or-later
/* Groups many intervals by reason. */
#include <errno.h>
#include <string.h>

#include "analysis/why/why.h"
#include "base/err.h"

#define MILLION 1000000.0

/* Intervals that have the same reason. */
struct group {
	enum kft_why_cause cause;
	char *what; /* owned */
	uint64_t count;
	uint64_t total_ns; /* sum of the intervals */
	uint64_t cause_ns; /* time of the cause in them */
	struct kft_interval longest;
};

struct groups {
	KFT_VEC(struct group) list;
};

static const struct kft_result_column columns[] = {
	{"count", "COUNT"},
	{"share", "SHARE", .is_detail = true},
	{"total", "TOTAL"},
	{"cause_time", "CAUSE TIME", .is_detail = true},
	{"cause", "CAUSE", .is_text = true},
	{"what", "REASON", .is_text = true},
	{"longest", "LONGEST AT", .is_detail = true},
	{"longest_time", "LONGEST", .is_detail = true},
};

static void finish(struct groups *g)
{
	kft_vec_for_each(&g->list, group)
		free(group->what);
	kft_vec_finish(&g->list);
}

/* Adds an interval to the group with the same leading cause and description of its leading row. */
static int add(struct groups *g, const struct kft_why *w)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf what = {};
	struct group *group = NULL;

	if (w->lead_row < w->rows.len)
		kft_why_add_row(w, &w->rows.data[w->lead_row], &what);
	kft_vec_for_each(&g->list, known)
		if (known->cause == w->lead &&
		    strcmp(known->what, kft_strbuf_cstr(&what)) == 0)
			group = known;
	if (!group) {
		struct group first = {.cause = w->lead, .what = kft_strbuf_detach(&what)};

		if (!first.what || !kft_vec_push(&g->list, first)) {
			free(first.what);
			return -ENOMEM;
		}
		group = &g->list.data[g->list.len - 1];
	}
	uint64_t ns = kft_interval_ns(&w->interval);

	if (ns > kft_interval_ns(&group->longest))
		group->longest = w->interval;
	group->count++;
	group->total_ns += ns;
	group->cause_ns += w->by_cause[w->lead];
	return 0;
}

static int most_first(const void *pa, const void *pb)
{
	const struct group *a = pa;
	const struct group *b = pb;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return a->total_ns > b->total_ns ? -1 : a->total_ns < b->total_ns;
}

static void add_result(const struct groups *g, size_t n, struct kft_result *r)
{
	struct kft_result_table *table = kft_result_add_table(r, "causes", columns,
							      ARRAY_SIZE(columns));

	kft_result_add(r, "intervals", "Intervals", kft_value_count(n));
	kft_vec_for_each(&g->list, group) {
		kft_result_put(table, kft_value_count(group->count));
		kft_result_put(table,
			       kft_value_number(KFT_VALUE_RATIO,
						(uint64_t)((double)group->count *
								   MILLION / (double)n +
							   0.5)));
		kft_result_put(table, kft_value_duration(group->total_ns));
		kft_result_put(table, kft_value_duration(group->cause_ns));
		kft_result_put(table, kft_value_word(kft_why_causes[group->cause].key));
		kft_result_put(table, kft_value_text(r, group->what));
		kft_result_put(table,
			       kft_value_number(KFT_VALUE_TIME, group->longest.begin_ns));
		kft_result_put(table,
			       kft_value_duration(kft_interval_ns(&group->longest)));
	}
}

int kft_why_all(struct kft_trace *t, const struct kft_why_found *found,
		struct kft_result *ret, struct kft_err *e)
{
	_cleanup_(finish) struct groups g = {};
	struct kft_why_usual usual;
	int r = kft_why_find_usual(t, found, &usual, e);

	for (size_t i = 0; i < found->worst.len && r >= 0; i++) {
		struct kft_why w;

		r = kft_why_explain(t, found, i, &usual, &w, e);
		if (r < 0)
			break;
		r = add(&g, &w);
		kft_why_finish(&w);
		if (r < 0)
			return kft_err_sys(e, r, "cannot group the intervals");
	}
	if (r < 0)
		return r;
	if (g.list.len)
		qsort(g.list.data, g.list.len, sizeof(*g.list.data), most_first);
	add_result(&g, found->worst.len, ret);
	return 0;
}
