// SPDX-License-Identifier: LGPL-2.1-or-later
/* Loads, primes, starts, stops, takes and resets a KFT run. */
#include "capture/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "capture/tracefs/enable.h"
#include "capture/tracefs/entries.h"
#include "capture/tracefs/probes.h"
#include "capture/tracefs/setup.h"
#include "capture/run/budget.h"
#include "capture/run/switched.h"
#include "capture/run/names.h"
#include "capture/run/watch.h"
#include "capture/tasks.h"
#include "capture/tracefs/buffer.h"
#include "capture/tracefs/collect.h"
#include "capture/tracefs/ctl.h"
#include "capture/tracefs/drain.h"

#define CONFIG_FILE "config"

#define ENTRIES_TO_SPARE UINT64_C(256)

static int save(struct kft_run *r, struct kft_err *e)
{
	return kft_run_record_write(&r->dir, &r->rec, e);
}

/* What the run has in the kernel, if it is still there. */
static int open_place(struct kft_run *r, struct kft_err *e)
{
	if (r->rec.state == KFT_STATE_LOADED || r->rec.state == KFT_STATE_SAVED)
		return 0;
	int n = kft_place_open(&r->ledger, r->dir.name, r->rec.setup.top, &r->place);

	if (n == 0 && r->rec.entries)
		n = kft_entries_open(&r->place, r->dir.name, NULL);
	if (n < 0)
		kft_place_close(&r->place);
	if (n == -ENOENT) {
		(void)kft_err_set(e, n,
				  "somebody removed what session '%s' had in the kernel",
				  r->dir.name);
		kft_err_hint(e, "'kft reset -n %s' forgets the run", r->dir.name);
		return n;
	}
	return n < 0 ? kft_err_sys(e, n, "cannot open the place of session '%s'",
				   r->dir.name)
		     : 0;
}

static int open_dir(struct kft_host *host, const char *name, bool create,
		    struct kft_run *ret, struct kft_err *e)
{
	struct kft_run r = {.host = host, .place = {.fd = -1}};
	int n = kft_rundir_open(host, name, create, &r.dir, e);

	if (n < 0)
		return n;
	n = kft_ledger_init(&r.ledger, host, r.dir.fd, e);
	if (n == 0) {
		n = kft_run_record_read(&r.dir, &r.rec, e);
		n = n == -ENOENT ? 0 : n;
	}
	if (n < 0) {
		kft_rundir_close(&r.dir);
		return n;
	}
	*ret = r;
	return 0;
}

int kft_run_open_to_reset(struct kft_host *host, const char *name, struct kft_run *ret)
{
	struct kft_run r = {.host = host, .place = {.fd = -1}};
	int n = kft_rundir_open(host, name, false, &r.dir, NULL);

	if (n < 0)
		return n;
	n = kft_ledger_init(&r.ledger, host, r.dir.fd, NULL);
	if (n < 0)
		kft_rundir_close(&r.dir);
	else
		*ret = r;
	return n;
}

int kft_run_open(struct kft_host *host, const char *name, struct kft_run *ret,
		 struct kft_err *e)
{
	int n = open_dir(host, name, false, ret, e);

	if (n < 0)
		return n;
	/* The place refers to where the ledger is. */
	n = open_place(ret, e);
	if (n < 0 && n != -ENOENT)
		kft_run_close(ret);
	return n == -ENOENT ? 0 : n;
}

void kft_run_close(struct kft_run *r)
{
	kft_place_close(&r->place);
	kft_rundir_close(&r->dir);
}

static bool is_under_way(const struct kft_run *r)
{
	return kft_state_is_under_way(r->rec.state);
}

int kft_run_load(struct kft_host *host, const char *name, const char *config, size_t len,
		 const struct kft_run_options *options, struct kft_run *ret,
		 struct kft_err *e)
{
	int n = open_dir(host, name, true, ret, e);

