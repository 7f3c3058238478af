// SPDX-License-Identifier: LGPL-2.1-or-later
/* Implements the backend that records with tracefs. */
#include "capture/backend.h"

#include <errno.h>
#include <stdio.h>

#include <kft/reset.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "capture/notify.h"
#include "tracefs/sources/conditions.h"
#include "tracefs/sources/enable.h"
#include "tracefs/sources/entries.h"
#include "tracefs/sources/graph.h"
#include "tracefs/sources/hist.h"
#include "tracefs/control/instance.h"
#include "tracefs/sources/later_modules.h"
#include "tracefs/mark.h"
#include "tracefs/drain/names.h"
#include "tracefs/drain/others.h"
#include "tracefs/sources/pids.h"
#include "tracefs/control/setup.h"
#include "tracefs/detached/part.h"

/* The names of tasks in the trace of a killed recorder are at most this old. */
#define TASKS_PERIOD_NS UINT64_C(5000000000)
/* A module that is unloaded sooner than this after its load may have no symbols in the trace. */
#define MODULES_PERIOD_NS UINT64_C(1000000000)

struct tracefs {
	struct kft_backend base;
	struct kft_backend_opts opts;
	struct kft_enable enable;
	struct kft_instance instance;
	struct kft_ledger ledger;
	/* has the ledger's file; fd -1: there is nothing to undo */
	struct kft_rundir dir;
	/* directory it records in: the instance, or the top level */
	struct kft_tracefs_dir place;
	struct kft_graph_setup functions;
	struct kft_conditions conditions;
	int guard_fd; /* owned; see kft_setup_guard() */
	struct kft_transfer transfer; /* begun when armed */
	/* companion instance for function entries, if the plan has any */
	struct kft_instance entries;
	int entries_guard_fd; /* owned; the same for the entries */
	struct kft_names *names; /* owned; NULL: not available */
	struct kft_others others; /* once started */
	bool is_paused;
	bool told_taken;
	uint64_t tasks_ns; /* last refresh of the tasks, on CLOCK_MONOTONIC */
	uint64_t modules_ns;
	struct kft_later_modules later;
};

static struct tracefs *tracefs_of(struct kft_backend *b)
{
	return container_of(b, struct tracefs, base);
}

static bool has_triggers(const struct kft_plan *plan)
{
	return plan->start.kind != KFT_TRIGGER_NONE ||
	       plan->stop.kind != KFT_TRIGGER_NONE;
}

/* True when triggers record the call stacks of single events. */
static bool has_stacks(const struct kft_plan *plan)
{
	for (size_t i = 0; i < plan->n_events; i++)
		if (plan->events[i].stack)
			return true;
	for (size_t i = 0; i < plan->n_probes; i++)
		if (plan->probes[i].stack)
			return true;
	return false;
}

/*
 * Entries recorded along with calls use a companion instance, which is switched on and
 * off with the session's main one, so they cannot be the only source.
 */
static int accepts(const struct kft_plan *plan, enum kft_source source, struct kft_err *e)
{
	if (source == KFT_SOURCE_SAMPLES)
		return kft_err_set(e, -EOPNOTSUPP, "%s",
				   HAVE_PERF ? "it takes no samples"
					     : "this small build takes no samples");
	if (source != KFT_SOURCE_ENTRIES ||
	    kft_plan_sources(plan) != KFT_SOURCE_BIT(KFT_SOURCE_ENTRIES))
		return 0;
	return kft_err_set(
		e, -EINVAL,
		"entries of functions are recorded only beside something else");
}

/*
 * Removes the leftovers of killed sessions, which cost memory and may still record,
 * before this session adds to them.
 */
static int remove_orphans(const struct kft_backend_opts *opts, struct kft_err *e)
{
	struct kft_reset_report report;
	int r = kft_reset(opts->host, &report, e);

	if (r < 0)
		return r;
	for (size_t i = 0; i < report.len; i++)
		if (report.items[i].state == KFT_RESET_REMOVED &&
		    !kft_instance_is_beside(report.items[i].name))
			kft_notify(&opts->notify,
				   "removed the leftovers of the killed session '%s' "
				   "from the kernel",
				   kft_instance_session(report.items[i].name));
	kft_reset_report_finish(&report);
	return 0;
}

