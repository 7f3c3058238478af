// SPDX-License-Identifier: LGPL-2.1-or-later
/* Describes tasks: switches, wake-ups, forks and exits. */
#include "derive/kinds/kinds.h"
#include "derive/kinds/task_state.h"
#include "output/plain/call_args.h"
#include "output/plain/words.h"

/* Appends the reason why the previous task left its CPU, if the trace shows it. */
static void add_reason(const struct kft_plain_event *e, uint64_t prev_state,
		       struct kft_strbuf *sb)
{
	const struct kft_event_context *m = e->report->moment;
	int64_t call = m ? m->call : KFT_NO_CALL;
	const struct kft_plain_signature *s = kft_plain_signature(e->report, call);
	enum kft_task_state state = kft_task_state_when_off(prev_state);

	switch (state) {
	case KFT_TASK_PREEMPTED:
		kft_strbuf_adds(sb, "preempted");
		return;
	case KFT_TASK_DEAD:
		kft_strbuf_adds(sb, "ended");
		return;
	case KFT_TASK_STOPPED:
		kft_strbuf_adds(sb, "stopped");
		return;
	case KFT_TASK_TRACED:
		kft_strbuf_adds(sb, "stopped for its tracer");
		return;
	default:
		break;
	}
	if (state == KFT_TASK_SLEEPING && s && s->waits) {
		kft_strbuf_adds(sb, s->waits);
		return;
	}
	kft_strbuf_adds(sb, state == KFT_TASK_BLOCKED ? "blocked" : "sleeps");
	if (call != KFT_NO_CALL) {
		kft_strbuf_adds(sb, " in ");
		kft_plain_add_call_name(e, call, sb);
	}
}

/* Appends the time for which the next task waited for the CPU. */
static void add_wait(const struct kft_plain_event *e, int32_t next, struct kft_strbuf *sb)
{
	const struct kft_event_context *m = e->report->moment;

	for (size_t i = 0; m && i < m->n_ends; i++) {
		const struct kft_interval *w = &m->ends[i];

		if (w->kind != &kft_kind_task || w->pid != next ||
		    (w->key != KFT_TASK_WAITING && w->key != KFT_TASK_PREEMPTED))
			continue;
		kft_strbuf_adds(sb,
				w->key == KFT_TASK_WAITING ? ", woken " : ", preempted ");
		kft_plain_add_ns(e, kft_interval_ns(w), sb);
		kft_strbuf_adds(sb, " before");
	}
}

static bool task_switch(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	int32_t prev = (int32_t)e->values[1];
	int32_t next = (int32_t)e->values[4];

	kft_strbuf_adds(sb, "switch from ");
	kft_plain_add_text(e, 0, sb);
	kft_strbuf_adds(sb, " (");
	kft_strbuf_addi(sb, prev);
	if (prev) {
		kft_strbuf_adds(sb, ", ");
		add_reason(e, e->values[2], sb);
	}
	kft_strbuf_adds(sb, ") to ");
	kft_plain_add_task(e, 3, next, sb);
	add_wait(e, next, sb);
	return true;
}

static void add_sleep(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	const struct kft_interval *i = kft_plain_end(e, &kft_kind_task);

	if (!i || (i->key != KFT_TASK_SLEEPING && i->key != KFT_TASK_BLOCKED))
		return;
	kft_strbuf_adds(sb, i->key == KFT_TASK_SLEEPING ? ", which slept for "
							: ", which was blocked for ");
	kft_plain_add_ns(e, kft_interval_ns(i), sb);
}

static bool waking(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "wake ");
	kft_plain_add_task(e, 0, (int32_t)e->values[1], sb);
	add_sleep(e, sb);
	return true;
}

static bool wakeup(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_plain_add_task(e, 0, (int32_t)e->values[1], sb);
	kft_strbuf_adds(sb, " can run");
	if (e->fields[2]) {
		kft_strbuf_adds(sb, " on CPU ");
		kft_strbuf_addi(sb, (int32_t)e->values[2]);
	}
	add_sleep(e, sb);
	return true;
}

static bool migrate(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_plain_add_task(e, 0, (int32_t)e->values[1], sb);
	kft_strbuf_addf(sb, " moves from CPU %d to CPU %d", (int32_t)e->values[2],
			(int32_t)e->values[3]);
	return true;
}

static bool fork_task(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "new task ");
	kft_plain_add_task(e, 0, (int32_t)e->values[1], sb);
	return true;
}

static bool exec(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "now runs ");
	kft_plain_add_text(e, 0, sb);
	return true;
}

static bool exit_task(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_plain_add_task(e, 0, (int32_t)e->values[1], sb);
	kft_strbuf_adds(sb, " ends");
	return true;
}

static bool rename_task(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "is called ");
	kft_plain_add_text(e, 0, sb);
	return true;
}

/* clang-format off */
const struct kft_plain_words kft_plain_tasks[] = {
	{"sched", "sched_switch", {"prev_comm", "prev_pid", "prev_state", "next_comm",
	 "next_pid"}, KFT_PLAIN_TASK, task_switch},
	{"sched", "sched_waking", {"comm", "pid"}, KFT_PLAIN_TASK, waking},
	{"sched", "sched_wakeup", {"comm", "pid", "?target_cpu"}, KFT_PLAIN_TASK, wakeup},
	{"sched", "sched_wakeup_new", {"comm", "pid", "?target_cpu"}, KFT_PLAIN_TASK,
	 wakeup},
	{"sched", "sched_migrate_task", {"comm", "pid", "orig_cpu", "dest_cpu"},
	 KFT_PLAIN_TASK, migrate},
	{"sched", "sched_process_fork", {"child_comm", "child_pid"}, KFT_PLAIN_TASK,
	 fork_task},
	{"sched", "sched_process_exec", {"filename"}, KFT_PLAIN_TASK, exec},
	{"sched", "sched_process_exit", {"comm", "pid"}, KFT_PLAIN_TASK, exit_task},
	{"task", "task_rename", {"newcomm"}, KFT_PLAIN_TASK, rename_task},
	{},
};
/* clang-format on */
