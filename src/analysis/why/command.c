// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the command that was recorded. */
#include "analysis/why/command.h"

#include "analysis/why/recorder.h"
#include "base/bits.h"
#include "model/merge.h"
#include "model/span.h"

struct finder {
	struct kft_trace *trace;
	const struct kft_class *exec;
	const struct kft_class *exit;
	const struct kft_field *pid;
	uint64_t wanted[KFT_ID_WORDS];
};

static int create_merge(struct finder *f, struct kft_merge **ret)
{
	const struct kft_scope scope = {.wanted = f->wanted};

	kft_bits_add(f->wanted, f->exec->id);
	kft_bits_add(f->wanted, f->exit->id);
	return kft_merge_create(f->trace, &scope, ret);
}

/*
 * The recorder's child has its name until it executes the command; execve renames the task shortly
 * before its event.
 */
static bool was_recorder(const struct finder *f, uint64_t pid, uint64_t ts)
{
	const struct kft_task_table *tasks = &f->trace->tasks;
	struct kft_task_span now = kft_task_span_at(tasks, (uint32_t)pid, ts);

	return now.since &&
	       kft_why_is_recorder(f->trace,
				   kft_task_comm_at(tasks, (uint32_t)pid, now.since - 1));
}

/* Takes the first execve of a task that was the recorder's, and then the exit of that task. */
static bool is_end(const struct finder *f, const struct kft_event *ev,
		   struct kft_why_interval *run)
{
	uint64_t pid;

	if (!kft_event_int(ev, f->pid, f->trace->swap, &pid))
		return false;
	if (run->pid) {
		run->end = ev->ts;
		return ev->id == f->exit->id && (int32_t)pid == run->pid;
	}
	if (ev->id == f->exec->id && was_recorder(f, pid, ev->ts))
		*run = (struct kft_why_interval){.begin = ev->ts,
						 .pid = (int32_t)pid,
						 .cpu = ev->cpu,
						 .is_command = true};
	return false;
}

int kft_why_find_command(struct kft_trace *t, struct kft_why_interval *ret)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	struct finder f = {
		.trace = t,
		.exec = kft_class_table_find(&t->classes, "sched", "sched_process_exec"),
		.exit = kft_class_table_find(&t->classes, "sched", "sched_process_exit"),
		.pid = kft_trace_common_field(t, "common_pid"),
	};
	struct kft_why_interval run = {};
	const struct kft_event *ev;
	bool has_ended = false;

	if (!f.exec || !f.exit || !f.pid)
		return 0;
	int r = create_merge(&f, &m);

	while (r >= 0 && !has_ended && (r = kft_merge_next(m, &ev)) > 0)
		has_ended = is_end(&f, ev, &run);
	m = kft_merge_destroy(m);
	if (r < 0 || !run.pid)
		return r < 0 ? r : 0;
	if (!has_ended && !kft_span_last(t, &run.end))
		return 0;
	*ret = run;
	return 1;
}
