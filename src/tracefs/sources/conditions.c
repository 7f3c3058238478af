// SPDX-License-Identifier: LGPL-2.1-or-later
/* Starts and stops the recording of an attached session. */
#include "tracefs/sources/conditions.h"

#include "base/err.h"
#include "base/now.h"
#include "tracefs/sources/probes.h"
#include "plan/trigger.h"

int kft_conditions_prepare(struct kft_conditions *c, const struct kft_tracefs_dir *place,
			   const char *session, const struct kft_plan *plan,
			   struct kft_err *e)
{
	*c = (struct kft_conditions){
		.place = place,
		.session = session,
		.only_tasks = plan->n_pids > 0,
	};
	if (kft_plan_trigger_copy(&plan->start, &c->plan.start) < 0 ||
	    kft_plan_trigger_copy(&plan->stop, &c->plan.stop) < 0)
		return kft_err_memory(e);
	return kft_probes_prepare(place, session, &c->plan, e);
}

static int switch_on(struct kft_conditions *c)
{
	int r = kft_tracefs_dir_switch(c->place, true);

	if (r == 0) {
		c->phase = KFT_PHASE_ON;
		c->on_ns = kft_now_ns();
	}
	return r;
}

int kft_conditions_start(struct kft_conditions *c, struct kft_err *e)
{
	if (kft_probe_is_needed(&c->plan.start))
		return kft_probes_arm(c->place, c->session, &c->plan, c->only_tasks, e);
	if (c->plan.start.kind == KFT_TRIGGER_TIME)
		return 0;
	int r = switch_on(c);
	return r < 0 ? kft_err_sys(e, r, "cannot start recording") : 0;
}

static bool has_fired(const struct kft_conditions *c, const struct kft_plan_trigger *t,
		      const char *name)
{
	return kft_probe_is_needed(t) && kft_probe_fired(c->place, c->session, t, name);
}

static void look_for_start(struct kft_conditions *c)
{
	if (has_fired(c, &c->plan.start, KFT_PROBE_START)) {
		c->phase = KFT_PHASE_ON;
		c->on_ns = kft_now_ns();
	}
	/* A failure is retried at the next call. */
	if (c->plan.start.kind == KFT_TRIGGER_TIME &&
	    kft_now_ns() >= kft_boot_to_now_ns(c->plan.start.time_ns))
		(void)!switch_on(c);
}

static bool is_over(const struct kft_conditions *c)
{
	if (c->plan.stop.kind == KFT_TRIGGER_TIME)
		return kft_now_ns() - c->on_ns >= c->plan.stop.time_ns;
	return has_fired(c, &c->plan.stop, KFT_PROBE_STOP);
}

enum kft_phase kft_conditions_look(struct kft_conditions *c)
{
	if (c->phase == KFT_PHASE_WAITING)
		look_for_start(c);
	if (c->phase == KFT_PHASE_ON && is_over(c)) {
		(void)!kft_tracefs_dir_switch(c->place, false);
		c->phase = KFT_PHASE_OVER;
	}
	return c->phase;
}

void kft_conditions_finish(struct kft_conditions *c)
{
	kft_plan_finish(&c->plan);
}
