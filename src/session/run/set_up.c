// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets a run up in the kernel. */
#include "session/run/steps.h"

#include <errno.h>

#include "base/err.h"
#include "session/run/modules.h"
#include "session/run/names.h"
#include "session/run/stack_tracer.h"
#include "tracefs/sources/enable.h"
#include "tracefs/sources/entries.h"
#include "tracefs/sources/graph.h"
#include "tracefs/sources/probes.h"
#include "tracefs/control/setup.h"

/* Enables the plan's events and probes. */
static int enable_events(struct kft_run *r, struct kft_enable *en,
			 const struct kft_plan *plan, struct kft_err *e)
{
	char instance[KFT_PLACE_PREFIX_MAX];
	int n = 0;

	/* Probes belong to the session's instance: their group is made from its name. */
	if (plan->n_probes && r->place.top)
		return kft_err_set(e, -EOPNOTSUPP,
				   "this kernel traces functions at the top level only: "
				   "no probes beside them without a process that waits");
	kft_tracefs_dir_instance_name(r->dir.name, instance, sizeof(instance));
	if (plan->n_probes)
		n = kft_probe_events_create(r->host, instance, plan, r->notify,
					    &en->probes, e);
	return n < 0 ? n : kft_enable_all(en, plan, &r->place, r->notify, e);
}

/* Undoes a set-up that failed. Returns code, its first failure. */
static int back_out(struct kft_run *r, int code)
{
	kft_tracefs_dir_close(&r->place);
	if (kft_ledger_undo(&r->ledger, NULL) == 0)
		kft_graph_release(&r->dir);
	return code;
}

/* Sets up a run without functions, which any kernel can record in an instance. */
static int set_up_events(struct kft_run *r, const struct kft_plan *plan,
			 struct kft_err *e)
{
	int n = kft_tracefs_dir_create(&r->ledger, r->dir.name,
				       kft_graph_tracer_name(KFT_TRACER_NONE), &r->place,
				       e);

	return n < 0 ? n : kft_setup(&r->place, plan, e);
}

/* Refuses to prime a recording again: its plan is not stored. */
static int check_plan(const struct kft_run *r, const struct kft_plan *plan,
		      struct kft_err *e)
{
	if (plan->n_events || plan->n_probes || plan->functions.enabled)
		return 0;
	(void)kft_err_set(e, -EINVAL, "session '%s' has nothing to record", r->dir.name);
	kft_err_hint(e, "'kft record --detach' makes a recording");
	return -EINVAL;
}

/*
 * Whether triggers fire only for the plan's tasks, as those of a recording do. Any task
 * fires a KFT run's trigger.
 */
static bool only_tasks(const struct kft_run *r, const struct kft_plan *plan)
{
	return r->rec.options.is_recording && plan->n_pids;
}

int kft_run_set_up(struct kft_run *r, const struct kft_plan *plan, bool arm_start,
		   struct kft_err *e)
{
	struct kft_plan armed = *plan; /* owns nothing */
	struct kft_session_state rec = {
		.id = r->rec.id + kft_state_is_complete(r->rec.state),
		.state = KFT_STATE_PRIMED,
		.options = r->rec.options,
		.entries = kft_entries_are_wanted(plan),
	};
	_cleanup_(kft_enable_finish) struct kft_enable en = {};
	int n = check_plan(r, plan, e);

	if (n == 0)
		n = kft_enable_resolve(r->host, plan, &en, e);
	if (n == 0)
		n = kft_ledger_undo(&r->ledger, e);
	if (n < 0)
		return n;
	kft_tracefs_dir_close(&r->place);
	n = plan->functions.enabled ? kft_graph_set_up(&r->dir, &r->ledger, plan,
						       &r->place, &rec.setup, e)
				    : set_up_events(r, plan, e);
	if (n == 0 && rec.entries)
		n = kft_entries_create(&r->place, r->dir.name, plan, e);
	if (!arm_start)
		armed.start.kind = KFT_TRIGGER_NONE;
	if (n == 0) {
		kft_run_names_begin(r, plan);
		kft_run_modules_begin(r, plan);
	}
	/* Saved before the triggers are armed: they may start only a run that is primed. */
	if (n == 0)
		n = kft_run_note_boot(r, e);
	if (n == 0) {
		r->rec = rec;
		n = kft_run_save(r, e);
	}
	if (n == 0)
		n = enable_events(r, &en, plan, e);
	if (n == 0)
		n = kft_watch_arm(&r->ledger, plan, e);
	if (n == 0)
		n = kft_probes_prepare(&r->place, r->dir.name, &armed, e);
	if (n == 0)
		n = kft_probes_arm(&r->place, r->dir.name, &armed, only_tasks(r, plan),
				   e);
	if (n == 0)
		return 0;
	n = back_out(r, n);
	r->rec.state = KFT_STATE_LOADED;
	(void)!kft_run_save(r, NULL);
	return n;
}
