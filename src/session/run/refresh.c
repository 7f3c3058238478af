// SPDX-License-Identifier: LGPL-2.1-or-later
/* Looks at what has become of a run in the kernel. */
#include "session/run/steps.h"

#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/now.h"
#include "session/run/watch.h"
#include "tracefs/control/buffer.h"
#include "tracefs/control/ctl.h"
#include "tracefs/sources/graph.h"
#include "tracefs/sources/probes.h"

/* Records beyond those of the calls that logentries wants. */
#define ENTRIES_TO_SPARE UINT64_C(256)

int kft_run_counts(const struct kft_run *r, struct kft_cpu_counts *ret, struct kft_err *e)
{
	int n = r->place.fd < 0 ? -ENOENT : 0;

	*ret = (struct kft_cpu_counts){};
	for (const struct kft_place *p = &r->place; p && n == 0; p = p->beside) {
		struct kft_cpu_counts one = {};

		n = kft_cpu_counts_sum(p->fd, &one);
		kft_cpu_counts_add(ret, &one);
	}
	return n < 0 ? kft_err_sys(e, n, "cannot look into the buffers of session '%s'",
				   r->dir.name)
		     : 0;
}

/*
 * Nothing is recorded before a run starts, so that a record is proof of its start. It says
 * nothing of now: the switch has to be read after it.
 */
static bool has_records(const struct kft_cpu_counts *counts)
{
	return counts->entries || counts->overrun || counts->read;
}

/* It does so only while recording is on: a stop is proof of a start without any record. */
static bool stop_fired(const struct kft_run *r, const struct kft_plan *plan)
{
	return kft_probe_is_needed(&plan->stop) &&
	       kft_probe_fired(&r->place, r->dir.name, &plan->stop, KFT_PROBE_STOP);
}

/* Not every record that is there is one of a call that will be kept. */
static bool filters_later(const struct kft_run *r, const struct kft_plan *plan)
{
	const struct kft_plan_functions *f = &plan->functions;

	return f->max_ns || f->context != KFT_CONTEXT_ANY || f->n_comms ||
	       plan->n_events || f->min_ns != r->rec.setup.thresh_us * 1000 ||
	       (plan->n_pids && !r->rec.setup.tasks_filtered);
}

/*
 * Records that fill a part of a buffer of that size: to be looked at before it is full,
 * should all be on one CPU.
 */
static uint64_t count_at_most(const struct kft_run *r)
{
	uint64_t bytes = r->rec.options.buffer_bytes ? r->rec.options.buffer_bytes
						     : kft_buffer_default_bytes(r->host);

	return KFT_MAX(bytes / 256, UINT64_C(1));
}

/* A record is a call at most: earlier there cannot be enough of them. */
static bool is_count_due(const struct kft_run *r, const struct kft_plan *plan,
			 const struct kft_cpu_counts *counts)
{
	const struct kft_plan_functions *f = &plan->functions;
	uint64_t at = r->rec.count_at ? r->rec.count_at : f->max_calls;

	return f->max_calls && !plan->overwrite && filters_later(r, plan) &&
	       counts->entries >= KFT_MIN(at, count_at_most(r));
}

/*
 * As many records as logentries wants calls, and some to spare for those that began before
 * the start: it is cut exactly when they are read.
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

static bool is_at_limit(const struct kft_run_record *rec,
			const struct kft_cpu_counts *counts)
{
	const struct kft_run_options *o = &rec->options;

	return (o->max_events && counts->entries + counts->read >= o->max_events) ||
	       (o->max_bytes && counts->bytes + rec->drained_bytes >= o->max_bytes);
}

static int watch(struct kft_run *r, const struct kft_plan *plan, struct kft_err *e)
{
	int n = kft_watch_look(&r->place, plan, &r->rec);

	if (n < 0)
		return kft_err_sys(e, n, "cannot look at the stack tracer");
	return n ? kft_run_save(r, e) : 0;
}

/*
 * When a run started that a trigger started: its first record is that of the trigger. What
 * came before may have been overwritten, or be of an earlier start.
 */
static uint64_t when_started(const struct kft_run *r, const struct kft_plan *plan,
			     const struct kft_cpu_counts *counts)
{
	uint64_t now = kft_now_ns();
	/* The kernel cuts it to microseconds. */
	uint64_t first = counts->oldest + 1000;

	return counts->oldest && first < now && !plan->overwrite && !plan->autorepeat &&
			       !r->rec.drained
		       ? first
		       : now;
}

