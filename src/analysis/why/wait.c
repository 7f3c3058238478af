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

/* Whether most of an interval's time is work. */
static bool is_for_work(const struct kft_why *w)
{
	uint64_t work = 0;

	for (int cause = 0; cause < KFT_WHY_CAUSES; cause++)
		if (is_work(cause))
			work += w->usual.ns[cause];
	return 2 * work > kft_interval_ns(&w->interval);
}

/* Whether no cause has more time than the unknown. */
static bool is_unknown(const struct kft_why *w)
{
	for (int cause = 0; cause < KFT_WHY_CAUSES; cause++)
		if (w->usual.ns[cause] > w->usual.ns[KFT_WHY_UNKNOWN])
			return false;
	return true;
}

static uint64_t longest(const struct kft_why_found *found)
{
	return found->worst.len ? kft_interval_ns(&found->worst.data[0]) : 0;
}

/* The answer to a question, and another one that may be better. */
struct choice {
	struct kft_why_found first;
	struct kft_why_found other;
	/* The causes of its longest interval decide between them; none: NULL. */
	const struct kft_why_found *judged;
};

static void choice_finish(struct choice *c)
{
	kft_why_found_finish(&c->first);
	kft_why_found_finish(&c->other);
}

static void swap(struct choice *c)
{
	struct kft_why_found first = c->first;

	c->first = c->other;
	c->other = first;
}

static int find_wait(const struct kft_why_search *s, struct choice *c, struct kft_err *e)
{
	int r = kft_why_search_answer(
		s, KFT_WHY_MEANINGS_FIRST | KFT_WHY_MEANING(KFT_WHY_MEANT_LAST),
		&c->other, e);

	if (r < 0 || longest(&c->other) / TIMES_LONGER <= longest(&c->first))
		return r;
	/* If everything else is too short to matter, the wait is the answer. */
	if (longest(&c->first) < KFT_WHY_NOTICED_NS) {
		swap(c);
		return 0;
	}
	c->first.left_out = c->other.worst.data[0];
	c->judged = &c->other;
	return 0;
}

static int find_without_ticks(const struct kft_trace *t, const struct kft_why_search *s,
			      struct choice *c, struct kft_err *e)
{
	if (!c->first.worst.len || !kft_why_is_tick(t, c->first.worst.data[0].key))
		return 0;
	c->judged = &c->first;
	return kft_why_search_answer(s, KFT_WHY_MEANING(KFT_WHY_MEANT), &c->other, e);
}

static int find(struct kft_trace *t, const struct kft_why_ask *ask, struct choice *c,
		struct kft_err *e)
{
	_cleanup_(kft_why_search_destroyp) struct kft_why_search *s = NULL;
	int r = kft_why_search_create(t, ask, &s, e);

	if (r == 0)
		r = kft_why_search_answer(s, KFT_WHY_MEANINGS_FIRST, &c->first, e);
	if (r < 0 || ask->n_kinds || ask->until)
		return r;
	return ask->task ? find_wait(s, c, e) : find_without_ticks(t, s, c, e);
}

/* Whether the other answer is better than the first one. */
static bool prefers_other(const struct choice *c, const struct kft_why *judged)
{
	return c->judged == &c->other ? is_for_work(judged) : is_unknown(judged);
}

/* Explains both answers and the interval that decides between them. */
static int explain(struct kft_trace *t, struct choice *c, size_t rank,
		   struct kft_why *ret, struct kft_err *e)
{
	struct kft_why_target targets[KFT_WHY_TARGETS_MAX];
	struct kft_why whys[KFT_WHY_TARGETS_MAX];
	bool has_first = c->first.worst.len > rank;
	bool has_other = c->judged && c->other.worst.len > rank;
	bool chosen = false;
	size_t n = 0;

	if (has_first)
		targets[n++] = (struct kft_why_target){&c->first, rank};
	if (has_other)
		targets[n++] = (struct kft_why_target){&c->other, rank};
	if (c->judged)
		targets[n++] = (struct kft_why_target){c->judged, .only_causes = true};
	int r = kft_why_explain(t, targets, n, whys, e);

	if (r < 0)
		return r;
	if (c->judged && prefers_other(c, &whys[n - 1])) {
		swap(c);
		chosen = true;
	}
	for (size_t i = 0; i < n; i++) {
		if (i == (chosen ? has_first : 0) && c->first.worst.len > rank)
			*ret = whys[i];
		else
			kft_why_finish(&whys[i]);
	}
	return 0;
}

int kft_why_answer(struct kft_trace *t, const struct kft_why_ask *ask, size_t rank,
		   struct kft_why_found *found, struct kft_why *ret, struct kft_err *e)
{
	struct choice c = {};
	int r = find(t, ask, &c, e);

	if (r == 0)
		r = explain(t, &c, rank, ret, e);
	if (r == 0) {
		*found = c.first;
		c.first = (struct kft_why_found){};
	}
	choice_finish(&c);
	return r;
}

int kft_why_strangest_of(struct kft_trace *t, const struct kft_why_command *command,
			 struct kft_why *ret, struct kft_err *e)
{
	const struct kft_why_ask ask = {
		.command = command, .keep = 1, .above_ns = KFT_WHY_NOTICED_NS};
	struct kft_why_found found;
	int r = kft_why_answer(t, &ask, 0, &found, ret, e);

	if (r < 0)
		return r;
	r = found.worst.len > 0;
	kft_why_found_finish(&found);
	return r;
}