	if (n < 0)
		return n;
	if (is_under_way(ret)) {
		n = kft_err_set(e, -EBUSY, "session '%s' is under way", name);
		kft_err_hint(e, "'kft stop -n %s' ends it, 'kft reset -n %s' forgets it",
			     name, name);
	}
	if (n == 0)
		n = kft_ledger_undo(&ret->ledger, e);
	if (n == 0) {
		kft_graph_release(&ret->dir);
		n = kft_rundir_write(&ret->dir, CONFIG_FILE, config, len, e);
	}
	if (n == 0) {
		uint64_t id = ret->rec.id;
		bool is_first = !kft_run_record_exists(&ret->dir);

		ret->rec = (struct kft_run_record){
			.id = is_first ? 0 : id + 1,
			.options = *options,
		};
		n = save(ret, e);
	}
	if (n < 0)
		kft_run_close(ret);
	return n;
}

int kft_run_config(const struct kft_run *r, struct kft_strbuf *sb, struct kft_err *e)
{
	int n = kft_rundir_read(&r->dir, CONFIG_FILE, sb, e);

	return n == -ENOENT ? kft_err_set(e, n, "session '%s' has no configuration",
					  r->dir.name)
			    : n;
}

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
	return n ? save(r, e) : 0;
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
static int note_start(struct kft_run *r, uint64_t start_ns, struct kft_err *e)
{
	bool known = r->rec.started != KFT_CAUSE_NONE && r->rec.start_ns == start_ns;

	if (known)
		return 0;
	if (r->rec.started == KFT_CAUSE_NONE)
		r->rec.started = KFT_CAUSE_TRIGGER;
	r->rec.start_ns = start_ns;
	r->rec.state = start_ns ? KFT_STATE_RECORDING : KFT_STATE_PRIMED;
	return save(r, e);
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
		       ? save(r, e)
		       : 0;
}

