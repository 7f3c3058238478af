// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * System calls of tasks; the value is what they returned. A new task begins within the call
 * that made it, and a task that ends leaves its last call there.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "derive/current.h"
#include "derive/kinds.h"
#include "derive/pairs.h"
#include "model/syscall.h"

enum { ENTER, EXIT, FORK, END, EXEC };

/* What rt_sigreturn() leaves behind as the number of its own call. */
#define FORGOTTEN (-1)

/* CPUs that have a last task of their own: they take turns in the order of time. */
#define LAST_CPUS 16

struct task {
	struct kft_current call;
	uint64_t seen; /* when something was heard of it last; 0: not yet */
};

struct tasks {
	struct kft_map by_pid; /* -> index + 1 */
	KFT_VEC(struct task) tasks;
	struct {
		int32_t pid;
		uint32_t place; /* index + 1 in tasks; 0: none */
	} last[LAST_CPUS]; /* that were heard of on a CPU */
};

static int create(struct kft_trace *t, void **ret_state)
{
	*ret_state = calloc(1, sizeof(struct tasks));
	return *ret_state ? 0 : -ENOMEM;
}

static void destroy(void *state)
{
	struct tasks *t = state;

	kft_map_finish(&t->by_pid);
	kft_vec_finish(&t->tasks);
	free(t);
}

/* Mostly the one that was asked for before on that CPU. */
static inline struct task *get(struct tasks *t, uint32_t cpu, int32_t pid)
{
	uint32_t slot = cpu % LAST_CPUS;

	if (likely(t->last[slot].place && t->last[slot].pid == pid))
		return &t->tasks.data[t->last[slot].place - 1];
	struct task *task = kft_keyed_put(&t->tasks, &t->by_pid, (uint32_t)pid,
					  (struct task){});

	if (task) {
		t->last[slot].pid = pid;
		t->last[slot].place = (uint32_t)(task - t->tasks.data) + 1;
	}
	return task;
}

static int end(struct task *task, const struct kft_kind_input *in,
	       const struct kft_interval_sink *sink)
{
	task->call.is_known = false;
	task->call.state.end_cpu = in->cpu;
	return kft_current_end(&task->call, in, sink);
}

/* It did not return as far as is known. */
static int cut(struct task *task, const struct kft_kind_input *in,
	       const struct kft_interval_sink *sink)
{
	if (!task->call.is_known)
		return 0;
	task->call.state.flags |= KFT_INTERVAL_NOT_ENDED;
	return end(task, in, sink);
}

static int enter(struct task *task, uint64_t nr, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	int r = cut(task, in, sink);

	task->call.is_known = true;
	task->call.losses = in->losses;
	kft_pairs_set(&task->call.state, &kft_kind_syscall, nr, in);
	return r;
}

/* Its beginning was not seen: the task was in no call before that it was heard of in. */
static int leave_unseen(struct task *task, const struct kft_kind_input *in,
			const struct kft_interval_sink *sink)
{
	int r = enter(task, in->fields[0], in, sink);
	struct kft_interval *call = &task->call.state;

	task->call.losses = 0;
	call->begin_ns = KFT_MAX(task->seen, in->first_ts);
	call->value = (int64_t)in->fields[1];
	call->flags = task->seen ? KFT_INTERVAL_LOSSES : KFT_INTERVAL_BEGUN_BEFORE;
	call->cause = (struct kft_interval_cause){.pid = -1};
	return r < 0 ? r : end(task, in, sink);
}

/* A task is in one call at a time. If it leaves another one, events were lost. */
static int leave(struct task *task, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	uint64_t nr = in->fields[0];

	if (!task->call.is_known ||
	    (task->call.state.key != nr && (int64_t)nr != FORGOTTEN))
		return leave_unseen(task, in, sink);
	task->call.state.value = (int64_t)in->fields[1];
	return end(task, in, sink);
}

/*
 * The parent's call returns in both of them; the child has not made it, so that it does not
 * count as one of its own. Threads of the kernel are in none.
 */
static int fork_task(struct tasks *t, struct task *child, const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink)
{
	const struct task *parent = kft_keyed_get(&t->tasks, &t->by_pid,
						  (uint32_t)in->fields[1]);

	if (!parent || !parent->call.is_known)
		return cut(child, in, sink);
	int r = enter(child, parent->call.state.key, in, sink);

	child->call.state.pid = (int32_t)in->fields[0];
	child->call.state.flags = KFT_INTERVAL_BEGUN_BEFORE;
	return r;
}

/* A thread that executes another program takes the pid of its group's leader. */
static int exec(struct tasks *t, struct task *task, const struct kft_kind_input *in,
		const struct kft_interval_sink *sink)
{
	struct task *before = kft_keyed_get(&t->tasks, &t->by_pid,
					    (uint32_t)in->fields[1]);

	if (!before || before == task)
		return 0;
	int r = cut(task, in, sink);

	task->call = before->call;
	before->call.is_known = false;
	return r;
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	bool is_call = in->event == ENTER || in->event == EXIT;
	struct task *task = get(state, in->cpu,
				is_call ? in->pid : (int32_t)in->fields[0]);
	int r = 0;

	if (!task)
		return -ENOMEM;
	if (in->event == ENTER)
		r = enter(task, in->fields[0], in, sink);
	else if (in->event == EXIT)
		r = leave(task, in, sink);
	else if (in->event == FORK)
		r = fork_task(state, task, in, sink);
	else if (in->event == END)
		r = cut(task, in, sink);
	else
		r = exec(state, task, in, sink);
	task->seen = in->ts;
	return r;
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	struct tasks *t = state;
	int r = 0;

	kft_vec_for_each(&t->tasks, task)
		if (!r)
			r = cut(task, in, sink);
	return r;
}

static void name_of(struct kft_trace *t, uint64_t nr, struct kft_strbuf *sb)
{
	const char *name = kft_syscall_name(kft_trace_syscalls(t), (int64_t)nr);

	if (name)
		kft_strbuf_adds(sb, name);
}

static const struct kft_kind_event events[] = {
	[ENTER] = {"raw_syscalls", "sys_enter", {"id"}, KFT_KIND_BEGINS},
	[EXIT] = {"raw_syscalls", "sys_exit", {"id", "ret"}, KFT_KIND_ENDS},
	[FORK] = {"sched",
		  "sched_process_fork",
		  {"child_pid", "parent_pid"},
		  .is_hint = true},
	[END] = {"sched", "sched_process_exit", {"pid"}, .is_hint = true},
	[EXEC] = {"sched", "sched_process_exec", {"pid", "old_pid"}, .is_hint = true},
	{},
};

const struct kft_interval_kind kft_kind_syscall = {
	.name = "syscall",
	.about = "system calls",
	.key = "nr",
	.value = "returned",
	.events = events,
	.key_name = name_of,
	.create = create,
	.feed = feed,
	.flush = flush,
	.destroy = destroy,
};
