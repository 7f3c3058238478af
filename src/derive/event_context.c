// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the context of each event from the events before it. */
#include "derive/event_context.h"

#include <errno.h>
#include <stdlib.h>

#include "derive/depth.h"
#include "derive/kinds/kinds.h"

/* Kinds that are searched for intervals that an event ends. */
static const struct kft_interval_kind *const kinds[] = {
	&kft_kind_irq,	       &kft_kind_irq_gap,	 &kft_kind_vector,
	&kft_kind_softirq,     &kft_kind_softirq_raised, &kft_kind_tasklet,
	&kft_kind_hrtimer,     &kft_kind_hrtimer_late,	 &kft_kind_timer,
	&kft_kind_syscall,     &kft_kind_task,		 &kft_kind_signal,
	&kft_kind_work_queued, &kft_kind_work,		 &kft_kind_lock,
	&kft_kind_block,       &kft_kind_block_queued,	 &kft_kind_idle,
	&kft_kind_mark,	       &kft_kind_mark_gap,
};

struct kft_event_contexts {
	struct kft_event_context moment;
	struct kft_engine *engine; /* owned */
	const struct kft_field *pid; /* borrowed; NULL: the trace has none */
	bool swap;
	struct kft_depths *depths; /* owned */
};

static int take(void *arg, const struct kft_interval *i)
{
	struct kft_event_context *m = arg;

	if (!i->flags && m->n_ends < KFT_MOMENT_ENDS)
		m->ends[m->n_ends++] = *i;
	return 0;
}

int kft_event_contexts_create(struct kft_trace *t, struct kft_event_contexts **ret)
{
	_cleanup_(kft_event_contexts_destroyp) struct kft_event_contexts *m =
		calloc(1, sizeof(*m));
	const struct kft_interval_kind *all[ARRAY_SIZE(kinds) + 1];

	if (!m)
		return -ENOMEM;
	int r = kft_depths_create(t, &m->depths);

	if (r < 0)
		return r;
	memcpy(all, kinds, sizeof(kinds));
	all[ARRAY_SIZE(kinds)] = kft_depths_kind(m->depths);
	m->pid = kft_trace_common_field(t, "common_pid");
	m->swap = t->swap;
	const struct kft_interval_sink sink = {take, &m->moment};
	r = kft_engine_create(t, all, ARRAY_SIZE(all), &sink, &m->engine);

	if (r < 0)
		return r;
	*ret = TAKE(m);
	return 0;
}

struct kft_event_contexts *kft_event_contexts_destroy(struct kft_event_contexts *m)
{
	if (!m)
		return NULL;
	kft_engine_destroy(m->engine);
	kft_depths_destroy(m->depths);
	free(m);
	return NULL;
}

void kft_event_contexts_needs(struct kft_trace *t, uint64_t *wanted)
{
	kft_engine_needs(t, kinds, ARRAY_SIZE(kinds), wanted);
}

static int measure(struct kft_event_contexts *m, const struct kft_event *ev,
		   uint32_t *ret_depth)
{
	uint64_t pid = 0;

	if (m->pid && !kft_event_int(ev, m->pid, m->swap, &pid))
		pid = 0;
	return kft_depths_get(m->depths, ev->cpu, (int32_t)pid, ret_depth,
			      &m->moment.call);
}

int kft_event_contexts_next(struct kft_event_contexts *m, const struct kft_event *ev,
			    const struct kft_event_context **ret)
{
	uint32_t before;
	uint32_t after;
	int r = ev->lost_before ? kft_depths_forget(m->depths, ev->cpu) : 0;

	m->moment.n_ends = 0;
	if (!r)
		r = measure(m, ev, &before);
	if (!r)
		r = kft_engine_feed(m->engine, ev);
	if (!r)
		r = measure(m, ev, &after);
	if (r < 0)
		return r;
	m->moment.depth = KFT_MIN(before, after);
	*ret = &m->moment;
	return 0;
}

const struct kft_interval *kft_event_context_end(const struct kft_event_context *m,
						 const struct kft_interval_kind *kind)
{
	for (size_t i = 0; m && i < m->n_ends; i++)
		if (m->ends[i].kind == kind)
			return &m->ends[i];
	return NULL;
}