/*
 * The ledger is undone before the instance is removed, because some files of the instance
 * set options of the whole kernel.
 */
static int give_back(struct tracefs *t, struct kft_err *e)
{
	int r = t->dir.fd < 0 ? 0 : kft_ledger_undo(&t->ledger, e);

	if (t->dir.fd >= 0 && r == 0)
		r = kft_rundir_remove(&t->dir, e);
	kft_rundir_close(&t->dir);
	int removed = kft_instance_remove(&t->instance, r < 0 ? NULL : e);
	return r < 0 ? r : removed;
}

static int close_tracefs(struct kft_backend *b, struct kft_err *e)
{
	struct tracefs *t = tracefs_of(b);

	kft_others_close(&t->others);
	kft_enable_finish(&t->enable);
	kft_conditions_finish(&t->conditions);
	kft_transfer_close(&t->transfer);
	if (HAVE_SESSION_NAMES)
		kft_later_modules_finish(&t->later);
	if (t->place.fd >= 0)
		(void)!kft_tracefs_dir_switch(&t->place, false);
	/* An instance with an open file cannot be removed. */
	kft_closep(&t->guard_fd);
	kft_closep(&t->entries_guard_fd);
	kft_tracefs_dir_close(&t->place);
	int names = kft_names_close(t->names, e);
	int entries = kft_instance_remove(&t->entries, names < 0 ? NULL : e);
	int r = give_back(t, names < 0 || entries < 0 ? NULL : e);
	if (r == 0)
		r = names < 0 ? names : entries;
	free(t);
	return r;
}

static int make_instance(struct tracefs *t, struct kft_err *e)
{
	struct kft_host *host = t->opts.host;
	const struct kft_plan *plan = t->opts.plan;
	/*
	 * Resolve the events first: a pattern that matches nothing fails before anything
	 * is made.
	 */
	int r = kft_enable_resolve(host, plan, &t->enable, e);

	if (r == 0)
		r = remove_orphans(&t->opts, e);
	if (r == 0)
		r = kft_instance_create(host, plan->name, &t->instance, e);
	if (r == 0)
		r = kft_ledger_init(&t->ledger, host, -1, e);
	if (r < 0)
		return r;
	r = kft_tracefs_dir_open_instance(&t->ledger, t->instance.name, &t->place);
	if (r < 0)
		return kft_err_sys(e, r, "cannot open the tracefs instance '%s'",
				   t->instance.name);
	t->guard_fd = kft_setup_guard(&t->place);
	/*
	 * Open the names before /proc is read, so that no new task or name in between is
	 * missed.
	 */
	kft_names_open(&t->ledger, plan, &t->instance, &t->names);
	r = plan->functions.enabled ? 0 : kft_setup(&t->place, plan, e);
	return r < 0 ? r
		     : kft_probe_events_create(host, t->instance.name, plan,
					       &t->opts.notify, &t->enable.probes, e);
}

static int open_tracefs(const struct kft_backend_opts *opts, struct kft_backend **ret,
			struct kft_err *e)
{
	struct tracefs *t = calloc(1, sizeof(*t));

	if (!t)
		return kft_err_sys(e, -ENOMEM, "cannot open a session");
	t->base.ops = &kft_tracefs_backend;
	t->opts = *opts;
	t->instance.fd = -1;
	t->instance.instances_fd = -1;
	t->place.fd = -1;
	t->dir.fd = -1;
	t->dir.base_fd = -1;
	t->guard_fd = -1;
	t->entries.fd = -1;
	t->entries.instances_fd = -1;
	t->entries_guard_fd = -1;
	t->others.stats_fd = -1;
	t->others.inotify_fd = -1;
	int r = make_instance(t, e);
	if (r < 0) {
		(void)!close_tracefs(&t->base, NULL);
		return r;
	}
	*ret = &t->base;
	return 0;
}

