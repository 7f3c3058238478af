// SPDX-License-Identifier: LGPL-2.1-or-later
/* Nests calls and computes their own time. */
#include "derive/calls/nest.h"

#include <errno.h>

#include "base/map.h"

struct kft_nest_task {
	struct kft_nested *top; /* owned, like those below it */
	uint32_t depth; /* number of calls on the stack */
	struct kft_nest_task *next; /* kft_nest.tasks */
};

struct kft_nest {
	struct kft_nest_sink sink;
	struct kft_map by_key; /* -> struct kft_nest_task * */
	struct kft_nest_task *tasks; /* owned; newest first */
	struct kft_nested *spare; /* owned; unused ones, linked by below */
	uint64_t entered;
	uint64_t roots;
};

int kft_nest_create(const struct kft_nest_sink *sink, struct kft_nest **ret)
{
	struct kft_nest *nest = calloc(1, sizeof(*nest));

	if (!nest)
		return -ENOMEM;
	nest->sink = *sink;
	*ret = nest;
	return 0;
}

static void free_list(struct kft_nested *n)
{
	while (n) {
		struct kft_nested *below = n->below;

		free(n);
		n = below;
	}
}

struct kft_nest *kft_nest_destroy(struct kft_nest *nest)
{
	if (!nest)
		return NULL;
	while (nest->tasks) {
		struct kft_nest_task *next = nest->tasks->next;

		free_list(nest->tasks->top);
		free(nest->tasks);
		nest->tasks = next;
	}
	free_list(nest->spare);
	kft_map_finish(&nest->by_key);
	free(nest);
	return NULL;
}

static struct kft_nest_task *find_task(const struct kft_nest *nest, int32_t pid,
				       int32_t cpu)
{
	const uint64_t *slot = kft_map_get(&nest->by_key, kft_stack_key(pid, cpu));

	return slot ? (struct kft_nest_task *)(uintptr_t)*slot : NULL;
}

static struct kft_nest_task *get_task(struct kft_nest *nest, int32_t pid, int32_t cpu)
{
	struct kft_nest_task *task = find_task(nest, pid, cpu);

	if (task)
		return task;
	task = calloc(1, sizeof(*task));
	uint64_t *slot = task ? kft_map_put(&nest->by_key, kft_stack_key(pid, cpu))
			      : NULL;

	if (!slot) {
		free(task);
		return NULL;
	}
	*slot = (uintptr_t)task;
	task->next = nest->tasks;
	nest->tasks = task;
	return task;
}

static uint64_t end_of(const struct kft_call *c)
{
	return c->entry_ns + c->dur_ns;
}

static bool has_ended(const struct kft_nested *n)
{
	return n->call.end == KFT_CALL_ENDED;
}

/* Whether n is open at t. Times may be coarse: a call that ends at t may still be open. */
static bool is_active(const struct kft_nested *n, uint64_t t)
{
	return n->call.entry_ns <= t && (!has_ended(n) || end_of(&n->call) >= t);
}

/* Whether outer, further out on the stack, is a call of n's function for all of n's time. */
static bool spans(const struct kft_nested *outer, const struct kft_nested *n)
{
	if (outer->call.func != n->call.func || outer->call.entry_ns > n->call.entry_ns)
		return false;
	return !has_ended(outer) || end_of(&outer->call) >= end_of(&n->call);
}

static void settle_span(struct kft_nested *n)
{
	struct kft_nested *outer = n->below;

	if (has_ended(n)) {
		n->span_ns = n->call.dur_ns;
		n->span_off_ns = n->off_ns;
	}
	if (!n->span_ns)
		return;
	while (outer && !spans(outer, n))
		outer = outer->below;
	n->inner = outer != NULL;
	if (outer) {
		outer->span_ns += n->span_ns;
		outer->span_off_ns += n->span_off_ns;
	}
}

int kft_nest_pop(struct kft_nest *nest, struct kft_nested *n)
{
	int r = 0;

	if (n->parent && has_ended(n)) {
		n->parent->children_ns += n->call.dur_ns;
		n->parent->children_off_ns += n->off_ns;
	}
	settle_span(n);
	if (nest->sink.leave)
		r = nest->sink.leave(nest->sink.arg, n);
	n->task->top = n->below;
	n->task->depth--;
	n->below = nest->spare;
	nest->spare = n;
	return r;
}

