// SPDX-License-Identifier: LGPL-2.1-or-later
/* Takes the facts of kft why from events of each type. */
#include <errno.h>

#include "analysis/why/ask.h"
#include "analysis/why/read.h"

#define NAME_MAX_LEN 64

/* A reschedule that is due for a shorter time is normal. */
#define HELD_MIN_NS UINT64_C(1000000)
/* A broken trace may name any CPU. */
#define CPUS_MAX 4096U

struct kft_why_task *kft_why_get_task(struct kft_why_facts *f, int32_t pid)
{
	return kft_keyed_put(&f->tasks, &f->by_pid, (uint32_t)pid,
			     (struct kft_why_task){.pid = pid});
}

struct kft_why_cpu *kft_why_get_cpu(struct kft_why_facts *f, uint32_t cpu)
{
	if (cpu >= CPUS_MAX)
		return NULL;
	while (f->cpus.len <= cpu)
		if (!kft_vec_push(&f->cpus, (struct kft_why_cpu){}))
			return NULL;
	return &f->cpus.data[cpu];
}

static int take_switch(struct kft_why_reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	struct kft_why_cpu *cpu = kft_why_get_cpu(r->facts, ev->cpu);
	struct kft_why_current next = {ev->ts, (int32_t)fields[2], (int32_t)fields[3]};
	int err = 0;

	if (!cpu)
		return 0;
	if (!cpu->currents.len)
		err = KFT_WHY_ADD(r->facts, &cpu->currents,
				  (struct kft_why_current){r->facts->first_ts,
							   (int32_t)fields[0],
							   (int32_t)fields[1]});
	/* A recording of only some tasks lacks the switches between others. */
	struct kft_why_current *last =
		cpu->currents.len ? &cpu->currents.data[cpu->currents.len - 1] : NULL;

	if (last && last->pid != (int32_t)fields[0]) {
		last->pid = -1;
		r->facts->n_unseen++;
	} else if (last) {
		/* The task's priority may have changed while it ran. */
		last->prio = (int32_t)fields[1];
	}
	cpu->n_left_idle += !fields[0];
	if (!err && cpu->resched_since &&
	    cpu->resched_until - cpu->resched_since >= HELD_MIN_NS)
		err = KFT_WHY_ADD(r->facts, &cpu->helds,
				  (struct kft_why_held){cpu->resched_since, ev->ts,
							(int32_t)fields[0]});
	cpu->resched_since = 0;
	cpu->left_pid = (int32_t)fields[0];
	return err < 0 ? err : KFT_WHY_ADD(r->facts, &cpu->currents, next);
}

static int take_waking(struct kft_why_reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	struct kft_why_task *task = kft_why_get_task(r->facts, (int32_t)fields[0]);
	uint8_t flags = r->common_flags;
	const struct kft_why_waking w = {
		.ts = ev->ts,
		.waker = r->common_pid,
		.cpu = ev->cpu,
		.context = flags & (KFT_FLAG_HARDIRQ | KFT_FLAG_NMI) ? KFT_WHY_IN_HARDIRQ
			   : flags & KFT_FLAG_SOFTIRQ		     ? KFT_WHY_IN_SOFTIRQ
								     : KFT_WHY_IN_TASK,
	};

	return task ? KFT_WHY_ADD(r->facts, &task->wakings, w) : -ENOMEM;
}

static int add_place(struct kft_why_reader *r, struct kft_why_task *task, uint64_t ts,
		     uint64_t cpu)
{
	if (cpu >= CPUS_MAX)
		return 0;
	return KFT_WHY_ADD(r->facts, &task->places,
			   (struct kft_why_place){ts, (uint32_t)cpu});
}

static int take_wakeup(struct kft_why_reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	struct kft_why_task *task = kft_why_get_task(r->facts, (int32_t)fields[0]);

	if (!task)
		return -ENOMEM;
	if (task->wakings.len && !task->wakings.data[task->wakings.len - 1].wakeup_ts)
		task->wakings.data[task->wakings.len - 1].wakeup_ts = ev->ts;
	return add_place(r, task, ev->ts, fields[1]);
}

