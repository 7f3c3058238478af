// SPDX-License-Identifier: GPL-2.0-only
/* Finds the interval for which a snapshot was taken. */
#include "cli/why_snapshot.h"

#include <string.h>

#include "derive/kinds/kinds.h"

/* Times of a cause use this clock. */
static bool has_its_clock(const struct kft_trace *t)
{
	return t->buffers.len && strcmp(t->buffers.data[0].clock.name, "mono") == 0;
}

/*
 * An interval over a limit is searched by its name, all other causes by their time
 * alone. The watcher has a separate buffer, in which the same event has a time some
 * nanoseconds earlier or later.
 */
static void ask_for(const struct kft_watch_cause *cause, struct kft_why_ask *ask)
{
	const struct kft_condition *c = &cause->condition;
	uint64_t at = cause->at_ns;

	if (c->when == KFT_WHEN_INTERVAL)
		at -= c->ns / 2;
	ask->since = at;
	ask->until = at;
	ask->is_moment = true;
	if (c->when != KFT_WHEN_INTERVAL) {
		/*
		 * The call that wrote the mark is always in the trace, and
		 * another process waits.
		 */
		if (!ask->above_ns)
			ask->above_ns = KFT_WHY_NOTICED_NS;
		return;
	}
	ask->kinds[0] = kft_interval_kind_find(c->what);
	ask->n_kinds = ask->kinds[0] != NULL;
	ask->key = c->key;
	if (!ask->task)
		ask->task = c->task;
	if (!ask->above_ns)
		ask->above_ns = c->ns;
}

int cli_why_answer_first(struct kft_trace *t, const struct kft_why_ask *ask, size_t rank,
			 struct kft_watch_cause *cause, struct kft_why_found *found,
			 struct kft_why *ret, struct kft_err *e)
{
	struct kft_why_ask of_cause = *ask;
	int r = has_its_clock(t) ? kft_watch_cause_find(t, cause, e) : 0;

	if (r <= 0)
		return r < 0 ? r : kft_why_answer(t, ask, rank, found, ret, e);
	ask_for(cause, &of_cause);
	r = kft_why_answer(t, &of_cause, rank, found, ret, e);
	if (r == 0 && found->worst.len)
		return 1;
	if (r == 0)
		kft_why_found_finish(found);
	kft_watch_cause_finish(cause);
	return r == 0 ? kft_why_answer(t, ask, rank, found, ret, e) : r;
}
