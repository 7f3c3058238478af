// SPDX-License-Identifier: LGPL-2.1-or-later
/* Turns a run's clauses into a plan. */
#include "plan/kft/lower.h"

static int lower_trigger(const struct kft_config_trigger *from,
			 struct kft_plan_trigger *to, struct kft_err *e)
{
	if (from->kind == KFT_TRIGGER_ENTRY || from->kind == KFT_TRIGGER_EXIT)
		return kft_plan_trigger_set_function(to, from->kind, from->func.word, e);
	if (from->kind == KFT_TRIGGER_EVENT)
		return kft_plan_trigger_set_event(to, from->event.pattern,
						  from->event.filter, e);
	to->kind = from->kind;
	to->time_ns = from->time_ns;
	return 0;
}

static int lower_lists(const struct kft_run_config *run, struct kft_plan *p,
		       struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < run->funclist.len; i++)
		r = kft_plan_add_function(p, run->funclist.data[i].word, e);
	for (size_t i = 0; r == 0 && i < run->nofunclist.len; i++)
		r = kft_plan_exclude_function(p, run->nofunclist.data[i].word, e);
	for (size_t i = 0; r == 0 && i < run->pids.len; i++)
		r = kft_plan_add_pid(p, (pid_t)run->pids.data[i], e);
	for (size_t i = 0; r == 0 && i < run->comms.len; i++)
		r = kft_plan_add_comm(p, run->comms.data[i], e);
	for (size_t i = 0; r == 0 && i < run->events.len; i++)
		r = kft_plan_add_event(p, run->events.data[i].pattern,
				       run->events.data[i].filter, e);
	return r;
}

static enum kft_context context_of(const struct kft_run_config *run)
{
	if (run->noints)
		return KFT_CONTEXT_TASK;
	return run->onlyints ? KFT_CONTEXT_INTERRUPT : KFT_CONTEXT_ANY;
}

int kft_run_config_lower(const struct kft_run_config *run, struct kft_plan *ret,
			 struct kft_err *e)
{
	struct kft_plan p = {
		.overwrite = run->overwrite,
		.autorepeat = run->autorepeat,
		.functions =
			{
				.enabled = true,
				.min_ns = run->mintime_ns,
				.max_ns = run->maxtime_ns,
				.context = context_of(run),
				.max_calls = run->logentries,
				.untimed = run->untimed,
				.watch = run->watch,
				.watch_bytes = run->watch_bytes,
			},
	};
	int r = lower_trigger(&run->start, &p.start, e);

	if (r == 0)
		r = lower_trigger(&run->stop, &p.stop, e);
	if (r == 0)
		r = lower_lists(run, &p, e);
	if (r < 0)
		kft_plan_finish(&p);
	else
		*ret = p;
	return r;
}
