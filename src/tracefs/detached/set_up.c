// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets up the part of a detached session that tracefs records. */
#include "tracefs/detached/part.h"

#include <errno.h>

#include "base/err.h"
#include "tracefs/detached/modules.h"
#include "tracefs/detached/names.h"
#include "tracefs/detached/stack_tracer.h"
#include "tracefs/detached/switched.h"
#include "tracefs/sources/event_cost.h"
#include "tracefs/sources/entries.h"
#include "tracefs/sources/graph.h"
#include "tracefs/sources/probes.h"
#include "tracefs/control/persistent.h"
#include "tracefs/control/setup.h"

/* Enables the plan's events and probes. */
static int enable_events(struct kft_tracefs_part *r, const struct kft_plan *plan,
			 struct kft_err *e)
{
	char instance[KFT_PLACE_PREFIX_MAX];
	int n = 0;

	/* Probes belong to the session's instance: their group is made from its name. */
	if (plan->n_probes && r->place.top)
		return kft_err_set(e, -EOPNOTSUPP,
				   "this kernel traces functions at the top level only: "
				   "no probes beside them without a process that waits");
	kft_tracefs_dir_instance_name(r->base.run->dir.name, instance, sizeof(instance));
	if (plan->n_probes)
		n = kft_probe_events_create(r->base.run->host, instance, plan,
					    r->base.run->notify, &r->enable.probes, e);
	return n < 0 ? n
		     : kft_enable_all(&r->enable, plan, &r->place, r->base.run->notify,
				      e);
}

/* Sets up a run without functions, which any kernel can record in an instance. */
static int set_up_events(struct kft_tracefs_part *r, const struct kft_plan *plan,
			 struct kft_err *e)
{
	int n = kft_tracefs_dir_create(&r->ledger, r->base.run->dir.name,
				       kft_graph_tracer_name(KFT_TRACER_NONE), &r->place,
				       e);

	return n < 0 ? n : kft_setup(&r->place, plan, e);
}

/*
 * Whether triggers fire only for the plan's tasks, as those of a recording do. Any task
 * fires a KFT run's trigger.
 */
static bool only_tasks(const struct kft_tracefs_part *r, const struct kft_plan *plan)
{
	return r->base.run->rec.options.is_recording && plan->n_pids;
}

int kft_tracefs_part_resolve(struct kft_part *p, const struct kft_plan *plan,
			     struct kft_err *e)
{
	struct kft_tracefs_part *r = kft_tracefs_part_of(p);
	struct kft_run_options *o = &p->run->rec.options;
	int n = 0;

	kft_enable_finish(&r->enable);
	if (o->max_cost_ppm && !o->event_ns)
		n = kft_event_cost_measure(p->run->host, &o->event_ns, e);
	return n == 0 ? kft_enable_resolve(p->run->host, plan, &r->enable, e) : n;
}

int kft_tracefs_part_set_up(struct kft_part *p, const struct kft_plan *plan,
			    struct kft_err *e)
{
	struct kft_tracefs_part *r = kft_tracefs_part_of(p);
	struct kft_session_state *rec = &p->run->rec;
	/* The file may be of an earlier recording of that name. */
	int n = kft_rundir_remove_file(&p->run->dir, KFT_SWITCHED, e);

	rec->entries = kft_entries_are_wanted(plan);
	if (n == 0)
		n = plan->functions.enabled
			    ? kft_graph_set_up(&p->run->dir, &r->ledger, plan, &r->place,
					       &rec->setup, e)
			    : set_up_events(r, plan, e);
	if (n == 0 && rec->entries)
		n = kft_entries_create(&r->place, p->run->dir.name, plan, e);
	if (n < 0)
		return n;
	p->survives = kft_instance_is_kept(r->place.fd);
	kft_run_names_begin(r, plan);
	kft_run_modules_begin(r, plan);
	return 0;
}

int kft_tracefs_part_enable(struct kft_part *p, const struct kft_plan *plan,
			    struct kft_err *e)
{
	struct kft_tracefs_part *r = kft_tracefs_part_of(p);
	const char *name = p->run->dir.name;
	int n = enable_events(r, plan, e);

	if (n == 0)
		n = kft_watch_arm(&r->ledger, plan, e);
	if (n == 0)
		n = kft_probes_prepare(&r->place, name, plan, e);
	if (n == 0)
		n = kft_probes_arm(&r->place, name, plan, only_tasks(r, plan), e);
	kft_enable_finish(&r->enable);
	return n;
}
