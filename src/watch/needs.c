// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the events that conditions need. */
#include "watch/match.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "derive/kinds/kinds.h"
#include "watch/own_tasks.h"
#include "watch/in_kernel.h"

/*
 * If several conditions need an event, it is recorded without a filter, and the
 * match applies the filters.
 */
static int add_event(struct kft_plan *p, const char *event, const char *filter,
		     bool is_optional, struct kft_err *e)
{
	for (size_t i = 0; i < p->n_events; i++) {
		if (strcmp(p->events[i].pattern, event) != 0)
			continue;
		free(p->events[i].filter);
		p->events[i].filter = NULL;
		return 0;
	}
	int r = kft_plan_add_event(p, event, filter, e);
	if (r == 0)
		p->events[p->n_events - 1].is_optional = is_optional;
	return r;
}

/* Calls of functions need a tracer, which the watcher does not set up. */
static bool can_be_waited_for(const struct kft_interval_kind *kind)
{
	return kind && !kind->is_instant && kind != &kft_kind_function;
}

static int add_kind(struct kft_plan *p, const struct kft_condition *c, struct kft_err *e)
{
	const struct kft_interval_kind *kind = kft_interval_kind_find(c->what);
	int r = 0;

	if (!can_be_waited_for(kind)) {
		(void)kft_err_set(e, -EINVAL, "not a kind of interval: '%s'", c->what);
		kft_err_hint(e, "'kft stats --help' lists them: irq, softirq, syscall, "
				"sched, block, work, timer, ...");
		return -EINVAL;
	}
	for (size_t i = 0; i < KFT_KIND_EVENTS && kind->events[i].name && r == 0; i++) {
		const struct kft_kind_event *event = &kind->events[i];
		_cleanup_free_ char *filter = kft_in_kernel_filter(c, event->name);
		_cleanup_free_ char *name = NULL;

		if (!event->system || event->is_other_form ||
		    strcmp(event->system, "ftrace") == 0)
			continue;
		if (asprintf(&name, "%s:%s", event->system, event->name) < 0)
			return kft_err_memory(e);
		r = add_event(p, name, filter, true, e);
	}
	return r;
}

static int add_interval(struct kft_plan *p, const struct kft_conditions *conditions,
			size_t i, struct kft_err *e)
{
	return kft_in_kernel_is_found(conditions, i)
		       ? kft_in_kernel_plan(&conditions->data[i], i, p, e)
		       : add_kind(p, &conditions->data[i], e);
}

static int add_function(struct kft_plan *p, const struct kft_condition *c,
			struct kft_err *e)
{
	_cleanup_free_ char *probe = NULL;

	if (asprintf(&probe, "%s%s", c->what, c->when == KFT_WHEN_EXIT ? "%return" : "") <
	    0)
		return kft_err_memory(e);
	return kft_plan_add_probe(p, false, probe, e);
}

int kft_match_plan(const struct kft_conditions *conditions, struct kft_plan *p,
		   struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; i < conditions->len && r == 0; i++) {
		const struct kft_condition *c = &conditions->data[i];

		switch (c->when) {
		case KFT_WHEN_EVENT:
		case KFT_WHEN_SILENCE:
			r = add_event(p, c->what, c->filter, false, e);
			break;
		case KFT_WHEN_ENTER:
		case KFT_WHEN_EXIT:
			r = add_function(p, c, e);
			break;
		case KFT_WHEN_INTERVAL:
			r = add_interval(p, conditions, i, e);
			break;
		/* Marks are recorded without an event in the plan. */
		case KFT_WHEN_MARK:
		case KFT_WHEN_TIME:
			break;
		}
		if (r == 0 && kft_condition_does(c, KFT_ACTION_EXEC))
			r = add_event(p, "sched:" KFT_FAMILY_EVENT, NULL, true, e);
	}
	/* A session needs at least one event: a rare one is used. */
	return r == 0 && !p->n_events && !p->n_probes && !p->n_intervals
		       ? kft_plan_add_event(p, "sched:sched_process_exec", NULL, e)
		       : r;
}
