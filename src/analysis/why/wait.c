// SPDX-License-Identifier: LGPL-2.1-or-later
/* Chooses the interval to explain if the question names none, or only a task. */
#include "analysis/why/why.h"

/* A wait this many times longer than everything else may be why the task was slow. */
#define TIMES_LONGER 4

/* Whether a cause is work, rather than sleep, idleness, or something that was not seen. */
static bool is_work(enum kft_why_cause cause)
{
	switch (cause) {
	case KFT_WHY_SLEEP:
	case KFT_WHY_SLACK:
	case KFT_WHY_TIMEOUT:
	case KFT_WHY_TIMER:
	case KFT_WHY_DEVICE:
	case KFT_WHY_IDLE:
	case KFT_WHY_BLOCKED:
	case KFT_WHY_LOST:
	case KFT_WHY_UNKNOWN:
		return false;
	default:
		return true;
	}
}

/* Returns 1 if most of the longest interval's time is work, 0 if not, or a negative errno. */
static int is_for_work(struct kft_trace *t, const struct kft_why_found *found,
		       struct kft_err *e)
{
	const struct kft_why_usual usual = {};
	uint64_t work = 0;
	struct kft_why w;
	int r = kft_why_explain(t, found, 0, &usual, &w, e);

	if (r < 0)
		return r;
	for (int cause = 0; cause < KFT_WHY_CAUSES; cause++)
		if (is_work(cause))
			work += w.by_cause[cause];
	r = 2 * work > kft_interval_ns(&w.interval);
	kft_why_finish(&w);
	return r;
}

static uint64_t longest(const struct kft_why_found *found)
{
	return found->worst.len ? kft_interval_ns(&found->worst.data[0]) : 0;
}

int kft_why_find_of_task(struct kft_trace *t, const struct kft_why_ask *ask,
			 struct kft_why_found *ret, struct kft_err *e)
{
	struct kft_why_ask any = *ask;
	struct kft_why_found waits;
	int r = kft_why_find(t, ask, ret, e);

	any.with_any_wait = true;
	if (r < 0 || (r = kft_why_find(t, &any, &waits, e)) < 0)
		return r;
	if (longest(&waits) / TIMES_LONGER > longest(ret)) {
		struct kft_why_found less = *ret;

		/* Everything else is too short to matter: the wait is the answer. */
		r = longest(ret) < KFT_WHY_NOTICED_NS ? 1 : is_for_work(t, &waits, e);
		if (!ask->until)
			ret->left_out = waits.worst.data[0];
		if (r > 0) {
			*ret = waits;
			waits = less;
		}
	}
	kft_why_found_finish(&waits);
	if (r < 0)
		kft_why_found_finish(ret);
	return KFT_MIN(r, 0);
}

int kft_why_find_any(struct kft_trace *t, const struct kft_why_ask *ask,
		     struct kft_why_found *ret, struct kft_err *e)
{
	const struct kft_why_usual usual = {};
	struct kft_why_ask others = *ask;
	struct kft_why w;
	int r = kft_why_find(t, ask, ret, e);

	if (r < 0 || !ret->worst.len || !kft_why_is_tick(t, ret->worst.data[0].key))
		return r;
	r = kft_why_explain(t, ret, 0, &usual, &w, e);
	bool is_told = r >= 0 && w.lead != KFT_WHY_UNKNOWN;

	if (r >= 0)
		kft_why_finish(&w);
	if (is_told)
		return 0;
	others.without_ticks = true;
	kft_why_found_finish(ret);
	return r < 0 ? r : kft_why_find(t, &others, ret, e);
}