/* Leaves all calls above keep (NULL: all calls). */
static int pop_down_to(struct kft_nest *nest, struct kft_nest_task *task,
		       const struct kft_nested *keep)
{
	int r = 0;

	while (task->top != keep && !r)
		r = kft_nest_pop(nest, task->top);
	return r;
}

static struct kft_nested *new_nested(struct kft_nest *nest)
{
	struct kft_nested *n = nest->spare;

	if (!n)
		return calloc(1, sizeof(*n));
	nest->spare = n->below;
	*n = (struct kft_nested){};
	return n;
}

static int push(struct kft_nest *nest, struct kft_nest_task *task,
		const struct kft_call *call, bool has_parent, struct kft_nested **ret)
{
	struct kft_nested *n = new_nested(nest);

	if (!n)
		return -ENOMEM;
	n->call = *call;
	n->task = task;
	n->number = nest->entered++;
	n->parent = has_parent ? task->top : NULL;
	n->depth = n->parent ? n->parent->depth + 1 : 0;
	n->root = n->parent ? n->parent->root : nest->roots++;
	n->below = task->top;
	task->top = n;
	task->depth++;
	int r = nest->sink.enter ? nest->sink.enter(nest->sink.arg, n) : 0;

	n->call.args = NULL;
	n->call.args_len = 0;
	*ret = n;
	return r;
}

static struct kft_nested *find_parent(const struct kft_nest_task *task,
				      const struct kft_call *call)
{
	struct kft_nested *n = task->top;

	if (call->caller == KFT_INTERN_NONE)
		return NULL;
	while (n && (n->call.func != call->caller || !is_active(n, call->entry_ns)))
		n = n->below;
	return n;
}

/*
 * If a call has no known parent, an earlier one from the same caller without a recorded
 * exit is over; unless a call above it goes on, which shows that the caller itself was
 * called again. Returns the part of the stack that can still be open.
 */
static struct kft_nested *below_sibling(const struct kft_nest_task *task,
					const struct kft_call *call)
{
	for (const struct kft_nested *n = task->top; n; n = n->below) {
		if (has_ended(n) && end_of(&n->call) > call->entry_ns)
			break;
		if (!n->parent && !has_ended(n) && n->call.caller == call->caller)
			return n->below;
	}
	return task->top;
}

int kft_nest_add(struct kft_nest *nest, const struct kft_call *call)
{
	struct kft_nest_task *task = get_task(nest, call->pid, call->cpu);
	int r = 0;

	if (!task)
		return -ENOMEM;
	while (!r && task->top && has_ended(task->top) &&
	       end_of(&task->top->call) < call->entry_ns)
		r = kft_nest_pop(nest, task->top);
	struct kft_nested *parent = find_parent(task, call);

	if (!r)
		r = pop_down_to(nest, task, parent ? parent : below_sibling(task, call));
	struct kft_nested *n;

	if (!r)
		r = push(nest, task, call, parent != NULL, &n);
	/* Its own calls become roots, which is better than searches of unlimited length. */
	if (!r && task->depth > KFT_NEST_DEPTH_MAX)
		r = kft_nest_pop(nest, n);
	return r;
}

int kft_nest_flush(struct kft_nest *nest)
{
	int r = 0;

	for (struct kft_nest_task *t = nest->tasks; t && !r; t = t->next)
		r = pop_down_to(nest, t, NULL);
	return r;
}

struct kft_nested *kft_nest_top(const struct kft_nest *nest, int32_t pid, int32_t cpu)
{
	const struct kft_nest_task *task = find_task(nest, pid, cpu);

	return task ? task->top : NULL;
}

int kft_nest_push(struct kft_nest *nest, int32_t pid, int32_t cpu,
		  const struct kft_call *call, bool has_parent, struct kft_nested **ret)
{
	struct kft_nest_task *task = get_task(nest, pid, cpu);

	return task ? push(nest, task, call, has_parent && task->top, ret) : -ENOMEM;
}
