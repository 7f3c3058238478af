// SPDX-License-Identifier: LGPL-2.1-or-later
/* Divides a plan among backends. */
#include "capture/share.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "capture/detached.h"

/* The plan of a session, and whether the session outlives its process. */
struct wanted {
	const struct kft_plan *plan;
	bool detached;
};

static int accepts(const struct kft_backend_ops *ops, const struct wanted *w,
		   enum kft_source source, struct kft_err *e)
{
	int r = ops->accepts(w->plan, source, e);

	if (r < 0 || !w->detached)
		return r;
	if (!ops->detached)
		return kft_err_set(e, -EOPNOTSUPP,
				   "it records only while a process waits with it");
	return w->plan->overwrite && !ops->detached->overwrites
		       ? kft_err_set(e, -EOPNOTSUPP, "it cannot keep the newest events")
		       : 0;
}

/*
 * Reports a source that no backend accepts, with the reasons of all backends and the first hint
 * among them. Returns the code of the first backend.
 */
static int refuse(const struct wanted *w, enum kft_source source, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf reasons = {};
	struct kft_err first = {};
	size_t n = 0;

	for (; kft_backends[n]; n++) {
		struct kft_err why = {};
		int r = accepts(kft_backends[n], w, source, &why);

		kft_strbuf_addf(&reasons, "%s%s: %s", n ? "; " : "",
				kft_backends[n]->name, why.msg);
		if (!n)
			first = why;
		first.code = n ? first.code : r;
		if (!first.hint[0])
			kft_err_hint(&first, "%s", why.hint);
	}
	/* With a single backend, its name is no information for the user. */
	if (n > 1)
		kft_err_set(e, first.code, "nothing here records %s (%s)",
			    kft_source_name(source), kft_strbuf_cstr(&reasons));
	else
		kft_err_set(e, first.code, "%s", first.msg);
	if (first.hint[0])
		kft_err_hint(e, "%s", first.hint);
	return first.code;
}

/* Returns the first backend that accepts the source, or NULL. */
static const struct kft_backend_ops *taker(const struct wanted *w, enum kft_source source)
{
	for (size_t i = 0; kft_backends[i]; i++)
		if (accepts(kft_backends[i], w, source, NULL) == 0)
			return kft_backends[i];
	return NULL;
}

static int add(struct kft_shares *s, const struct kft_backend_ops *ops,
	       enum kft_source source)
{
	size_t i = 0;

	while (i < s->n && s->items[i].ops != ops)
		i++;
	if (i == KFT_BACKENDS_MAX)
		return -E2BIG;
	if (i == s->n)
		s->items[s->n++] = (struct kft_share){.ops = ops};
	s->items[i].sources |= KFT_SOURCE_BIT(source);
	return 0;
}

static int give_sources(const struct wanted *w, struct kft_shares *s, struct kft_err *e)
{
	unsigned int sources = kft_plan_sources(w->plan);

	if (!sources) {
		kft_err_set(e, -EINVAL, "there is nothing to record: no event was named");
		kft_err_hint(e, "'kft list events' shows what there is");
		return -EINVAL;
	}
	for (unsigned int i = 0; i < KFT_SOURCE_COUNT; i++) {
		if (!(sources & KFT_SOURCE_BIT(i)))
			continue;
		const struct kft_backend_ops *ops = taker(w, i);
		if (!ops)
			return refuse(w, i, e);
		int r = add(s, ops, i);
		if (r < 0)
			return kft_err_set(e, r, "the plan needs too many mechanisms");
	}
	return 0;
}

static bool has_conditions(const struct kft_plan *plan)
{
	return plan->start.kind != KFT_TRIGGER_NONE ||
	       plan->stop.kind != KFT_TRIGGER_NONE;
}

static size_t rank(const struct kft_backend_ops *ops)
{
	size_t i = 0;

	while (kft_backends[i] && kft_backends[i] != ops)
		i++;
	return i;
}

