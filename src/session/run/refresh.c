// SPDX-License-Identifier: LGPL-2.1-or-later
/* Refreshes the state of a run from the kernel. */
#include "session/run/run.h"

#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/now.h"
#include "capture/notify.h"
#include "session/run/parts.h"
#include "session/run/steps.h"

/* Records beyond those of logentries' calls, for calls that began before the start. */
#define ENTRIES_TO_SPARE UINT64_C(256)

int kft_run_counts(const struct kft_run *r, struct kft_cpu_counts *ret, struct kft_err *e)
{
	int n = r->is_attached ? 0 : -ENOENT;

	*ret = (struct kft_cpu_counts){};
	for (size_t i = 0; i < r->n_parts && n == 0; i++) {
		struct kft_cpu_counts one = {};

		n = kft_part_ops(r->parts[i])->counts(r->parts[i], &one);
		kft_cpu_counts_add(ret, &one);
	}
	return n < 0 ? kft_err_sys(e, n, "cannot look into the buffers of session '%s'",
				   r->dir.name)
		     : 0;
}

/*
 * Nothing is recorded before a run starts, so a record proves its start. It does not
 * prove that the run still records: the switch has to be read after the counters.
 */
static bool has_records(const struct kft_cpu_counts *counts)
{
	return counts->entries || counts->overrun || counts->read;
}

/*
 * Whether kft applies filters when it reads the records, so that not every record is of a
 * call that will be kept.
 */
static bool filters_later(const struct kft_run *r, const struct kft_plan *plan)
{
	const struct kft_plan_functions *f = &plan->functions;

	return f->max_ns || f->context != KFT_CONTEXT_ANY || f->n_comms ||
	       plan->n_events || f->min_ns != r->rec.setup.thresh_us * 1000 ||
	       (plan->n_pids && !r->rec.setup.tasks_filtered);
}

/*
 * Returns a number of records that fill only a part of one CPU's buffer: calls are
 * counted before it is full, even if all records are on one CPU.
 */
static uint64_t count_at_most(const struct kft_run *r)
{
	struct kft_part_shape shape = {};
	uint64_t bytes = r->rec.options.buffer_bytes;

	if (!bytes)
		(void)!kft_part_ops(kft_run_lead(r))->shape(kft_run_lead(r), &shape);
	bytes = bytes ? bytes : shape.buffer_bytes;
	return KFT_MAX(bytes / 256, UINT64_C(1));
}

/*
 * Whether to count the calls. A record is of at most one call, so fewer records than
 * max_calls cannot have enough calls.
 */
static bool is_count_due(const struct kft_run *r, const struct kft_plan *plan,
			 const struct kft_cpu_counts *counts)
{
	const struct kft_plan_functions *f = &plan->functions;
	uint64_t at = r->rec.count_at ? r->rec.count_at : f->max_calls;

	return f->max_calls && !plan->overwrite && filters_later(r, plan) &&
	       counts->entries >= KFT_MIN(at, count_at_most(r));
}

/*
 * Whether there are records of as many calls as logentries wants, and some to spare for
 * calls that began before the start. The exact cut is made when the records are read.
 */
static bool has_enough(const struct kft_run *r, const struct kft_plan *plan,
		       const struct kft_cpu_counts *counts)
{
	uint64_t per_call = r->rec.setup.thresh_us ? 1 : 2;
	uint64_t wanted;

	if (!plan->functions.max_calls || plan->overwrite || filters_later(r, plan) ||
	    kft_mul(plan->functions.max_calls, per_call, &wanted) ||
	    kft_add(wanted, ENTRIES_TO_SPARE, &wanted))
		return false;
	return counts->entries >= wanted;
}

static bool is_at_limit(const struct kft_session_state *rec,
			const struct kft_cpu_counts *counts)
{
	const struct kft_run_options *o = &rec->options;

	return (o->max_events && counts->entries + counts->read >= o->max_events) ||
	       (o->max_bytes && counts->bytes + rec->drained_bytes >= o->max_bytes);
}

/* Begins to search for deep stacks, or repeats the search. */
static int watch(struct kft_run *r, const struct kft_plan *plan, bool begins,
		 struct kft_err *e)
{
	struct kft_part *lead = kft_run_lead(r);
	int n = 0;

	if (plan->functions.watch != KFT_WATCH_NONE && kft_part_ops(lead)->watch)
		n = kft_part_ops(lead)->watch(lead, plan, begins);
	if (n < 0)
		return kft_err_sys(e, n, "cannot look at the stack tracer");
	return n > 0 ? kft_run_save(r, e) : 0;
}

/*
 * Returns when a trigger started the run: at the first record, which is the trigger's.
 * Returns the present time if that record may be overwritten, drained, or of an earlier
 * start.
 */
