// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The states of tasks, one after another. The value of a wait is the task that woke the
 * waiting one; if an interrupt woke it, the task that was interrupted.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "base/scan.h"
#include "derive/engine/current.h"
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"
#include "derive/kinds/task_state.h"

/* Events. */
enum { SWITCH, NEW, WAKING, WOKEN, MIGRATED };

struct task {
	struct kft_current now;
	uint64_t unknown_since; /* 0: since the trace's beginning */
	uint64_t queue; /* last reported queue: its CPU + 1; 0: none */
};

struct tasks {
	struct kft_map by_pid; /* -> index + 1 */
	KFT_VEC(struct task) tasks;
	/* per CPU: pid that was switched to; 0: idle, or unknown */
	KFT_VEC(int32_t) running;
	bool has_waking; /* wake-ups begin with sched_waking, not sched_wakeup */
	bool is_partial; /* tasks may run on CPUs that are not read */
	const struct kft_task_table *names; /* of the trace; borrowed */
};

static void name_of(struct kft_trace *t, uint64_t state, struct kft_strbuf *sb)
{
	static const char *const names[] = {
		[KFT_TASK_RUNNING] = "running", [KFT_TASK_PREEMPTED] = "preempted",
		[KFT_TASK_WAITING] = "waiting", [KFT_TASK_SLEEPING] = "sleeping",
		[KFT_TASK_BLOCKED] = "blocked", [KFT_TASK_STOPPED] = "stopped",
		[KFT_TASK_TRACED] = "traced",	[KFT_TASK_DEAD] = "dead",
	};

	if (state < ARRAY_SIZE(names))
		kft_strbuf_adds(sb, names[state]);
}

static int create(struct kft_trace *t, void **ret_state)
{
	struct tasks *tasks = calloc(1, sizeof(*tasks));

	if (!tasks)
		return -ENOMEM;
	tasks->names = &t->tasks;
	*ret_state = tasks;
	return 0;
}

static void destroy(void *state)
{
	struct tasks *t = state;

	kft_map_finish(&t->by_pid);
	kft_vec_finish(&t->tasks);
	kft_vec_finish(&t->running);
	free(t);
}

static struct task *get(struct tasks *t, int32_t pid)
{
	return kft_keyed_put(&t->tasks, &t->by_pid, (uint32_t)pid, (struct task){});
}

/*
 * TASK_REPORT of include/linux/sched.h. A higher bit marks a task that was still runnable
 * (preempted).
 */
enum kft_task_state kft_task_state_when_off(uint64_t prev_state)
{
	switch (prev_state & 0xff) {
	case 0:
		return KFT_TASK_PREEMPTED;
	case 0x02:
		return KFT_TASK_BLOCKED;
	case 0x04:
	case 0x40:
		return KFT_TASK_STOPPED;
	case 0x08:
		return KFT_TASK_TRACED;
	case 0x10:
	case 0x20:
		return KFT_TASK_DEAD;
	default:
		return KFT_TASK_SLEEPING;
	}
}

static int end(struct task *task, const struct kft_kind_input *in,
	       const struct kft_interval_sink *sink)
{
	task->now.state.end_cpu = in->cpu;
	return kft_current_end(&task->now, in, sink);
}

static void begin(struct task *task, int32_t pid, enum kft_task_state state,
		  int64_t value, const struct kft_kind_input *in)
{
	/* The pid of a dead task may be reused. */
	task->now.is_known = state != KFT_TASK_DEAD;
	task->now.losses = in->losses;
	kft_nested_pairs_set(&task->now.state, &kft_kind_task, state, in);
	task->now.state.value = value;
	task->now.state.pid = pid;
	task->unknown_since = in->ts;
}

static void forget(struct task *task, uint64_t since)
{
	task->now.is_known = false;
	task->unknown_since = since;
}

/* The time from which all CPUs are read. */
static uint64_t whole_from(const struct kft_kind_input *in)
{
	return in->coverage ? in->coverage->whole_from : 0;
}