static int take_birth(struct kft_why_reader *r, const struct kft_event *ev,
		      const uint64_t *fields)
{
	struct kft_why_task *task = kft_why_get_task(r->facts, (int32_t)fields[0]);
	int err = task ? KFT_WHY_ADD(r->facts, &task->births,
				     (struct kft_why_birth){ev->ts, r->common_pid})
		       : -ENOMEM;

	return err < 0 ? err : take_wakeup(r, ev, fields);
}

static int take_migrate(struct kft_why_reader *r, const struct kft_event *ev,
			const uint64_t *fields)
{
	struct kft_why_task *task = kft_why_get_task(r->facts, (int32_t)fields[0]);

	return task ? add_place(r, task, ev->ts, fields[1]) : -ENOMEM;
}

static int take_start(struct kft_why_reader *r, const struct kft_event *ev,
		      const uint64_t *fields)
{
	struct kft_why_started *start = kft_keyed_put(&r->starts, &r->timers,
						      fields[0] & INT64_MAX,
						      (struct kft_why_started){});

	if (!start)
		return -ENOMEM;
	*start = (struct kft_why_started){fields[2], fields[1]};
	return 0;
}

static bool is_tick(const struct kft_why_facts *f, uint64_t function)
{
	return kft_why_is_tick(f->trace, function);
}

static int add_tick(struct kft_why_reader *r, const struct kft_event *ev)
{
	struct kft_why_cpu *cpu = kft_why_get_cpu(r->facts, ev->cpu);

	return cpu ? KFT_WHY_ADD(r->facts, &cpu->ticks, ev->ts) : 0;
}

static int take_vector(struct kft_why_reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	return add_tick(r, ev);
}

static int take_expire(struct kft_why_reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	struct kft_why_cpu *cpu = kft_why_get_cpu(r->facts, ev->cpu);
	const struct kft_why_started *start = kft_keyed_get(&r->starts, &r->timers,
							    fields[0] & INT64_MAX);
	struct kft_why_timer timer = {
		.ts = ev->ts, .id = fields[0], .function = fields[1], .is_hrtimer = true};
	int err = 0;

	if (start) {
		timer.soft_ns = start->soft_ns;
		timer.hard_ns = start->hard_ns;
	}
	if (is_tick(r->facts, timer.function)) {
		r->facts->seen |= KFT_WHY_SEEN_TICK;
		err = add_tick(r, ev);
	}
	if (kft_why_is_function(r->facts, timer.function, "sched_cfs_period_timer"))
		err = KFT_WHY_ADD(r->facts, &r->facts->periods,
				  (struct kft_why_period){ev->ts, timer.id});
	return err < 0 || !cpu ? err : KFT_WHY_ADD(r->facts, &cpu->timers, timer);
}

static int take_wheel(struct kft_why_reader *r, const struct kft_event *ev,
		      const uint64_t *fields)
{
	struct kft_why_cpu *cpu = kft_why_get_cpu(r->facts, ev->cpu);
	const struct kft_why_timer timer = {
		.ts = ev->ts, .id = fields[0], .function = fields[1]};

	return cpu ? KFT_WHY_ADD(r->facts, &cpu->timers, timer) : 0;
}

static uint64_t request_key(const uint64_t *fields)
{
	return ((fields[0] * UINT64_C(0x9e3779b97f4a7c15)) ^ fields[1]) >> 1;
}

static int take_insert(struct kft_why_reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	uint64_t *slot = kft_map_put(&r->inserts, request_key(fields));

	if (slot)
		*slot = ev->ts;
	return slot ? 0 : -ENOMEM;
}

static int take_issue(struct kft_why_reader *r, const struct kft_event *ev,
		      const uint64_t *fields)
{
	uint64_t *slot = kft_map_put(&r->issues, request_key(fields));

	if (slot)
		*slot = ev->ts;
	return slot ? 0 : -ENOMEM;
}

