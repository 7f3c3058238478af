// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets up the companion instance that records function entries. */
#include "tracefs/sources/entries.h"

#include <stdio.h>

#include "capture/rundir.h"
#include "tracefs/sources/graph.h"
#include "tracefs/sources/pids.h"
#include "tracefs/sources/probes.h"

int kft_entries_set_up(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
		       struct kft_err *e)
{
	/* A copy of the plan with function entries only. Owns nothing. */
	struct kft_plan own = *plan;

	own.functions = (struct kft_plan_functions){
		.enabled = true,
		.entries = true,
		.include = plan->functions.entered,
		.exclude = plan->functions.exclude,
		.args = plan->functions.args,
	};
	int r = kft_graph_set_up_entries(p, &own, e);
	/* Limits the triggers here to the plan's tasks, as in the session's main instance. */
	if (r == 0 &&
	    (kft_probe_is_needed(&plan->start) || kft_probe_is_needed(&plan->stop)))
		r = kft_pids_set_events(p, plan, e);
	return r;
}

static void instance_name(const char *session, char ret[KFT_PLACE_PREFIX_MAX])
{
	char name[KFT_RUNDIR_NAME_MAX + sizeof(KFT_ENTRIES_SUFFIX)];

	(void)snprintf(name, sizeof(name), "%s" KFT_ENTRIES_SUFFIX, session);
	kft_tracefs_dir_instance_name(name, ret, KFT_PLACE_PREFIX_MAX);
}

int kft_entries_create(struct kft_tracefs_dir *p, const char *session,
		       const struct kft_plan *plan, struct kft_err *e)
{
	char instance[KFT_PLACE_PREFIX_MAX];

	instance_name(session, instance);
	int r = kft_tracefs_dir_make_beside(p, instance, e);
	return r < 0 ? r : kft_entries_set_up(p->beside, plan, e);
}

int kft_entries_open(struct kft_tracefs_dir *p, const char *session, struct kft_err *e)
{
	char instance[KFT_PLACE_PREFIX_MAX];

	instance_name(session, instance);
	return kft_tracefs_dir_open_beside(p, instance, e);
}