static uint64_t when_started(const struct kft_run *r, const struct kft_plan *plan,
			     const struct kft_cpu_counts *counts)
{
	uint64_t now = kft_now_ns();
	/* The kernel rounds it down to microseconds. */
	uint64_t first = counts->oldest + 1000;

	return counts->oldest && first < now && !plan->overwrite && !plan->autorepeat &&
			       !r->rec.drained
		       ? first
		       : now;
}

/*
 * Starts or stops the other parts when a trigger has started or stopped the lead, so that they
 * miss the time until this check.
 */
static int follow(const struct kft_run *r, uint64_t start_ns, struct kft_err *e)
{
	int n = kft_run_others_record(r, start_ns);

	if (n < 0)
		return kft_err_sys(e, n, "cannot record '%s'", r->parts[0]->ops->name);
	if (start_ns)
		kft_notify(r->notify, "'%s' records from up to %.1f ms after the start",
			   r->parts[0]->ops->name,
			   (double)(kft_now_ns() - start_ns) / 1e6);
	return 0;
}

int kft_run_note_start(struct kft_run *r, uint64_t start_ns, struct kft_err *e)
{
	bool known = r->rec.started != KFT_CAUSE_NONE && r->rec.start_ns == start_ns;

	if (known)
		return 0;
	if (r->rec.started == KFT_CAUSE_NONE)
		r->rec.started = KFT_CAUSE_TRIGGER;
	r->rec.start_ns = start_ns;
	r->rec.state = start_ns ? KFT_STATE_RECORDING : KFT_STATE_PRIMED;
	int n = kft_backends_share(r->n_parts) ? follow(r, start_ns, e) : 0;
	return n < 0 ? n : kft_run_save(r, e);
}

/* Notes changes that other programs made to the run's settings and buffer in the kernel. */
static int notice_others(struct kft_run *r, const struct kft_part_look *look,
			 struct kft_err *e)
{
	const struct kft_session_state before = r->rec;

	r->rec.disturbed |= look->disturbed;
	if (r->rec.recorded && !has_records(&look->counts))
		r->rec.disturbed |= KFT_DISTURBED_BUFFER;
	r->rec.recorded |= has_records(&look->counts);
	return r->rec.disturbed != before.disturbed || r->rec.recorded != before.recorded
		       ? kft_run_save(r, e)
		       : 0;
}

/* Looks at the lead. ret_sum has the counters of all parts. */
static int look_at_all(struct kft_run *r, const struct kft_plan *plan,
		       struct kft_part_look *ret, struct kft_cpu_counts *ret_sum,
		       struct kft_err *e)
{
	struct kft_part *lead = kft_run_lead(r);
	int n = kft_part_ops(lead)->look(lead, plan, ret, e);

	*ret_sum = ret->counts;
	return n == 0 && kft_backends_share(r->n_parts) ? kft_run_counts(r, ret_sum, e)
							: n;
}

int kft_run_refresh(struct kft_run *r, const struct kft_plan *plan, struct kft_err *e)
{
	struct kft_part_look look = {};
	struct kft_cpu_counts counts;

	if (!kft_state_is_under_way(r->rec.state))
		return 0;
	int n = r->is_attached ? 0 : kft_run_open_place(r, e);
	if (n == 0)
		n = look_at_all(r, plan, &look, &counts, e);
	if (n < 0)
		return n;
	bool had_started = r->rec.started != KFT_CAUSE_NONE ||
			   has_records(&look.counts) || look.has_stopped;
	n = notice_others(r, &look, e);
	if (n < 0)
		return n;
	if (r->rec.state == KFT_STATE_PAUSED)
		return 0;
	if (r->rec.disturbed & KFT_DISTURBED_TRACER)
		return kft_run_stop(r, plan, KFT_CAUSE_OTHER, kft_now_ns(), e);
	if (!had_started && !look.is_on)
		return 0;
	if (counts.dropped && !plan->overwrite && !r->rec.options.stream)
		return kft_run_stop(r, plan, KFT_CAUSE_FULL, kft_now_ns(), e);
	/*
	 * With autorepeat, recording that is off means that the run waits for its start
	 * again.
	 */
	if (!look.is_on && plan->autorepeat)
		return kft_run_note_start(r, 0, e);
	if (r->rec.start_ns)
		n = 0;
	else if ((n = watch(r, plan, true, e)) == 0)
		n = kft_run_note_start(r, when_started(r, plan, &look.counts), e);
	if (n == 0)
		n = watch(r, plan, false, e);
	if (n < 0)
		return n;
	if (!look.is_on)
		return kft_run_stop(
			r, plan, look.was_stopped ? KFT_CAUSE_TRIGGER : KFT_CAUSE_OTHER,
			kft_now_ns(), e);
	if (has_enough(r, plan, &look.counts))
		return kft_run_stop(r, plan, KFT_CAUSE_ENTRIES, kft_now_ns(), e);
	if (is_at_limit(&r->rec, &counts))
		return kft_run_stop(r, plan, KFT_CAUSE_LIMIT, kft_now_ns(), e);
	r->count_due = r->rec.options.stream || is_count_due(r, plan, &look.counts);
	return 0;
}
