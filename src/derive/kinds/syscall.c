// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * System calls of tasks; the value is the return value. A new task begins within the call
 * that made it, and a task that exits does not return from its last call.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "derive/kinds/syscall_form.h"
#include "derive/engine/current.h"
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"

enum {
	ENTER,
	EXIT,
	FORK,
	END,
	EXEC,
	NAMED_ENTER, /* the events of the second form follow, see derive/kinds/syscall_form.h */
	NAMED_EXIT,
	COMPAT_ENTER,
	COMPAT_EXIT,
};

/* rt_sigreturn() replaces the number of its own call by this one. */
#define FORGOTTEN (-1)

/* Number of CPUs with a last task of their own: in the order of time, CPUs alternate. */
#define LAST_CPUS 16

struct task {
	struct kft_current call;
	uint64_t seen; /* time of its last event; 0: none yet */
	uint8_t entered; /* the forms (KFT_CALL_*) in which its call began */
	uint8_t left; /* the forms in which it returned; 0: it did not, or unseen */
	bool is_sigreturn; /* the call has no event that could end it */
};

struct tasks {
	struct kft_map by_pid; /* -> index + 1 */
	KFT_VEC(struct task) tasks;
	struct {
		int32_t pid;
		uint32_t place; /* index + 1 in tasks; 0: none */
	} last[LAST_CPUS]; /* the task of the last event on a CPU */
	struct kft_call_returns returns;
};

static int create(struct kft_trace *t, void **ret_state)
{
	struct tasks *tasks = calloc(1, sizeof(*tasks));

	if (!tasks)
		return -ENOMEM;
	kft_call_returns_find(t, &tasks->returns);
	*ret_state = tasks;
	return 0;
}

static void destroy(void *state)
{
	struct tasks *t = state;

	kft_map_finish(&t->by_pid);
	kft_vec_finish(&t->tasks);
	free(t);
}

/* Usually finds the task of the previous event on that CPU. */
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

/* Ends the call of a task without a return. */
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
	task->left = 0;
	task->is_sigreturn = false;
	kft_nested_pairs_set(&task->call.state, &kft_kind_syscall, nr, in);
	return r;
}

/* Emits a call without a recorded beginning. It began after the last event of its task. */
static int leave_unseen(struct task *task, uint64_t nr, uint64_t value,
			const struct kft_kind_input *in,
			const struct kft_interval_sink *sink)
{
	int r = enter(task, nr, in, sink);
	struct kft_interval *call = &task->call.state;

	task->call.losses = 0;
	call->begin_ns = KFT_MAX(task->seen, in->first_ts);
	call->value = (int64_t)value;
	call->flags = task->seen ? KFT_INTERVAL_LOSSES : KFT_INTERVAL_BEGUN_BEFORE;
	call->cause = (struct kft_interval_cause){.pid = -1};
	return r < 0 ? r : end(task, in, sink);
}

/* LTTng may record a call by its name at the beginning and only by its number at the end. */
static bool is_of(const struct kft_interval *call, uint64_t nr)
{
	return call->key == nr || (int64_t)nr == FORGOTTEN ||
	       kft_call_is_name(call->key) != kft_call_is_name(nr);
}

/* A task is in one call at a time. If another one returns, events were lost. */
static int leave(struct task *task, uint64_t nr, uint64_t value,
		 const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	if (!task->call.is_known || !is_of(&task->call.state, nr))
		return leave_unseen(task, nr, value, in, sink);
	task->call.state.value = (int64_t)value;
	return end(task, in, sink);
}

/*
 * The parent's call returns in both tasks. The child has not made it, so the call does
 * not count as one of its own. Kernel threads are in none.
 */
static int fork_task(struct tasks *t, struct task *child, const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink)
{
	const struct task *parent = kft_keyed_get(&t->tasks, &t->by_pid,
						  (uint32_t)in->fields[1]);

	if (!parent || !parent->call.is_known)
		return cut(child, in, sink);
	int r = enter(child, parent->call.state.key, in, sink);

	child->entered = 0;
	child->call.state.pid = (int32_t)in->fields[0];
	child->call.state.flags = KFT_INTERVAL_BEGUN_BEFORE;
	return r;
}

/* A thread that calls execve() takes over the pid of its group's leader. */
static int exec(struct tasks *t, struct task *task, const struct kft_kind_input *in,
		const struct kft_interval_sink *sink)
{
	struct task *before = kft_keyed_get(&t->tasks, &t->by_pid,
					    (uint32_t)in->fields[1]);

	if (!before || before == task)
		return 0;
	int r = cut(task, in, sink);

	task->call = before->call;
	task->entered = before->entered;
	task->left = before->left;
	before->call.is_known = false;
	return r;
}