static int begin_transfer(struct tracefs *t, struct kft_err *e)
{
	const struct kft_transfer_opts opts = {
		.host = t->opts.host,
		.instance_fd = t->place.fd,
		.beside = t->place.beside,
		.sink = t->opts.sink,
		.command_line = t->opts.command_line,
		.notify = &t->opts.notify,
		.untraced = t->opts.plan->functions.enabled &&
			    kft_pids_are_known(t->opts.host),
		.notice_readers = true,
	};
	int r = kft_transfer_begin(&t->transfer, &opts, e);

	return r < 0 ? r
		     : kft_transfer_open(&t->transfer,
					 t->opts.plan->overwrite ? KFT_TRANSFER_AT_END
								 : KFT_TRANSFER_STREAM,
					 e);
}

/*
 * Sets up the tracing of the plan's functions in the instance, or, if this kernel cannot
 * do that, records everything at the top level. The instance is then kept only if the
 * plan has probes: its lock shows whether the session that made them is alive.
 */
static int arm_functions(struct tracefs *t, struct kft_err *e)
{
	int r = kft_graph_set_up(&t->dir, &t->ledger, t->opts.plan, &t->place,
				 &t->functions, e);
	if (r < 0 || !t->place.top)
		return r;
	kft_notify(&t->opts.notify,
		   "this kernel has no tracer of calls in instances: everything is "
		   "recorded at the top level of tracefs");
	kft_closep(&t->guard_fd);
	t->guard_fd = kft_setup_guard(&t->place);
	return t->opts.plan->n_probes ? 0 : kft_instance_remove(&t->instance, e);
}

/* True for changes outside of the instance: the ledger has to note them before they are made. */
static bool needs_ledger(const struct kft_plan *plan)
{
	return plan->functions.enabled || has_triggers(plan) || has_stacks(plan) ||
	       plan->n_intervals;
}

/* If no ledger is needed the directory only serves kft pause, so a failure is ignored. */
static int open_dir(struct tracefs *t, struct kft_err *e)
{
	bool needed = needs_ledger(t->opts.plan);
	int r = kft_rundir_open_attached(t->opts.host,
					 kft_instance_session(t->instance.name), &t->dir,
					 needed ? e : NULL);

	if (r < 0)
		return needed ? r : 0;
	t->ledger.dir_fd = t->dir.fd;
	return 0;
}

static int arm_entries(struct tracefs *t, struct kft_err *e)
{
	char name[KFT_INSTANCE_NAME_MAX];

	(void)snprintf(name, sizeof(name), "%s" KFT_ENTRIES_SUFFIX,
		       kft_instance_session(t->instance.name));
	int r = kft_instance_create(t->opts.host, name, &t->entries, e);
	if (r == 0)
		r = kft_tracefs_dir_open_beside(&t->place, t->entries.name, e);
	if (r < 0)
		return r;
	t->entries_guard_fd = kft_setup_guard(t->place.beside);
	return kft_entries_set_up(t->place.beside, t->opts.plan, e);
}

static int arm(struct kft_backend *b, struct kft_err *e)
{
	struct tracefs *t = tracefs_of(b);
	const struct kft_plan *plan = t->opts.plan;
	struct kft_sink *sink = t->opts.sink;
	int r = open_dir(t, e);

	if (r == 0 && plan->functions.enabled)
		r = arm_functions(t, e);
	if (r == 0 && kft_entries_are_wanted(plan))
		r = arm_entries(t, e);
	if (r == 0)
		r = kft_enable_all(&t->enable, plan, &t->place, &t->opts.notify, e);
	if (r == 0 && HAVE_HIST)
		r = kft_hist_enable(plan, &t->place, e);
	if (r == 0)
		r = kft_conditions_prepare(&t->conditions, &t->place,
					   kft_instance_session(t->instance.name), plan,
					   e);
	/*
	 * A sink that reads events live must be woken by the first one. buffer_percent is
	 * set before the sink waits, because epoll(7) keeps to the wait queue that it
	 * found at the beginning.
	 */
	if (r == 0 && sink->ops->take_fd)
		(void)!kft_tracefs_dir_set_optional(&t->place, "buffer_percent", "0",
						    NULL);
	if (r == 0)
		r = begin_transfer(t, e);
	if (HAVE_SESSION_NAMES)
		kft_later_modules_init(&t->later, &plan->functions);
	t->opts.plan = NULL;
	t->opts.command_line = NULL;
	return r;
}