/* The kernel binds these threads to the CPU in their name: "ksoftirqd/3". */
static bool is_bound_name(const char *comm, uint32_t *ret_cpu)
{
	static const char *const names[] = {"ksoftirqd/", "migration/", "cpuhp/",
					    "kworker/",	  "rcuc/",	"ktimers/",
					    "irq_work/"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (kft_scan_text(&comm, names[i]))
			return kft_scan_u32(&comm, ret_cpu) && (!*comm || *comm == ':');
	return false;
}

/* Whether a task is bound to a CPU that is read. */
static bool is_bound(const struct tasks *t, int32_t pid, const struct kft_kind_input *in)
{
	const char *comm = kft_task_comm_at(t->names, (uint32_t)pid, in->ts);
	uint32_t cpu;

	return in->coverage && is_bound_name(comm, &cpu) &&
	       kft_cpuset_has(&in->coverage->cpus, cpu) &&
	       kft_task_is_kernel(t->names, (uint32_t)pid, in->ts);
}

/*
 * Whether a task that runs on none of the CPUs that are read may run on another one. A
 * CPU can take tasks from the queue of another CPU, and only its own events show this: a
 * task that was sent to a CPU may not have stayed there.
 */
static bool may_run_unseen(const struct tasks *t, int32_t pid,
			   const struct kft_kind_input *in)
{
	if (in->ts < whole_from(in))
		return true;
	return t->is_partial && !is_bound(t, pid, in);
}

/* A task that is runnable or preempted waits in the queue of a CPU. */
static bool is_queued(const struct task *task)
{
	return task->now.is_known && (task->now.state.key == KFT_TASK_WAITING ||
				      task->now.state.key == KFT_TASK_PREEMPTED);
}

static int report_change(struct task *task, uint64_t ts,
			 const struct kft_interval_sink *sink)
{
	uint64_t from = task->queue;
	uint64_t to = is_queued(task) ? (uint64_t)task->now.state.cpu + 1 : 0;
	int r = 0;

	if (from == to)
		return 0;
	task->queue = to;
	if (from)
		r = sink->queue(sink->arg, ts, (uint32_t)(from - 1), -1);
	return !r && to ? sink->queue(sink->arg, ts, (uint32_t)(to - 1), 1) : r;
}

/* Reports that the task left one queue for another one, or for none. */
static inline int report_queue(struct task *task, uint64_t ts,
			       const struct kft_interval_sink *sink)
{
	return sink->queue ? report_change(task, ts, sink) : 0;
}

/*
 * Begins the state that ends with the first event of a task, or with the first event
 * since its state became unknown. It begins none if the task may have been on a CPU that
 * is not read.
 */
static void begin_before(const struct tasks *t, struct task *task, int32_t pid,
			 enum kft_task_state before, const struct kft_kind_input *in)
{
	uint64_t since = task->unknown_since;

	if (t->is_partial && (since || before != KFT_TASK_RUNNING))
		return;
	if (in->ts < whole_from(in))
		return;
	if (since < whole_from(in))
		since = 0;
	begin(task, pid, before, KFT_INTERVAL_NO_VALUE, in);
	task->now.state.begin_ns = KFT_MAX(since, in->first_ts);
	task->now.state.begin_ns = KFT_MAX(task->now.state.begin_ns, whole_from(in));
	task->now.state.flags = since ? KFT_INTERVAL_LOSSES : KFT_INTERVAL_BEGUN_BEFORE;
	task->now.state.cause = (struct kft_interval_cause){.pid = -1};
}

/* before: the state that the event ends if its beginning was not recorded. */
static int enter(const struct tasks *t, struct task *task, int32_t pid,
		 enum kft_task_state before, enum kft_task_state state, int64_t value,
		 const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	int r = 0;

	if (!task->now.is_known)
		begin_before(t, task, pid, before, in);
	if (task->now.is_known)
		r = end(task, in, sink);
	begin(task, pid, state, value, in);
	if (state != KFT_TASK_RUNNING && may_run_unseen(t, pid, in))
		forget(task, in->ts);
	return r;
}

/* Enters a state and reports the queue, since a switch shows the task's CPU. */
static int enter_switched(const struct tasks *t, struct task *task, int32_t pid,
			  enum kft_task_state before, enum kft_task_state state,
			  const struct kft_kind_input *in,
			  const struct kft_interval_sink *sink)
{
	int r = enter(t, task, pid, before, state, KFT_INTERVAL_NO_VALUE, in, sink);

	return r < 0 ? r : report_queue(task, in->ts, sink);
}

static bool runs_on(const struct task *task, uint32_t cpu)
{
	return task->now.is_known && task->now.state.key == KFT_TASK_RUNNING &&
	       task->now.state.cpu == cpu;
}

/*
 * Ends the state of the task that was switched to last if another task leaves the CPU.
 * This is usual if a recording follows some tasks only: it has no switches between two
 * others.
 */
static int lose(struct tasks *t, int32_t pid, const struct kft_kind_input *in,
		const struct kft_interval_sink *sink)
{
	struct task *task = get(t, pid);

	if (!task)
		return -ENOMEM;
	if (!runs_on(task, in->cpu))
		return 0;
	task->now.state.flags |= KFT_INTERVAL_LOSSES;
	forget(task, in->ts);
	return end(task, in, sink);
}

/* If the task does not run on this CPU, the switch to it was not recorded. */
static int leave(struct tasks *t, int32_t pid, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	struct task *task = get(t, pid);

	if (!task)
		return -ENOMEM;
	if (!runs_on(task, in->cpu))
		task->now.state.flags |= KFT_INTERVAL_LOSSES;
	return enter_switched(t, task, pid, KFT_TASK_RUNNING,
			      kft_task_state_when_off(in->fields[1]), in, sink);
}

static int arrive(struct tasks *t, int32_t pid, const struct kft_kind_input *in,
		  const struct kft_interval_sink *sink)
{
	struct task *task = get(t, pid);

	if (!task)
		return -ENOMEM;
	if (task->now.state.key == KFT_TASK_RUNNING)
		task->now.state.flags |= KFT_INTERVAL_LOSSES;
	/* A CPU that is not read has woken the task, at an unknown time. */
	if (t->is_partial && task->now.is_known &&
	    task->now.state.key >= KFT_TASK_SLEEPING)
		forget(task, in->ts);
	return enter_switched(t, task, pid, KFT_TASK_WAITING, KFT_TASK_RUNNING, in, sink);
}

/* Idle tasks, which share pid 0, have no states here: they wait for nothing. */
static int feed_switch(struct tasks *t, const struct kft_kind_input *in,
		       const struct kft_interval_sink *sink)
{
	int32_t prev = (int32_t)in->fields[0];
	int32_t next = (int32_t)in->fields[2];
	int r = 0;

	while (t->running.len <= in->cpu)
		if (!kft_vec_push(&t->running, 0))
			return -ENOMEM;
	int32_t *running = &t->running.data[in->cpu];
	if (*running && *running != prev)
		r = lose(t, *running, in, sink);
	if (!r && prev)
		r = leave(t, prev, in, sink);
	if (!r && next)
		r = arrive(t, next, in, sink);
	*running = next;
	return r;
}

/* Moves a waiting task to the queue of a CPU. */
static void move_to(struct task *task, uint64_t cpu)
{
	if (is_queued(task))
		task->now.state.cpu = (uint32_t)cpu;
}

/* is_late: the wake-up began with an earlier event, which may be lost. */
static int wake(struct tasks *t, struct task *task, int32_t pid, bool is_late,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	bool was_known = task->now.is_known;
	bool was_missed = !was_known || in->losses > task->now.losses;

	/*
	 * The task is runnable already: it was about to sleep, or this event repeats
	 * another one.
	 */
	if (was_known && task->now.state.key < KFT_TASK_SLEEPING)
		return 0;
	/* The wake-up began with an event on a CPU that is not read. */
	if (t->is_partial && is_late && was_known) {
		was_missed = true;
		forget(task, in->ts);
	}
	int r = enter(t, task, pid, KFT_TASK_SLEEPING, KFT_TASK_WAITING, in->pid, in,
		      sink);

	if (was_missed && is_late)
		task->now.state.flags |= KFT_INTERVAL_LOSSES;
	return r;
}

static void create_task(const struct tasks *t, struct task *task, int32_t pid,
			const struct kft_kind_input *in)
{
	begin(task, pid, KFT_TASK_WAITING, in->pid, in);
	if (may_run_unseen(t, pid, in))
		forget(task, in->ts);
}

/* Forgets the current states: they may have ended already on a CPU that is not read. */
static int become_partial(struct tasks *t, const struct kft_kind_input *in,
			  const struct kft_interval_sink *sink)
{
	int r = 0;

	t->is_partial = true;
	kft_vec_for_each(&t->tasks, task) {
		if (task->now.is_known && task->now.state.key != KFT_TASK_RUNNING &&
		    !is_bound(t, task->now.state.pid, in))
			forget(task, in->ts);
		if (!r)
			r = report_queue(task, in->ts, sink);
	}
	return r;
}

static bool is_sent_to_unseen(const struct kft_kind_input *in)
{
	return in->event != SWITCH && in->has[1] && in->fields[1] < KFT_CPU_MAX &&
	       !kft_cpuset_has(&in->coverage->cpus, (uint32_t)in->fields[1]);
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	struct tasks *t = state;
	int32_t pid = (int32_t)in->fields[0];
	int r = 0;

	if (in->coverage && !t->is_partial &&
	    (in->coverage->is_partial || is_sent_to_unseen(in)))
		r = become_partial(t, in, sink);
	if (r < 0)
		return r;
	if (in->event == SWITCH)
		return feed_switch(t, in, sink);
	struct task *task = get(t, pid);

	if (!task)
		return -ENOMEM;
	t->has_waking |= in->event == WAKING;
	if (in->event == NEW)
		create_task(t, task, pid, in);
	else if (in->event != MIGRATED)
		r = wake(t, task, pid, in->event == WOKEN && t->has_waking, in, sink);
	if (in->has[1])
		move_to(task, in->fields[1]);
	return r < 0 ? r : report_queue(task, in->ts, sink);
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	struct tasks *t = state;
	int r = 0;

	kft_vec_for_each(&t->tasks, task)
		if (!r)
			r = kft_current_cut(&task->now, in, sink);
	return r;
}

static const struct kft_kind_event events[] = {
	{"sched", "sched_switch", {"prev_pid", "prev_state", "next_pid"}},
	{"sched", "sched_wakeup_new", {"pid", "?target_cpu"}},
	{"sched", "sched_waking", {"pid", "?target_cpu"}},
	{"sched", "sched_wakeup", {"pid", "?target_cpu"}},
	{"sched", "sched_migrate_task", {"pid", "dest_cpu"}},
	{},
};

const struct kft_interval_kind kft_kind_task = {
	.name = "task",
	.group = "sched",
	.about = "states of tasks",
	.key = "state",
	.value = "woken_by",
	.events = events,
	.key_name = name_of,
	.create = create,
	.feed = feed,
	.flush = flush,
	.destroy = destroy,
};
