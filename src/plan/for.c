// SPDX-License-Identifier: LGPL-2.1-or-later
/* The events that kft why needs; docs/why.md describes their use. */
#include "plan/for.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/macro.h"

/* clang-format off */
const struct kft_plan_need kft_plan_needs[] = {
	{"sched:sched_switch", "running tasks", NULL},
	{"sched:sched_waking", "wakers of tasks", NULL},
	{"sched:sched_wakeup", "the CPU that a task waits for", NULL},
	{"sched:sched_wakeup_new", "the CPU that a task waits for", NULL},
	{"sched:sched_migrate_task", "the CPU that a task waits for", NULL},
	{"sched:sched_process_fork", "names", NULL},
	{"sched:sched_process_exec", "names", NULL},
	{"sched:sched_process_exit", "names", NULL},
	{"irq:irq_handler_entry", "interrupts of devices", NULL},
	{"irq:irq_handler_exit", "interrupts of devices", NULL},
	{"irq:softirq_entry", "softirqs", NULL},
	{"irq:softirq_exit", "softirqs", NULL},
	{"timer:hrtimer_start", "sleeps and the slack of timers", NULL},
	{"timer:hrtimer_cancel", "sleeps and the slack of timers", "timer,hrtimer-late"},
	{"timer:hrtimer_expire_entry", "timers, quotas, and by the tick whether a CPU was silent", NULL},
	{"timer:hrtimer_expire_exit", "functions of timers", NULL},
	{"timer:timer_expire_entry", "timeouts", NULL},
	{"timer:timer_expire_exit", "timeouts", NULL},
	{"raw_syscalls:sys_enter", "system calls of tasks", NULL},
	{"raw_syscalls:sys_exit", "system calls of tasks", NULL},
	{"block:block_rq_insert", "requests to disks", NULL},
	{"block:block_rq_issue", "requests to disks", NULL},
	{"block:block_rq_requeue", "requests to disks", NULL},
	{"block:block_rq_complete", "requests to disks", NULL},
	{"vmscan:mm_vmscan_direct_reclaim_*", "tasks that reclaim memory", NULL},
	{"vmscan:mm_vmscan_memcg_reclaim_*", "tasks that reclaim memory", NULL},
	{"signal:signal_generate", "senders of signals", NULL},
	{"signal:signal_deliver", "senders of signals", NULL},
	{"workqueue:workqueue_execute_start", "work of kworkers", NULL},
	{"workqueue:workqueue_execute_end", "work of kworkers", NULL},
	{"workqueue:workqueue_queue_work", "tasks that queue work", "work,work-queued"},
	{"irq:softirq_raise", "tasks that raise softirqs", "softirq,softirq-raised"},
	{"irq:tasklet_entry", "tasklets", NULL},
	{"irq:tasklet_exit", "tasklets", NULL},
	{"irq_vectors:*", "interrupts of the CPU itself", "irq,vector,cpu"},
	{"lock:contention_begin", "locks of the kernel", "lock"},
	{"lock:contention_end", "locks of the kernel", "lock"},
	{"exceptions:page_fault_*", "page faults", "fault"},
	{"power:cpu_idle", "states of idle CPUs", "power,idle"},
	{"power:cpu_frequency", "frequencies of CPUs", "power,frequency"},
	{NULL, NULL, NULL},
};
/* clang-format on */

/* The other kinds of kft why: the events that are always recorded are enough for them. */
static const char others[] = "sched,task,irq-gap,tasklet,hrtimer,syscall,futex,function,"
			     "reclaim,signal,block,block-queued,mark,mark-gap,initcall";

static bool is_in(const char *list, const char *word)
{
	size_t len = strlen(word);
	const char *at = list;

	while (*at) {
		size_t n = strcspn(at, ",");

		if (n == len && memcmp(at, word, len) == 0)
			return true;
		at += n + (at[n] != '\0');
	}
	return false;
}

static int add_optional(struct kft_plan *p, const char *event, struct kft_err *e)
{
	int r = kft_plan_add_event(p, event, NULL, e);

	if (r >= 0)
		p->events[p->n_events - 1].is_optional = true;
	return r;
}

/* "function:GLOB": calls of these functions are recorded beside the events. */
static int add_key(struct kft_plan *p, const char *kind, const char *key,
		   struct kft_err *e)
{
	if (strcmp(kind, "function") != 0)
		return 0;
	p->functions.enabled = true;
	return kft_plan_add_function(p, *key ? key : "*", e);
}

static int nothing_for(const char *question, struct kft_err *e)
{
	(void)kft_err_set(e, -EINVAL, "nothing is recorded for '%s'", question);
	kft_err_hint(e, "questions: why, and why:KIND with a kind of kft why");
	return -EINVAL;
}

static int add_question(struct kft_plan *p, const char *question, struct kft_err *e)
{
	static const char why[] = "why";
	const size_t len = sizeof(why) - 1;
	char kind[32];

	if (strncmp(question, why, len) != 0 || (question[len] && question[len] != ':'))
		return nothing_for(question, e);
	const char *what = question[len] ? question + len + 1 : "";
	size_t kind_len = strcspn(what, ":");
	int r = 0;

	(void)snprintf(kind, sizeof(kind), "%.*s", (int)KFT_MIN(kind_len, sizeof(kind)),
		       what);
	bool is_known = !question[len] || is_in(others, kind);

	for (const struct kft_plan_need *n = kft_plan_needs; n->event && r >= 0; n++) {
		bool is_of_kind = n->kind && is_in(n->kind, kind);

		is_known |= is_of_kind;
		if (!n->kind || is_of_kind)
			r = add_optional(p, n->event, e);
	}
	if (r >= 0 && !is_known)
		return nothing_for(question, e);
	return r < 0 ? r : add_key(p, kind, what[kind_len] ? what + kind_len + 1 : "", e);
}

KFT_EXPORT int kft_plan_add_for(struct kft_plan *p, const char *question,
				struct kft_err *e)
{
	int r = 0;

	if (!p || !question)
		return kft_err_missing(e, p ? "question" : "plan");
	_cleanup_free_ char *list = strdup(question);
	if (!list)
		return kft_err_memory(e);
	for (char *next = list; next && r >= 0;) {
		const char *one = strsep(&next, ",");

		r = add_question(p, one, e);
	}
	return r;
}