/* A failure is not fatal: the recording goes on without times of names. */
static void start_names(struct tracefs *t)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf first = {};

	if (!t->names)
		return;
	kft_tasks_names(&t->transfer.tasks, 0, NULL, &first);
	if (!kft_strbuf_ok(&first) || kft_names_start(t->names, t->opts.sink, &first) < 0)
		kft_notify(&t->opts.notify, "names of tasks are recorded without times");
}

static int start(struct kft_backend *b, struct kft_err *e)
{
	struct tracefs *t = tracefs_of(b);
	int r = kft_transfer_start(&t->transfer, e);

	if (r < 0)
		return r;
	start_names(t);
	t->tasks_ns = kft_now_ns();
	r = kft_conditions_start(&t->conditions, e);
	if (r == 0 && t->conditions.phase == KFT_PHASE_ON)
		kft_others_open(&t->others, t->place.fd);
	return r;
}

static void progress(const struct kft_backend *b, struct kft_progress *ret)
{
	const struct tracefs *t = container_of(b, struct tracefs, base);

	kft_transfer_progress(&t->transfer, ret);
	if (t->others.emptied)
		ret->taken = UINT64_MAX;
	ret->off_ns = t->others.off_ns;
	ret->waiting = t->conditions.phase == KFT_PHASE_WAITING;
	ret->over = t->conditions.phase == KFT_PHASE_OVER;
}

/* Reports interference by other programs, once and as soon as it is noticed. */
static void look_for_others(struct tracefs *t)
{
	const struct kft_notify *notify = &t->opts.notify;
	const char *session = kft_instance_session(t->instance.name);
	bool was_off = t->others.is_off;
	struct kft_progress p = {};

	bool back = kft_others_look(&t->others, false);
	/* The session's own stop may have come since the last look. */
	if (t->others.is_off && kft_conditions_look(&t->conditions) == KFT_PHASE_OVER)
		return;
	if (t->others.is_off && !was_off)
		kft_notify(notify,
			   "another program or a trigger switched recording off (session "
			   "'%s'): events from now on are missing",
			   session);
	else if (back)
		kft_notify(notify, "recording was off for a time, and is on again");
	progress(&t->base, &p);
	if (p.taken && !t->told_taken)
		kft_notify(notify,
			   "another program reads or empties the buffers of session "
			   "'%s': the events that it takes are missing",
			   session);
	t->told_taken = p.taken != 0;
}

static void look_for_modules(struct tracefs *t)
{
	uint64_t now = kft_now_ns();

	if (!HAVE_SESSION_NAMES || now - t->modules_ns < MODULES_PERIOD_NS)
		return;
	t->modules_ns = now;
	kft_transfer_modules(&t->transfer);
}

/*
 * A failure, such as a full disk, is ignored: the step is repeated later, at the latest
 * at the end.
 */
static void tick(struct kft_backend *b)
{
	struct tracefs *t = tracefs_of(b);
	enum kft_phase before = t->conditions.phase;
	enum kft_phase now = kft_conditions_look(&t->conditions);

	if (now == KFT_PHASE_ON && before == KFT_PHASE_WAITING)
		kft_others_open(&t->others, t->place.fd);
	if (now == KFT_PHASE_ON && !t->is_paused)
		look_for_others(t);
	look_for_modules(t);
	if (kft_now_ns() - t->tasks_ns < TASKS_PERIOD_NS)
		return;
	t->tasks_ns = kft_now_ns();
	kft_transfer_tasks(&t->transfer);
}