static bool is_better_lead(const struct kft_backend_ops *a,
			   const struct kft_backend_ops *b)
{
	return a->finds_conditions == b->finds_conditions ? rank(a) < rank(b)
							  : a->finds_conditions;
}

/*
 * Moves the lead to the end of the shares. Backends that can detect triggers are preferred, then
 * the order of kft_backends counts.
 */
static int choose_lead(const struct kft_plan *plan, struct kft_shares *s,
		       struct kft_err *e)
{
	size_t lead = 0;

	for (size_t i = 1; i < s->n; i++)
		if (is_better_lead(s->items[i].ops, s->items[lead].ops))
			lead = i;
	if (has_conditions(plan) && !s->items[lead].ops->finds_conditions)
		return kft_err_set(e, -EOPNOTSUPP,
				   "'%s' cannot find a start or a stop in what happens",
				   s->items[lead].ops->name);
	struct kft_share last = s->items[lead];
	s->items[lead] = s->items[s->n - 1];
	s->items[s->n - 1] = last;
	return 0;
}

static bool has_clock(const struct kft_backend_ops *ops, const char *clock)
{
	for (size_t i = 0; ops->clocks && ops->clocks[i]; i++)
		if (strcmp(ops->clocks[i], clock) == 0)
			return true;
	return !ops->clocks;
}

static bool all_have_clock(const struct kft_shares *s, const char *clock)
{
	for (size_t i = 0; i < s->n; i++)
		if (!has_clock(s->items[i].ops, clock))
			return false;
	return true;
}

/* Returns the lead's list of clocks, else that of another share; NULL: all accept any clock. */
static const char *const *short_list(const struct kft_shares *s)
{
	for (size_t i = s->n; i-- > 0;)
		if (s->items[i].ops->clocks)
			return s->items[i].ops->clocks;
	return NULL;
}

static int refuse_clock(const struct kft_shares *s, const char *clock, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf common = {};
	const char *const *list = short_list(s);

	for (size_t i = 0; list && list[i]; i++)
		if (all_have_clock(s, list[i]))
			kft_strbuf_addf(&common, "%s%s", common.len ? ", " : "", list[i]);
	if (clock)
		kft_err_set(e, -EINVAL, "not all that is recorded can use the clock '%s'",
			    clock);
	else
		kft_err_set(e, -EINVAL, "what is recorded has no clock in common");
	if (common.len)
		kft_err_hint(e, "all have: %s", kft_strbuf_cstr(&common));
	return -EINVAL;
}

/* Chooses one clock for all shares. *ret is NULL if a single backend may choose its own. */
static int choose_clock(const struct kft_plan *plan, const struct kft_shares *s,
			const char **ret, struct kft_err *e)
{
	const char *const *list = short_list(s);

	*ret = plan->clock;
	if (plan->clock)
		return all_have_clock(s, plan->clock) ? 0
						      : refuse_clock(s, plan->clock, e);
	if (s->n == 1)
		return 0;
	if (!list)
		*ret = "mono";
	for (size_t i = 0; list && list[i] && !*ret; i++)
		if (all_have_clock(s, list[i]))
			*ret = list[i];
	return *ret ? 0 : refuse_clock(s, NULL, e);
}

static void make_plans(const struct kft_plan *plan, const char *clock,
		       struct kft_shares *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct kft_plan *part = &s->items[i].plan;

		*part = kft_plan_part(plan, s->items[i].sources);
		part->clock = (char *)clock;
		if (i + 1 == s->n)
			continue;
		part->start = part->stop = (struct kft_plan_trigger){};
	}
}

int kft_shares_of_plan(const struct kft_plan *plan, bool detached, struct kft_shares *ret,
		       struct kft_err *e)
{
	const struct wanted wanted = {plan, detached};
	struct kft_shares s = {};
	const char *clock = NULL;
	int r = give_sources(&wanted, &s, e);

	if (r == 0)
		r = choose_lead(plan, &s, e);
	if (r == 0)
		r = choose_clock(plan, &s, &clock, e);
	if (r < 0)
		return r;
	make_plans(plan, clock, &s);
	*ret = s;
	return 0;
}