/* Takes the time of a request out of the map, since a later request may have its sector. */
static uint64_t take_time(struct kft_map *times, uint64_t key)
{
	uint64_t *slot = kft_map_get(times, key);
	uint64_t ts = slot ? *slot : 0;

	if (slot)
		*slot = 0;
	return ts;
}

static int take_complete(struct kft_why_reader *r, const struct kft_event *ev,
			 const uint64_t *fields)
{
	struct kft_why_cpu *cpu = kft_why_get_cpu(r->facts, ev->cpu);
	uint64_t key = request_key(fields);
	const struct kft_why_request request = {
		.ts = ev->ts,
		.insert_ts = take_time(&r->inserts, key),
		.issue_ts = take_time(&r->issues, key),
		.dev = (uint32_t)fields[0],
	};

	return cpu ? KFT_WHY_ADD(r->facts, &cpu->requests, request) : 0;
}

static int take_fault(struct kft_why_reader *r, const struct kft_event *ev,
		      const uint64_t *fields)
{
	struct kft_why_task *task = kft_why_get_task(r->facts, r->common_pid);

	return task ? KFT_WHY_ADD(r->facts, &task->faults, ev->ts) : -ENOMEM;
}

static int take_signal(struct kft_why_reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	return KFT_WHY_ADD(r->facts, &r->facts->signals,
			   (struct kft_why_signal){ev->ts, r->common_pid,
						   (int32_t)fields[1],
						   (int32_t)fields[0]});
}

/* SIG_DFL (0) and SIG_IGN (1) run no handler. */
static int take_deliver(struct kft_why_reader *r, const struct kft_event *ev,
			const uint64_t *fields)
{
	struct kft_why_task *task = kft_why_get_task(r->facts, r->common_pid);

	if (fields[1] <= 1)
		return 0;
	return task ? KFT_WHY_ADD(
			      r->facts, &task->handlers,
			      (struct kft_why_handler){.begin = ev->ts, .sig = fields[0]})
		    : -ENOMEM;
}

/* Ends the task's innermost signal handler, which returns by a system call. */
static int leave_handler(struct kft_why_reader *r, const struct kft_event *ev)
{
	struct kft_why_task *task = kft_why_get_task(r->facts, r->common_pid);

	for (size_t i = task ? task->handlers.len : 0; i; i--) {
		if (task->handlers.data[i - 1].end)
			continue;
		task->handlers.data[i - 1].end = ev->ts;
		break;
	}
	return task ? 0 : -ENOMEM;
}

static int take_call(struct kft_why_reader *r, const struct kft_event *ev,
		     const uint64_t *fields)
{
	r->has_raw_calls = true;
	return kft_call_is_return(&r->returns, fields[0]) ? leave_handler(r, ev) : 0;
}

/* Events of raw_syscalls take precedence: a trace may have the same call as both events. */
static int take_sigreturn(struct kft_why_reader *r, const struct kft_event *ev,
			  const uint64_t *fields)
{
	return r->has_raw_calls ? 0 : leave_handler(r, ev);
}

static int take_irq_name(struct kft_why_reader *r, const struct kft_event *ev,
			 const uint64_t *fields)
{
	const struct kft_field *f = r->listeners.data[r->by_id[ev->id] - 1].string;
	uint64_t *slot = kft_map_put(&r->facts->irq_names, fields[0] & INT64_MAX);
	const char *name;
	size_t len;

	if (!slot)
		return -ENOMEM;
	if (*slot || !f || !kft_event_str(ev, f, r->facts->trace->swap, &name, &len))
		return 0;
	*slot = (uintptr_t)kft_arena_strndup(&r->facts->arena, name,
					     KFT_MIN(len, (size_t)NAME_MAX_LEN));
	return 0;
}