/* A marker that cannot be written is ignored: the trace is complete without it. */
static int set_paused(struct tracefs *t, bool paused)
{
	if (paused) {
		/* If recording is off by now, another program switched it off. */
		(void)kft_others_look(&t->others, false);
		(void)!kft_mark_write(&t->place, KFT_MARK_PAUSE, "user", kft_now_ns());
		return kft_tracefs_dir_switch(&t->place, false);
	}
	int r = kft_tracefs_dir_switch(&t->place, true);
	if (r < 0)
		return r;
	kft_others_resume(&t->others);
	(void)!kft_mark_write(&t->place, KFT_MARK_RESUME, "user", kft_now_ns());
	return 0;
}

static int pause_tracefs(struct kft_backend *b, bool paused, struct kft_err *e)
{
	struct tracefs *t = tracefs_of(b);
	enum kft_phase phase = kft_conditions_look(&t->conditions);

	if (phase == KFT_PHASE_WAITING)
		return kft_err_set(e, -EINVAL, "the session waits for its start");
	/*
	 * The function tracer empties its buffer when recording resumes
	 * (function_trace_start()).
	 */
	if (t->place.beside || t->functions.tracer == KFT_TRACER_ENTRIES)
		return kft_err_set(e, -EOPNOTSUPP,
				   "entries of functions cannot be paused");
	int r = phase == KFT_PHASE_OVER ? 0 : set_paused(t, paused);
	if (r < 0)
		return kft_err_sys(e, r, "cannot %s", paused ? "pause" : "resume");
	t->is_paused = paused;
	return 0;
}

static void tell_left_out(struct tracefs *t)
{
	const struct kft_collect *c = &t->transfer.collect;
	const struct kft_blob later = {c->blocks.buf + c->first_blocks,
				       c->blocks.len - c->first_blocks};

	if (HAVE_SESSION_NAMES && c->modules_changed)
		kft_later_modules_tell(&t->later, &later, &t->opts.notify);
}

static int stop(struct kft_backend *b, struct kft_err *e)
{
	struct tracefs *t = tracefs_of(b);

	/* A trigger may have started or stopped recording since the last look. */
	bool was_on = t->conditions.phase == KFT_PHASE_ON;
	if (kft_conditions_look(&t->conditions) == KFT_PHASE_ON && was_on &&
	    !t->is_paused)
		(void)kft_others_look(&t->others, true);
	int off = kft_tracefs_dir_switch(&t->place, false);
	int names = kft_names_end(t->names, &t->opts.notify, &t->transfer.meta);
	int r = kft_transfer_finish(&t->transfer, e);

	if (r < 0)
		return r;
	tell_left_out(t);
	if (off < 0)
		return kft_err_sys(e, off, "cannot stop recording");
	r = kft_others_report(&t->others, &t->transfer.meta);
	if (r == 0)
		r = names;
	if (r < 0)
		return kft_err_sys(e, r, "cannot complete the trace");
	return kft_transfer_end(&t->transfer, e);
}

static int failed_fd(const struct kft_backend *b)
{
	const struct tracefs *t = container_of(b, struct tracefs, base);

	return kft_drains_failed_fd(t->transfer.drains);
}

static int work_dirfd(const struct kft_backend *b)
{
	const struct tracefs *t = container_of(b, struct tracefs, base);

	return t->instance.instances_fd >= 0 ? t->instance.instances_fd : t->place.fd;
}

static int session_dirfd(const struct kft_backend *b)
{
	return container_of(b, struct tracefs, base)->dir.fd;
}

const struct kft_backend_ops kft_tracefs_backend = {
	.name = "tracefs",
	.finds_conditions = true,
	.detached = &kft_tracefs_detached,
	.accepts = accepts,
	.open = open_tracefs,
	.arm = arm,
	.start = start,
	.tick = tick,
	.pause = pause_tracefs,
	.stop = stop,
	.close = close_tracefs,
	.progress = progress,
	.failed_fd = failed_fd,
	.work_dirfd = work_dirfd,
	.session_dirfd = session_dirfd,
};
