// SPDX-License-Identifier: LGPL-2.1-or-later
/* Enables the events and probes of a plan for any session. */
#include "tracefs/sources/enable.h"

#include "tracefs/sources/pids.h"

int kft_enable_resolve(struct kft_host *host, const struct kft_plan *plan,
		       struct kft_enable *ret, struct kft_err *e)
{
	return plan->n_events ? kft_event_choices_resolve(host, plan, &ret->choices, e)
			      : 0;
}

/* Enables call stacks for all events of the recording. */
static int set_stacks(const struct kft_plan *plan, const struct kft_tracefs_dir *p,
		      struct kft_err *e)
{
	int r = plan->stack ? kft_tracefs_dir_set(p, "options/stacktrace", "1", e) : 0;

	return r == 0 && plan->user_stack
		       ? kft_tracefs_dir_set(p, "options/userstacktrace", "1", e)
		       : r;
}

int kft_enable_all(struct kft_enable *en, const struct kft_plan *plan,
		   const struct kft_tracefs_dir *p, const struct kft_notify *notify,
		   struct kft_err *e)
{
	int r = kft_pids_set_events(p, plan, e);

	if (r == 0 && en->choices.plan)
		r = kft_event_choices_enable(&en->choices, p, notify, e);
	if (r == 0)
		r = kft_probe_events_enable(&en->probes, p, e);
	if (r == 0)
		r = set_stacks(plan, p, e);
	kft_event_choices_finish(&en->choices);
	en->choices = (struct kft_event_choices){};
	return r;
}

void kft_enable_finish(struct kft_enable *en)
{
	kft_event_choices_finish(&en->choices);
	kft_probe_events_finish(&en->probes);
	*en = (struct kft_enable){};
}
