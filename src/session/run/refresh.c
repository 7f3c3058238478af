// SPDX-License-Identifier: LGPL-2.1-or-later
/* Refreshes the state of a run from the kernel. */
#include "session/run/steps.h"

#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/now.h"
#include "session/run/stack_tracer.h"
#include "tracefs/control/buffer.h"
#include "tracefs/control/control_file.h"
#include "tracefs/sources/graph.h"
#include "tracefs/sources/probes.h"

/* Records beyond those of logentries' calls, for calls that began before the start. */
#define ENTRIES_TO_SPARE UINT64_C(256)

int kft_run_counts(const struct kft_run *r, struct kft_cpu_counts *ret, struct kft_err *e)
{
	int n = r->place.fd < 0 ? -ENOENT : 0;

	*ret = (struct kft_cpu_counts){};
	for (const struct kft_tracefs_dir *p = &r->place; p && n == 0; p = p->beside) {
		struct kft_cpu_counts one = {};

		n = kft_cpu_counts_sum(p->fd, &one);
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
 * Whether the stop trigger fired. It fires only while recording is on, so it proves a
 * start even without records.
 */
static bool stop_fired(const struct kft_run *r, const struct kft_plan *plan)
{
	return kft_probe_is_needed(&plan->stop) &&
	       kft_probe_fired(&r->place, r->dir.name, &plan->stop, KFT_PROBE_STOP);
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
	uint64_t bytes = r->rec.options.buffer_bytes ? r->rec.options.buffer_bytes
						     : kft_buffer_default_bytes(r->host);

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

static int watch(struct kft_run *r, const struct kft_plan *plan, struct kft_err *e)
{
	int n = kft_watch_look(&r->place, plan, &r->rec);

	if (n < 0)
		return kft_err_sys(e, n, "cannot look at the stack tracer");
	return n ? kft_run_save(r, e) : 0;
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

/* A file that cannot be read is no disturbance. */
static unsigned int disturbance(const struct kft_run *r,
				const struct kft_cpu_counts *counts)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tracer = {};
	uint64_t thresh_us;
	unsigned int found = 0;

	const char *wanted = kft_graph_tracer_name(r->rec.setup.tracer);

	if (kft_control_file_read(r->place.fd, "current_tracer", &tracer) == 0 &&
	    strcmp(tracer.buf, wanted) != 0)
		found |= KFT_DISTURBED_TRACER;
	if (r->rec.setup.tracer == KFT_TRACER_CALLS &&
	    kft_control_file_read_u64(r->ledger.tracefs_fd, "tracing_thresh",
				      &thresh_us) == 0 &&
	    thresh_us != r->rec.setup.thresh_us)
		found |= KFT_DISTURBED_THRESH;
	if (r->rec.recorded && !has_records(counts))
		found |= KFT_DISTURBED_BUFFER;
	return found;
}

/* Notes changes that other programs made to the run's settings and buffer in the kernel. */
static int notice_others(struct kft_run *r, const struct kft_cpu_counts *counts,
			 struct kft_err *e)
{
	const struct kft_session_state before = r->rec;

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
	 * The counters are read before the switch: when a trigger fires in between, the
	 * switch is on and the run has started. The other way round, the switch would
	 * have been read as off, and records would be there: as if another program had
	 * stopped the run.
	 */
	n = kft_run_counts(r, &counts, e);
	if (n < 0)
		return n;
	bool had_started = r->rec.started != KFT_CAUSE_NONE || has_records(&counts) ||
			   stop_fired(r, plan);
	n = kft_control_file_read_u64(r->place.fd, "tracing_on", &is_on);
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
	/*
	 * With autorepeat, recording that is off means that the run waits for its start
	 * again.
	 */
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
