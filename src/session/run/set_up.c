// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets up the parts of a detached session. */
#include "session/run/run.h"

#include <errno.h>

#include "base/err.h"
#include "session/run/parts.h"
#include "session/run/steps.h"

/* Refuses to prime a recording again: its plan is not stored. */
static int check_plan(const struct kft_run *r, const struct kft_plan *plan,
		      struct kft_err *e)
{
	if (kft_plan_sources(plan))
		return 0;
	(void)kft_err_set(e, -EINVAL, "session '%s' has nothing to record", r->dir.name);
	kft_err_hint(e, "'kft record --detach' makes a recording");
	return -EINVAL;
}

static int set_up_all(struct kft_run *r, const struct kft_shares *shares,
		      struct kft_err *e)
{
	int n = 0;

	for (size_t i = 0; i < r->n_parts && n == 0; i++)
		n = kft_part_ops(r->parts[i])
			    ->set_up(r->parts[i], &shares->items[i].plan, e);
	r->is_attached = n == 0;
	/* Saved before the triggers are armed: they may start only a run that is primed. */
	if (n == 0)
		n = kft_run_note_boot(r, e);
	if (n == 0)
		n = kft_run_save(r, e);
	for (size_t i = 0; i < r->n_parts && n == 0; i++)
		n = kft_part_ops(r->parts[i])
			    ->enable(r->parts[i], &shares->items[i].plan, e);
	return n;
}

/* Undoes a set-up that failed. */
static void back_out(struct kft_run *r)
{
	(void)!kft_run_parts_undo(r, NULL);
	r->rec.state = KFT_STATE_LOADED;
	(void)!kft_run_save(r, NULL);
}

int kft_run_set_up(struct kft_run *r, const struct kft_plan *plan, bool arm_start,
		   struct kft_err *e)
{
	struct kft_shares shares = {};
	int n = check_plan(r, plan, e);

	if (n == 0)
		n = kft_shares_of_plan(plan, true, &shares, e);
	if (n == 0)
		n = kft_run_parts_choose(r, &shares, e);
	for (size_t i = 0; i < r->n_parts && n == 0; i++)
		n = kft_part_ops(r->parts[i])
			    ->resolve(r->parts[i], &shares.items[i].plan, e);
	if (n == 0)
		n = kft_run_parts_undo(r, e);
	if (n < 0)
		return n;
	if (!arm_start)
		shares.items[shares.n - 1].plan.start.kind = KFT_TRIGGER_NONE;
	r->rec = (struct kft_session_state){
		.id = r->rec.id + kft_state_is_complete(r->rec.state),
		.state = KFT_STATE_PRIMED,
		.options = r->rec.options,
	};
	n = set_up_all(r, &shares, e);
	if (n < 0)
		back_out(r);
	return n;
}
