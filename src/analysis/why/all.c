// SPDX-License-Identifier: LGPL-2.1-or-later
/* Groups many intervals by reason. */
#include <errno.h>
#include <string.h>

#include "analysis/why/why.h"
#include "base/err.h"

#define MILLION 1000000.0

/* The reason of one interval. */
struct reason {
	enum kft_why_cause cause;
	char *what; /* owned */
	uint64_t cause_ns;
};

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
	const struct kft_why_found *found; /* borrowed */
	struct reason *reasons; /* owned; by rank */
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
	for (size_t i = 0; i < g->found->worst.len && g->reasons; i++)
		free(g->reasons[i].what);
	free(g->reasons);
	kft_vec_for_each(&g->list, group)
		free(group->what);
	kft_vec_finish(&g->list);
}

/* Keeps the leading cause of an interval and the description of its leading row. */
static int take_reason(void *arg, struct kft_why *w)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf what = {};
	struct groups *g = arg;

	if (w->lead_row < w->rows.len)
		kft_why_add_row(w, &w->rows.data[w->lead_row], &what);
	g->reasons[w->rank] = (struct reason){w->lead, kft_strbuf_detach(&what),
					      w->by_cause[w->lead]};
	return g->reasons[w->rank].what ? 0 : -ENOMEM;
}

/* Adds an interval to the group with the same reason. */
static int add(struct groups *g, const struct kft_interval *i, struct reason *reason)
{
	struct group *group = NULL;
	uint64_t ns = kft_interval_ns(i);

	kft_vec_for_each(&g->list, known)
		if (known->cause == reason->cause &&
		    strcmp(known->what, reason->what) == 0)
			group = known;
	if (!group) {
		struct group first = {.cause = reason->cause, .what = reason->what};

		if (!kft_vec_push(&g->list, first))
			return -ENOMEM;
		reason->what = NULL;
		group = &g->list.data[g->list.len - 1];
	}
	if (ns > kft_interval_ns(&group->longest))
		group->longest = *i;
	group->count++;
	group->total_ns += ns;
	group->cause_ns += reason->cause_ns;
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
	_cleanup_(finish) struct groups g = {.found = found};
	const struct kft_why_target worst = {found};
	size_t n = found->worst.len;
	struct kft_why w;
	int r = kft_why_explain(t, &worst, 1, &w, e);

	if (r < 0)
		return r;
	const struct kft_why_usual usual = w.usual;

	kft_why_finish(&w);
	g.reasons = calloc(n + 1, sizeof(*g.reasons));
	if (!g.reasons)
		return kft_err_sys(e, -ENOMEM, "cannot group the intervals");
	r = kft_why_explain_each(t, found, &usual, take_reason, &g, e);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++)
		if (add(&g, &found->worst.data[i], &g.reasons[i]) < 0)
			return kft_err_sys(e, -ENOMEM, "cannot group the intervals");
	if (g.list.len)
		qsort(g.list.data, g.list.len, sizeof(*g.list.data), most_first);
	add_result(&g, n, ret);
	return 0;
}