int kft_run_refresh(struct kft_run *r, const struct kft_plan *plan, struct kft_err *e)
{
	struct kft_cpu_counts counts = {};
	uint64_t is_on;

	if (!is_under_way(r))
		return 0;
	int n = r->place.fd < 0 ? open_place(r, e) : 0;
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
		return note_start(r, 0, e);
	if (r->rec.start_ns)
		n = 0;
	else if ((n = kft_watch_begin(&r->place, plan, &r->rec)) == 0)
		n = note_start(r, when_started(r, plan, &counts), e);
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

int kft_run_mark(const struct kft_run *r, const char *what, enum kft_run_cause cause,
		 uint64_t at_ns)
{
	static const char *const causes[] = {
		[KFT_CAUSE_NONE] = "none",	 [KFT_CAUSE_USER] = "user",
		[KFT_CAUSE_TRIGGER] = "trigger", [KFT_CAUSE_TIME] = "time",
		[KFT_CAUSE_FULL] = "full",	 [KFT_CAUSE_ENTRIES] = "entries",
		[KFT_CAUSE_LIMIT] = "limit",	 [KFT_CAUSE_OTHER] = "other",
	};

	return kft_mark_write(&r->place, what, causes[cause], at_ns);
}

/* The events and probes of the plan, beside the calls. */
static int enable_events(struct kft_run *r, struct kft_enable *en,
			 const struct kft_plan *plan, struct kft_err *e)
{
	char instance[KFT_PLACE_PREFIX_MAX];
	int n = 0;

	/* Probes are known by the session's instance. */
	if (plan->n_probes && r->place.top)
		return kft_err_set(e, -EOPNOTSUPP,
				   "this kernel traces functions at the top level only: "
				   "no probes beside them without a process that waits");
	kft_place_instance_name(r->dir.name, instance, sizeof(instance));
	if (plan->n_probes)
		n = kft_probe_events_create(r->host, instance, plan, r->notify,
					    &en->probes, e);
	return n < 0 ? n : kft_enable_all(en, plan, &r->place, r->notify, e);
}

/* Undoes a step that failed; the first failure is what is told. */
static int back_out(struct kft_run *r, int code)
{
	kft_place_close(&r->place);
	if (kft_ledger_undo(&r->ledger, NULL) == 0)
		kft_graph_release(&r->dir);
	return code;
}

/* Without functions an instance always will do. */
static int set_up_events(struct kft_run *r, const struct kft_plan *plan,
			 struct kft_err *e)
{
	int n = kft_place_create(&r->ledger, r->dir.name,
				 kft_graph_tracer_name(KFT_TRACER_NONE), &r->place, e);

	return n < 0 ? n : kft_setup(&r->place, plan, e);
}

/* A recording's plan is not kept: it is primed once. */
static int check_plan(const struct kft_run *r, const struct kft_plan *plan,
		      struct kft_err *e)
{
	if (plan->n_events || plan->n_probes || plan->functions.enabled)
		return 0;
	(void)kft_err_set(e, -EINVAL, "session '%s' has nothing to record", r->dir.name);
	kft_err_hint(e, "'kft record --detach' makes a recording");
	return -EINVAL;
}

/* Conditions of a recording are those of its tasks; a KFT run's trigger is any task's. */
static bool only_tasks(const struct kft_run *r, const struct kft_plan *plan)
{
	return r->rec.options.is_recording && plan->n_pids;
}

static int set_up(struct kft_run *r, const struct kft_plan *plan, bool arm_start,
		  struct kft_err *e)
{
	struct kft_plan armed = *plan; /* owns nothing */
	struct kft_run_record rec = {
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
	kft_place_close(&r->place);
	n = plan->functions.enabled ? kft_graph_set_up(&r->dir, &r->ledger, plan,
						       &r->place, &rec.setup, e)
				    : set_up_events(r, plan, e);
	if (n == 0 && rec.entries)
		n = kft_entries_create(&r->place, r->dir.name, plan, e);
	if (!arm_start)
		armed.start.kind = KFT_TRIGGER_NONE;
	if (n == 0)
		kft_run_names_begin(r, plan);
	/* Before the triggers: what they start has to belong to a run that is primed. */
	if (n == 0) {
		r->rec = rec;
		n = save(r, e);
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
	(void)!save(r, NULL);
	return n;
}

/* Whether a step fits the run's state; that is left as it is. */
static int check_step(const struct kft_run *r, enum kft_step step, struct kft_err *e)
{
	int n = kft_state_after(r->rec.state, step, r->dir.name, e);

	return n < 0 ? n : 0;
}

int kft_run_prime(struct kft_run *r, const struct kft_plan *plan, struct kft_err *e)
{
	int n = check_step(r, KFT_STEP_PRIME, e);

	return n < 0 || r->rec.state == KFT_STATE_PRIMED ? n : set_up(r, plan, true, e);
}

/* A start by anything else ends the wait: it must not fire after the run has ended. */
static int disarm_start(struct kft_run *r, const struct kft_plan *plan)
{
	if (!kft_probe_is_needed(&plan->start) || plan->autorepeat)
		return 0;
	return kft_probes_disarm(&r->place, r->dir.name, &plan->start, KFT_PROBE_START);
}

int kft_run_start(struct kft_run *r, const struct kft_plan *plan,
		  enum kft_run_cause cause, uint64_t at_ns, struct kft_err *e)
{
	int n = check_step(r, KFT_STEP_START, e);

	if (n < 0)
		return n;
	if (r->rec.state == KFT_STATE_LOADED)
		n = set_up(r, plan, false, e);
	else if (!plan->autorepeat)
		n = disarm_start(r, plan);
	if (n < 0)
		return n;
	/* Noted first: should this process die here, recording off says that it ended. */
	r->rec.started = cause;
	r->rec.start_ns = 0;
	r->rec.state = KFT_STATE_RECORDING;
	n = save(r, e);
	if (n < 0)
		return n;
	n = kft_place_switch(&r->place, true);
	if (n == 0)
		n = kft_run_mark(r, KFT_MARK_START, cause, at_ns);
	if (n < 0)
		return kft_err_sys(e, n, "cannot start session '%s'", r->dir.name);
	/* Getting here can take longer than the run is to last: that counts from now. */
	r->rec.start_ns = KFT_MAX(at_ns, kft_now_ns());
	return save(r, e);
}

static int switch_off(struct kft_run *r, const char *what, enum kft_run_cause cause,
		      uint64_t at_ns, struct kft_err *e)
{
	/* Not recorded when recording is off already, which says as much. */
	(void)!kft_run_mark(r, what, cause, at_ns);
	int n = kft_place_switch(&r->place, false);

	return n < 0 ? kft_err_sys(e, n, "cannot stop session '%s'", r->dir.name) : 0;
}

/* Runs are counted when they are judged. What cannot be counted is not told. */
static void note_counts(struct kft_run *r)
{
	struct kft_cpu_counts counts = {};

	if (!r->rec.options.is_recording || kft_run_counts(r, &counts, NULL) < 0)
		return;
	r->rec.events = counts.entries + counts.read;
	r->rec.lost = counts.dropped + counts.commit_overrun;
}

int kft_run_wait_again(struct kft_run *r, uint64_t at_ns, struct kft_err *e)
{
	int n = switch_off(r, KFT_MARK_STOP, KFT_CAUSE_TIME, at_ns, e);

	return n < 0 ? n : note_start(r, 0, e);
}

int kft_run_pause(struct kft_run *r, const struct kft_plan *plan,
		  enum kft_run_cause cause, struct kft_err *e)
{
	int n = check_step(r, KFT_STEP_PAUSE, e);

	if (n < 0 || r->rec.state == KFT_STATE_PAUSED)
		return n;
	if (plan->autorepeat)
		return kft_err_set(e, -EINVAL,
				   "session '%s' is started and stopped by its triggers",
				   r->dir.name);
	/* Noted first: recording that is off would look as if another program had ended it. */
	r->rec.state = KFT_STATE_PAUSED;
	n = save(r, e);
	return n < 0 ? n : switch_off(r, KFT_MARK_PAUSE, cause, kft_now_ns(), e);
}

int kft_run_resume(struct kft_run *r, enum kft_run_cause cause, struct kft_err *e)
{
	int n = check_step(r, KFT_STEP_RESUME, e);

	if (n < 0 || r->rec.state == KFT_STATE_RECORDING)
		return n;
	n = kft_place_switch(&r->place, true);
	if (n == 0)
		n = kft_run_mark(r, KFT_MARK_RESUME, cause, kft_now_ns());
	if (n < 0)
		return kft_err_sys(e, n, "cannot resume session '%s'", r->dir.name);
	kft_switched_mark(r);
	r->rec.state = KFT_STATE_RECORDING;
	return save(r, e);
}

int kft_run_stop(struct kft_run *r, const struct kft_plan *plan, enum kft_run_cause cause,
		 uint64_t at_ns, struct kft_err *e)
{
	int n = check_step(r, KFT_STEP_STOP, e);

	if (n < 0)
		return n;
	if (r->place.fd < 0)
		n = open_place(r, e);
	if (n < 0)
		return n;
	/* First: a start trigger that is still armed would switch it on again. */
	n = kft_probes_disarm(&r->place, r->dir.name, &plan->start, KFT_PROBE_START);
	if (n < 0)
		return kft_err_sys(e, n, "cannot disarm session '%s'", r->dir.name);
	kft_budget_mark(r);
	kft_switched_mark(r);
	n = switch_off(r, KFT_MARK_STOP, cause, at_ns, e);
	if (n < 0)
		return n;
	r->rec.state = KFT_STATE_COMPLETE;
	note_counts(r);
	r->rec.stopped = cause;
	r->rec.stop_ns = at_ns;
	return save(r, e);
}

/* Half of the records that are likely to be needed, or as many as there are if none is. */
int kft_run_counted(struct kft_run *r, const struct kft_plan *plan, uint64_t kept,
		    uint64_t records, struct kft_err *e)
{
	uint64_t max = plan->functions.max_calls;
	uint64_t likely = records;

	r->count_due = false;
	if (kept >= max)
		return kft_run_stop(r, plan, KFT_CAUSE_ENTRIES, kft_now_ns(), e);
	if (kept && !kft_mul(max - kept, records, &likely))
		likely = likely / kept / 2;
	r->rec.count_at = KFT_MAX(max - kept, likely);
	return save(r, e);
}

int kft_run_reset(struct kft_run *r, struct kft_err *e)
{
	if (r->place.fd >= 0)
		(void)!kft_place_switch(&r->place, false);
	kft_place_close(&r->place);
	int n = kft_ledger_undo(&r->ledger, e);

	if (n < 0)
		return n;
	kft_graph_release(&r->dir);
	return kft_rundir_remove(&r->dir, e);
}