static int take_sample(struct kft_why_reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	struct kft_why_sample s = {.ts = ev->ts,
				   .ip = fields[0],
				   .weight = 1,
				   .pid = r->common_pid,
				   .cpu = ev->cpu};

	if (r->period && kft_event_int(ev, r->period, r->facts->trace->swap, &s.weight))
		s.weight = KFT_MAX(s.weight, UINT64_C(1));
	return KFT_WHY_ADD(r->facts, &r->facts->samples, s);
}

const struct kft_why_event kft_why_sample_event = {
	"perf", "*", {"ip"}, .seen = KFT_WHY_SEEN_SAMPLE, .take = take_sample};

/* clang-format off */
const struct kft_why_event kft_why_events[] = {
	{"sched", "sched_switch", {"prev_pid", "prev_prio", "next_pid", "next_prio"},
	 .seen = KFT_WHY_SEEN_SWITCH, .take = take_switch},
	{"sched", "sched_waking", {"pid"}, .seen = KFT_WHY_SEEN_WAKING,
	 .take = take_waking},
	{"sched", "sched_wakeup", {"pid", "target_cpu"}, .seen = KFT_WHY_SEEN_WAKEUP,
	 .take = take_wakeup},
	{"sched", "sched_wakeup_new", {"pid", "target_cpu"}, .take = take_birth},
	{"sched", "sched_migrate_task", {"pid", "dest_cpu"}, .take = take_migrate},
	{"timer", "hrtimer_start", {"hrtimer", "expires", "softexpires"},
	 .take = take_start},
	{"timer", "hrtimer_expire_entry", {"hrtimer", "function"},
	 .seen = KFT_WHY_SEEN_HRTIMER, .take = take_expire},
	{"timer", "timer_expire_entry", {"timer", "function"}, .seen = KFT_WHY_SEEN_TIMER,
	 .take = take_wheel},
	{"irq_vectors", "local_timer_entry", .seen = KFT_WHY_SEEN_TICK,
	 .take = take_vector},
	{"block", "block_rq_insert", {"dev", "sector"}, .take = take_insert},
	{"block", "block_rq_issue", {"dev", "sector"}, .take = take_issue},
	{"block", "block_rq_complete", {"dev", "sector"}, .seen = KFT_WHY_SEEN_BLOCK,
	 .take = take_complete},
	{"exceptions", "page_fault_user", .seen = KFT_WHY_SEEN_FAULT, .take = take_fault},
	{"exceptions", "page_fault_kernel", .seen = KFT_WHY_SEEN_FAULT,
	 .take = take_fault},
	{"signal", "signal_generate", {"sig", "pid"}, .seen = KFT_WHY_SEEN_SIGNAL,
	 .take = take_signal},
	{"signal", "signal_deliver", {"sig", "sa_handler"}, .take = take_deliver},
	{"irq", "irq_handler_entry", {"irq"}, .has_name = true, .seen = KFT_WHY_SEEN_IRQ,
	 .take = take_irq_name},
	{"irq", "softirq_entry", .seen = KFT_WHY_SEEN_SOFTIRQ},
	{"raw_syscalls", "sys_enter", {"id"}, .seen = KFT_WHY_SEEN_SYSCALL,
	 .take = take_call},
	{"syscalls", "sys_enter_rt_sigreturn", .take = take_sigreturn},
	{"syscalls", "sys_enter_sigreturn", .take = take_sigreturn},
	{"syscalls", "compat_sys_enter_rt_sigreturn", .take = take_sigreturn},
	{"syscalls", "compat_sys_enter_sigreturn", .take = take_sigreturn},
	{"syscalls", "sys_enter_*", .seen = KFT_WHY_SEEN_SYSCALL},
	{"workqueue", "workqueue_execute_start", .seen = KFT_WHY_SEEN_WORK},
	{"lock", "contention_begin", .seen = KFT_WHY_SEEN_LOCK},
	{"ftrace", "funcgraph_entry", .seen = KFT_WHY_SEEN_FUNCTION},
	{"ftrace", "funcgraph_exit", .seen = KFT_WHY_SEEN_FUNCTION},
	{},
};
/* clang-format on */