/* Not when it was, which the records tell, but no earlier. 0: waiting (again). */
int kft_run_note_start(struct kft_run *r, uint64_t start_ns, struct kft_err *e)
{
	bool known = r->rec.started != KFT_CAUSE_NONE && r->rec.start_ns == start_ns;

	if (known)
		return 0;
	if (r->rec.started == KFT_CAUSE_NONE)
		r->rec.started = KFT_CAUSE_TRIGGER;
	r->rec.start_ns = start_ns;
	r->rec.state = start_ns ? KFT_STATE_RECORDING : KFT_STATE_PRIMED;
	return kft_run_save(r, e);
}

/* What cannot be read is not judged. */
static unsigned int disturbance(const struct kft_run *r,
				const struct kft_cpu_counts *counts)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tracer = {};
	uint64_t thresh_us;
	unsigned int found = 0;

	const char *wanted = kft_graph_tracer_name(r->rec.setup.tracer);

	if (kft_ctl_read(r->place.fd, "current_tracer", &tracer) == 0 &&
	    strcmp(tracer.buf, wanted) != 0)
		found |= KFT_DISTURBED_TRACER;
	if (r->rec.setup.tracer == KFT_TRACER_CALLS &&
	    kft_ctl_read_u64(r->ledger.tracefs_fd, "tracing_thresh", &thresh_us) == 0 &&
	    thresh_us != r->rec.setup.thresh_us)
		found |= KFT_DISTURBED_THRESH;
	if (r->rec.recorded && !has_records(counts))
		found |= KFT_DISTURBED_BUFFER;
	return found;
}

/* Looks for what other programs do to what the run has in the kernel. */
static int notice_others(struct kft_run *r, const struct kft_cpu_counts *counts,
			 struct kft_err *e)
{
	const struct kft_run_record before = r->rec;

	r->rec.disturbed |= disturbance(r, counts);
	r->rec.recorded |= has_records(counts);
	return r->rec.disturbed != before.disturbed || r->rec.recorded != before.recorded
		       ? kft_run_save(r, e)
		       : 0;
}

int kft_run_refresh(struct kft_run *r, const struct kft_plan *plan, struct kft_err *e)
{
	struct kft_cpu_counts counts = {};
	uint64_t is_on;

	if (!kft_state_is_under_way(r->rec.state))
		return 0;
	int n = r->place.fd < 0 ? kft_run_open_place(r, e) : 0;
	if (n < 0)
		return n;
	/*
	 * In this order: a trigger that fires meanwhile is then seen to have started the run,
	 * or not seen yet. The other way round its records are there while the switch, as it
	 * was read, is still off: which is how a run looks that somebody has ended.
	 */
	n = kft_run_counts(r, &counts, e);
	if (n < 0)
		return n;
	bool had_started = r->rec.started != KFT_CAUSE_NONE || has_records(&counts) ||
			   stop_fired(r, plan);
	n = kft_ctl_read_u64(r->place.fd, "tracing_on", &is_on);
	if (n < 0)
		return kft_err_sys(e, n, "cannot look at session '%s'", r->dir.name);
	n = notice_others(r, &counts, e);
	if (n < 0)
		return n;
	if (r->rec.state == KFT_STATE_PAUSED)
		return 0;
	if (r->rec.disturbed & KFT_DISTURBED_TRACER)
		return kft_run_stop(r, plan, KFT_CAUSE_OTHER, kft_now_ns(), e);
	if (!had_started && !is_on)
		return 0;
	if (counts.dropped && !plan->overwrite && !r->rec.options.stream)
		return kft_run_stop(r, plan, KFT_CAUSE_FULL, kft_now_ns(), e);
	/* With autorepeat off means that it waits again. */
	if (!is_on && plan->autorepeat)
		return kft_run_note_start(r, 0, e);
	if (r->rec.start_ns)
		n = 0;
	else if ((n = kft_watch_begin(&r->place, plan, &r->rec)) == 0)
		n = kft_run_note_start(r, when_started(r, plan, &counts), e);
	if (n == 0)
		n = watch(r, plan, e);
	if (n < 0)
		return n;
	if (!is_on)
		return kft_run_stop(r, plan,
				    stop_fired(r, plan) ? KFT_CAUSE_TRIGGER
							: KFT_CAUSE_OTHER,
				    kft_now_ns(), e);
	if (has_enough(r, plan, &counts))
		return kft_run_stop(r, plan, KFT_CAUSE_ENTRIES, kft_now_ns(), e);
	if (is_at_limit(&r->rec, &counts))
		return kft_run_stop(r, plan, KFT_CAUSE_LIMIT, kft_now_ns(), e);
	r->count_due = r->rec.options.stream || is_count_due(r, plan, &counts);
	return 0;
}
