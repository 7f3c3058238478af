// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the command that was recorded, and the tasks that it started. */
#include "analysis/why/command.h"

#include <errno.h>

#include "analysis/why/recorder.h"
#include "base/bits.h"
#include "model/merge.h"
#include "model/span.h"

struct finder {
	struct kft_trace *trace;
	const struct kft_class *exec;
	const struct kft_class *exit;
	const struct kft_class
		*fork; /* NULL: not recorded, so only the first task is known */
	const struct kft_field *pid;
	const struct kft_field *child;
	uint64_t wanted[KFT_ID_WORDS];
	struct kft_why_command command;
	bool has_ended;
};

static int create_merge(struct finder *f, struct kft_merge **ret)
{
	const struct kft_scope scope = {.wanted = f->wanted};

	kft_bits_add(f->wanted, f->exec->id);
	kft_bits_add(f->wanted, f->exit->id);
	if (f->child)
		kft_bits_add(f->wanted, f->fork->id);
	return kft_merge_create(f->trace, &scope, ret);
}

/*
 * The recorder's child has its name until it executes the command; execve renames the task shortly
 * before its event. Another session of kft may start programs, too: they are not on this command line.
 */
static bool is_command(const struct finder *f, uint64_t pid, uint64_t ts)
{
	const struct kft_task_table *tasks = &f->trace->tasks;
	struct kft_task_span now = kft_task_span_at(tasks, (uint32_t)pid, ts);

	return now.since &&
	       kft_why_is_recorder(
		       f->trace, kft_task_comm_at(tasks, (uint32_t)pid, now.since - 1)) &&
	       kft_why_recorder_has_run(f->trace,
					kft_task_comm_at(tasks, (uint32_t)pid, ts));
}

static struct kft_why_descendant *descendant_at(const struct kft_why_command *c,
						int32_t pid, uint64_t ts)
{
	const uint64_t *slot = kft_map_get(&c->by_pid, (uint32_t)pid);

	for (uint64_t i = slot ? *slot : 0; i; i = c->descendants.data[i - 1].earlier) {
		struct kft_why_descendant *d = &c->descendants.data[i - 1];

		if (d->begin <= ts && ts <= d->end)
			return d;
	}
	return NULL;
}

static int add_descendant(struct kft_why_command *c, int32_t pid, uint64_t ts)
{
	uint64_t *slot = kft_map_put(&c->by_pid, (uint32_t)pid);
	const struct kft_why_descendant new = {ts, UINT64_MAX, slot ? *slot : 0};

	if (!slot || !kft_vec_push(&c->descendants, new))
		return -ENOMEM;
	*slot = c->descendants.len;
	return 0;
}

static int begin_command(struct finder *f, int32_t pid, const struct kft_event *ev)
{
	f->command.run = (struct kft_why_interval){
		.begin = ev->ts, .pid = pid, .cpu = ev->cpu, .is_command = true};
	return add_descendant(&f->command, pid, ev->ts);
}

static void end_task(struct finder *f, int32_t pid, uint64_t ts)
{
	struct kft_why_descendant *d = descendant_at(&f->command, pid, ts);

	if (d)
		d->end = ts;
	if (pid != f->command.run.pid)
		return;
	f->command.run.end = ts;
	f->has_ended = true;
}

/* Takes the first execve of a task that was the recorder's, the tasks that follow, and their exits. */
static int take(struct finder *f, const struct kft_event *ev)
{
	bool swap = f->trace->swap;
	uint64_t pid;
	uint64_t child;

	if (!kft_event_int(ev, f->pid, swap, &pid))
		return 0;
	if (!f->command.run.pid)
		return ev->id == f->exec->id && is_command(f, pid, ev->ts)
			       ? begin_command(f, (int32_t)pid, ev)
			       : 0;
	if (ev->id == f->exit->id)
		end_task(f, (int32_t)pid, ev->ts);
	else if (f->child && ev->id == f->fork->id &&
		 descendant_at(&f->command, (int32_t)pid, ev->ts) &&
		 kft_event_int(ev, f->child, swap, &child))
		return add_descendant(&f->command, (int32_t)child, ev->ts);
	return 0;
}

static int read_trace(struct finder *f)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	int r = create_merge(f, &m);

	while (r >= 0 && !f->has_ended && (r = kft_merge_next(m, &ev)) > 0)
		r = take(f, ev);
	return r < 0 ? r : 0;
}

/*
 * Whether a task of the recorder got the name of a program of its command line, as is_command() wants it.
 * Traces of whole systems have none: they are not read for a command.
 */
static bool may_have_command(const struct kft_trace *t)
{
	const struct kft_task_name *names = t->tasks.names.data;

	for (size_t i = 1; i < t->tasks.names.len; i++)
		if (names[i].pid == names[i - 1].pid &&
		    kft_why_is_recorder(t, names[i - 1].comm) &&
		    kft_why_recorder_has_run(t, names[i].comm))
			return true;
	return false;
}

int kft_why_command_find(struct kft_trace *t, struct kft_why_command *ret)
{
	struct kft_class_table *classes = &t->classes;
	struct finder f = {
		.trace = t,
		.exec = kft_class_table_find(classes, "sched", "sched_process_exec"),
		.exit = kft_class_table_find(classes, "sched", "sched_process_exit"),
		.fork = kft_class_table_find(classes, "sched", "sched_process_fork"),
		.pid = kft_trace_common_field(t, "common_pid"),
	};

	*ret = (struct kft_why_command){};
	if (!f.exec || !f.exit || !f.pid || !may_have_command(t))
		return 0;
	f.child = f.fork ? kft_class_field(f.fork, "child_pid") : NULL;
	int r = read_trace(&f);

	if (r == 0 && f.command.run.pid && !f.has_ended)
		f.command.run.pid = kft_span_last(t, &f.command.run.end)
					    ? f.command.run.pid
					    : 0;
	if (r < 0 || !f.command.run.pid) {
		kft_why_command_finish(&f.command);
		return r;
	}
	*ret = f.command;
	return 1;
}

void kft_why_command_finish(struct kft_why_command *c)
{
	kft_vec_finish(&c->descendants);
	kft_map_finish(&c->by_pid);
}

bool kft_why_command_has(const struct kft_why_command *c, int32_t pid, uint64_t ts)
{
	return descendant_at(c, pid, ts) != NULL;
}
