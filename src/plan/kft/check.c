// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds clauses that contradict each other. */
#include "plan/kft/check.h"

#include <string.h>

#include "base/map.h"

static bool is_before(struct kft_pos a, struct kft_pos b)
{
	return a.line != b.line ? a.line < b.line : a.col < b.col;
}

static struct kft_pos later(const struct kft_run_config *run, enum kft_clause a,
			    enum kft_clause b)
{
	return is_before(run->clauses[a], run->clauses[b]) ? run->clauses[b]
							   : run->clauses[a];
}

static void check_times(const struct kft_run_config *run, struct kft_diags *diags)
{
	if (run->mintime_ns && run->maxtime_ns && run->maxtime_ns < run->mintime_ns) {
		kft_diag_add(diags, later(run, KFT_CLAUSE_MINTIME, KFT_CLAUSE_MAXTIME),
			     "maxtime is below mintime: no call could be recorded");
		kft_diag_hint(diags, "mintime drops shorter calls, maxtime longer ones; "
				     "0 switches either off");
	}
	if (run->stop.kind == KFT_TRIGGER_TIME && !run->stop.time_ns) {
		kft_diag_add(diags, run->clauses[KFT_CLAUSE_STOP],
			     "'trigger stop time 0' ends the run when it starts");
		kft_diag_hint(diags,
			      "the stop time counts from the start trigger; without a "
			      "stop trigger the run ends when it is stopped");
	}
}

/* Only probes of functions can show which of several starts a record belongs to. */
static void check_repeat(const struct kft_run_config *run, struct kft_diags *diags)
{
	if (!run->autorepeat ||
	    (run->start.kind != KFT_TRIGGER_EVENT && run->stop.kind != KFT_TRIGGER_EVENT))
		return;
	kft_diag_add(diags, run->clauses[KFT_CLAUSE_AUTOREPEAT],
		     "'autorepeat' cannot be combined with a trigger at an event");
	kft_diag_hint(diags, "use triggers at functions or times, or leave it out");
}

static void check_untimed(const struct kft_run_config *run, struct kft_diags *diags)
{
	if (!run->untimed || (!run->mintime_ns && !run->maxtime_ns))
		return;
	enum kft_clause filter = run->mintime_ns ? KFT_CLAUSE_MINTIME
						 : KFT_CLAUSE_MAXTIME;

	kft_diag_add(diags, later(run, KFT_CLAUSE_UNTIMED, filter),
		     "'untimed' records no durations, but '%s' filters by them",
		     run->mintime_ns ? "filter mintime" : "filter maxtime");
	kft_diag_hint(diags, "leave one of them out");
}

static bool lists_same(const struct kft_config_func *a, const struct kft_config_func *b)
{
	if (a->kind != b->kind)
		return false;
	return a->kind == KFT_FUNC_ADDR ? a->addr == b->addr
					: strcmp(a->word, b->word) == 0;
}

static uint64_t key_of(const struct kft_config_func *f)
{
	return f->kind == KFT_FUNC_ADDR ? f->addr
					: kft_hash_bytes(f->word, strlen(f->word));
}

/*
 * Lists can have many thousand functions, so they are searched by hash. A collision or
 * lack of memory only hides a mistake that shows up in the run.
 */
static void check_lists(const struct kft_run_config *run, struct kft_diags *diags)
{
	_cleanup_(kft_map_finish) struct kft_map listed = {};

	if (!run->nofunclist.len)
		return;
	kft_vec_for_each(&run->funclist, f) {
		uint64_t key = key_of(f);
		uint64_t *place = key == KFT_MAP_NO_KEY ? NULL
							: kft_map_put(&listed, key);

		if (place)
			*place = f - run->funclist.data;
	}
	kft_vec_for_each(&run->nofunclist, f) {
		const uint64_t *at = kft_map_get(&listed, key_of(f));
		const struct kft_config_func *in = at ? &run->funclist.data[*at] : NULL;

		if (!in || !lists_same(in, f))
			continue;
		kft_diag_add(diags, is_before(f->pos, in->pos) ? in->pos : f->pos,
			     "'%s' is in the funclist and in the nofunclist", f->word);
		return;
	}
}

void kft_run_config_check(const struct kft_run_config *run, struct kft_diags *diags)
{
	if (run->noints && run->onlyints)
		kft_diag_add(diags, later(run, KFT_CLAUSE_NOINTS, KFT_CLAUSE_ONLYINTS),
			     "'filter noints' and 'filter onlyints' together leave "
			     "nothing to record");
	check_times(run, diags);
	check_repeat(run, diags);
	check_untimed(run, diags);
	check_lists(run, diags);
}