/* Whether the task's call has begun already, with an event of the other form. */
static bool has_entered(struct task *task, uint64_t nr, uint8_t form)
{
	bool is_again = (task->call.is_known || task->is_sigreturn) && task->entered &&
			!(task->entered & form) && task->call.state.key == nr;

	task->entered = is_again ? task->entered | form : form;
	return is_again;
}

/* The task returns from its call, unless an event of the other form has shown that already. */
static int leave_in(struct task *task, uint8_t form, uint64_t nr, uint64_t value,
		    const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	if (!task->call.is_known && task->left && !(task->left & form) &&
	    is_of(&task->call.state, nr)) {
		task->left |= form;
		return 0;
	}
	int r = leave(task, nr, value, in, sink);

	task->left = form;
	return r;
}

static int enter_raw(struct task *task, const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink)
{
	uint64_t nr = in->fields[0];

	return has_entered(task, nr, KFT_CALL_RAW) ? 0 : enter(task, nr, in, sink);
}

/*
 * A task that begins another call has returned from the previous one, though no event
 * shows it. That was rt_sigreturn(), of which LTTng records only the number, or a call
 * without recorded returns. The task may have been in user mode ever since that call
 * began, so it is ended where it began.
 */
static int cut_unseen(struct task *task, const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink)
{
	struct kft_kind_input then = *in;

	if (!task->call.is_known || task->entered != KFT_CALL_NAMED ||
	    task->call.losses != in->losses)
		return 0;
	then.ts = task->call.state.begin_ns;
	then.cpu = task->call.state.cpu;
	return cut(task, &then, sink);
}

/* The task is in user mode soon after rt_sigreturn(), which has no return of this form. */
static int enter_named(const struct tasks *t, struct task *task,
		       const struct kft_kind_input *in,
		       const struct kft_interval_sink *sink)
{
	uint64_t nr = kft_call_number(in);
	int r = cut_unseen(task, in, sink);

	if (r < 0 || has_entered(task, nr, KFT_CALL_NAMED))
		return r;
	r = enter(task, nr, in, sink);
	if (r < 0 || !kft_call_is_return(&t->returns, nr))
		return r;
	task->is_sigreturn = true;
	task->left = KFT_CALL_NAMED;
	return cut(task, in, sink);
}

static int feed_named(const struct tasks *t, struct task *task,
		      const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink)
{
	if (in->event == NAMED_ENTER || in->event == COMPAT_ENTER)
		return enter_named(t, task, in, sink);
	return leave_in(task, KFT_CALL_NAMED, kft_call_number(in),
			in->fields[KFT_CALL_OWN_FIELDS], in, sink);
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	bool is_call = in->event <= EXIT || in->event >= NAMED_ENTER;
	struct task *task = get(state, in->cpu,
				is_call ? in->pid : (int32_t)in->fields[0]);
	int r = 0;

	if (!task)
		return -ENOMEM;
	if (in->event == ENTER)
		r = enter_raw(task, in, sink);
	else if (in->event == EXIT)
		r = leave_in(task, KFT_CALL_RAW, in->fields[0], in->fields[1], in, sink);
	else if (in->event == FORK)
		r = fork_task(state, task, in, sink);
	else if (in->event == END)
		r = cut(task, in, sink);
	else if (in->event == EXEC)
		r = exec(state, task, in, sink);
	else
		r = feed_named(state, task, in, sink);
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

static const struct kft_kind_event events[] = {
	[ENTER] = {"raw_syscalls", "sys_enter", {"id"}, KFT_KIND_BEGINS},
	[EXIT] = {"raw_syscalls", "sys_exit", {"id", "ret"}, KFT_KIND_ENDS},
	[FORK] = {"sched",
		  "sched_process_fork",
		  {"child_pid", "parent_pid"},
		  .is_hint = true},
	[END] = {"sched", "sched_process_exit", {"pid"}, .is_hint = true},
	[EXEC] = {"sched", "sched_process_exec", {"pid", "old_pid"}, .is_hint = true},
	[NAMED_ENTER] = KFT_CALL_ENTER("sys_enter_*"),
	[NAMED_EXIT] = KFT_CALL_EXIT("sys_exit_*"),
	[COMPAT_ENTER] = KFT_CALL_ENTER("compat_sys_enter_*"),
	[COMPAT_EXIT] = KFT_CALL_EXIT("compat_sys_exit_*"),
	{},
};

const struct kft_interval_kind kft_kind_syscall = {
	.name = "syscall",
	.about = "system calls",
	.key = "nr",
	.value = "returned",
	.events = events,
	.pairs = {.by_task = true},
	.key_name = kft_call_name,
	.create = create,
	.feed = feed,
	.flush = flush,
	.destroy = destroy,
};
