// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the open intervals of each CPU and each task. */
#include "derive/depth.h"

#include <errno.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "derive/kinds/syscall_form.h"
#include "derive/kinds/kinds.h"

/* Kinds that nest: on their CPU if the kind is per CPU, otherwise in their task. */
static const struct kft_interval_kind *const nested[] = {
	&kft_kind_irq,	   &kft_kind_vector, &kft_kind_softirq, &kft_kind_tasklet,
	&kft_kind_hrtimer, &kft_kind_timer,  &kft_kind_work,	&kft_kind_syscall,
};

/* Keys of the events: the depth that they change. */
enum { ON_CPU, IN_TASK, CALL };

struct task {
	uint32_t depth;
	int64_t call;
};

struct kft_depths {
	struct kft_interval_kind kind;
	struct kft_kind_event events[KFT_KIND_EVENTS + 1];
	KFT_VEC(uint32_t) cpus; /* depth of each CPU */
	struct kft_map by_pid; /* -> index + 1 */
	KFT_VEC(struct task) tasks;
	struct kft_call_returns returns;
};

static uint32_t *get_cpu(struct kft_depths *d, uint32_t cpu)
{
	while (d->cpus.len <= cpu)
		if (!kft_vec_push(&d->cpus, UINT32_C(0)))
			return NULL;
	return &d->cpus.data[cpu];
}

static struct task *get_task(struct kft_depths *d, int32_t pid)
{
	return kft_keyed_put(&d->tasks, &d->by_pid, (uint32_t)pid,
			     (struct task){.call = KFT_NO_CALL});
}

static void step(uint32_t *depth, enum kft_kind_role role)
{
	if (role == KFT_KIND_BEGINS)
		++*depth;
	else if (*depth)
		--*depth;
}

/*
 * The system call that a task is in after one of its events. A return from a signal
 * handler has no visible end, unless it began in the other form, too.
 */
static int64_t call_after(const struct kft_depths *d, int64_t before,
			  const struct kft_kind_event *event,
			  const struct kft_kind_input *in)
{
	uint64_t nr = event->is_other_form ? kft_call_number(in) : in->fields[0];

	if (event->role != KFT_KIND_BEGINS)
		return KFT_NO_CALL;
	if (event->is_other_form && kft_call_is_return(&d->returns, nr))
		return before == (int64_t)nr ? before : KFT_NO_CALL;
	return (int64_t)nr;
}

static int feed_depth(const struct kft_interval_kind *kind, void *state,
		      const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink)
{
	struct kft_depths *d = (struct kft_depths *)kind->arg;
	const struct kft_kind_event *event = &kind->events[in->event];
	uint32_t *cpu = get_cpu(d, in->cpu);
	struct task *task = get_task(d, in->pid);

	if (!cpu || !task)
		return -ENOMEM;
	if (event->key == ON_CPU)
		step(cpu, event->role);
	else if (event->key == IN_TASK)
		step(&task->depth, event->role);
	else
		task->call = call_after(d, task->call, event, in);
	return 0;
}

static int create_nothing(struct kft_trace *t, void **ret_state)
{
	*ret_state = NULL;
	return 0;
}

static int flush_nothing(void *state, const struct kft_kind_input *in,
			 const struct kft_interval_sink *sink)
{
	return 0;
}

static void destroy_nothing(void *state)
{
}

static void make_kind(struct kft_depths *d)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(nested); i++) {
		for (size_t j = 0; nested[i]->events[j].name && n < KFT_KIND_EVENTS;
		     j++) {
			if (nested[i]->events[j].is_hint)
				continue;
			d->events[n] = nested[i]->events[j];
			d->events[n++].key = nested[i]->per_cpu		      ? ON_CPU
					     : nested[i] == &kft_kind_syscall ? CALL
									      : IN_TASK;
		}
	}
	d->kind = (struct kft_interval_kind){
		.name = "depth",
		.events = d->events,
		.arg = d,
		.create = create_nothing,
		.feed = feed_depth,
		.flush = flush_nothing,
		.destroy = destroy_nothing,
	};
}

int kft_depths_create(struct kft_trace *t, struct kft_depths **ret)
{
	struct kft_depths *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	make_kind(d);
	kft_call_returns_find(t, &d->returns);
	*ret = d;
	return 0;
}

struct kft_depths *kft_depths_destroy(struct kft_depths *d)
{
	if (!d)
		return NULL;
	kft_vec_finish(&d->cpus);
	kft_map_finish(&d->by_pid);
	kft_vec_finish(&d->tasks);
	free(d);
	return NULL;
}

const struct kft_interval_kind *kft_depths_kind(const struct kft_depths *d)
{
	return &d->kind;
}

int kft_depths_get(struct kft_depths *d, uint32_t cpu, int32_t pid, uint32_t *ret_depth,
		   int64_t *ret_call)
{
	const uint32_t *depth = get_cpu(d, cpu);
	const struct task *task = get_task(d, pid);

	if (!depth || !task)
		return -ENOMEM;
	*ret_depth = *depth + task->depth + (task->call != KFT_NO_CALL);
	*ret_call = task->call;
	return 0;
}

int kft_depths_forget(struct kft_depths *d, uint32_t cpu)
{
	uint32_t *depth = get_cpu(d, cpu);

	if (depth)
		*depth = 0;
	return depth ? 0 : -ENOMEM;
}
