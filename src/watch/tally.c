// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts how often conditions were met. */
#include "watch/tally.h"

#include <stdio.h>

#include "base/err.h"

int kft_watch_tally_init(struct kft_watch_tally *t, const struct kft_watch_opts *opts,
			 struct kft_err *e)
{
	*t = (struct kft_watch_tally){
		.opts = opts,
		.rows = calloc(opts->conditions.len + 1, sizeof(*t->rows)),
	};
	return t->rows ? 0 : kft_err_memory(e);
}

void kft_watch_tally_finish(struct kft_watch_tally *t)
{
	free(t->rows);
	t->rows = NULL;
}

struct kft_conditions kft_watch_conditions(const struct kft_watch_tally *t)
{
	struct kft_conditions all = t->opts->conditions;

	all.in_kernel = t->in_kernel;
	return all;
}

bool kft_watch_counts(struct kft_watch_tally *t, const struct kft_seen *seen)
{
	struct kft_watch_tally_row *row = &t->rows[seen->condition];
	enum kft_when when = t->opts->conditions.data[seen->condition].when;

	/*
	 * After the watcher's session was opened again, the match finds
	 * an elapsed time once more.
	 */
	if (when == KFT_WHEN_TIME && row->times)
		return false;
	if (seen->ts < row->rests_until_ns ||
	    (t->opts->at_most && row->times >= t->opts->at_most))
		return false;
	row->times++;
	row->last = time(NULL);
	(void)snprintf(row->why, sizeof(row->why), "%s", seen->why);
	return true;
}

void kft_watch_rests(struct kft_watch_tally *t, size_t condition, uint64_t now_ns)
{
	struct kft_watch_tally_row *row = &t->rows[condition];

	if (kft_add(now_ns, t->opts->rest_ns, &row->rests_until_ns))
		row->rests_until_ns = UINT64_MAX;
}
