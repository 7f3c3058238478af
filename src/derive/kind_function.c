// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Calls of functions, as function_graph records them: a return says how long its call took.
 * Entries, where they are recorded too, tell of calls that have not returned.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/map.h"
#include "derive/kinds.h"
#include "derive/pairs.h"
#include "model/run_info.h"

/* Deeper than the kernel's return stacks. */
#define DEPTH_MAX 256

struct open {
	struct kft_interval call;
	uint64_t losses;
};

struct stack {
	KFT_VEC(struct open) open;
};

struct stacks {
	struct kft_map by_task; /* -> index + 1 */
	KFT_VEC(struct stack) stacks;
	struct kft_run_windows windows; /* of the KFT run that the trace is of */
};

static int create(struct kft_trace *t, void **ret_state)
{
	struct stacks *s = calloc(1, sizeof(*s));

	/* Of a run that cannot be understood the records are still what they are. */
	if (s)
		(void)!kft_run_windows_parse(&t->meta.run, &s->windows);
	*ret_state = s;
	return s ? 0 : -ENOMEM;
}

static void destroy(void *state)
{
	struct stacks *s = state;

	kft_vec_for_each(&s->stacks, stack)
		kft_vec_finish(&stack->open);
	kft_vec_finish(&s->stacks);
	kft_map_finish(&s->by_task);
	kft_run_windows_finish(&s->windows);
	free(s);
}

/* Idle tasks share pid 0. */
static struct stack *get(struct stacks *s, const struct kft_kind_input *in)
{
	uint64_t task = in->pid ? (uint32_t)in->pid : UINT64_C(1) << 32 | in->cpu;
	uint64_t *slot = kft_map_put(&s->by_task, task);

	if (!slot)
		return NULL;
	if (!*slot) {
		if (!kft_vec_push(&s->stacks, (struct stack){}))
			return NULL;
		*slot = s->stacks.len;
	}
	return &s->stacks.data[*slot - 1];
}

/* Leaves calls that are as deep or deeper: their returns were not seen. */
static int leave(struct stack *s, uint32_t depth, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	int r = 0;

	while (!r && s->open.len && s->open.data[s->open.len - 1].call.depth >= depth) {
		struct open *top = &s->open.data[--s->open.len];

		top->call.end_ns = in->ts;
		top->call.flags = KFT_INTERVAL_NOT_ENDED;
		top->call.parent = s->open.len ? &top[-1].call : NULL;
		if (top->losses != in->losses)
			top->call.flags |= KFT_INTERVAL_LOSSES;
		r = sink->take(sink->arg, &top->call);
	}
	return r;
}

static int enter(struct stack *s, struct kft_interval *i, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	int r = leave(s, i->depth, in, sink);

	if (r < 0 || s->open.len >= DEPTH_MAX)
		return r;
	return kft_vec_push(&s->open, ((struct open){*i, in->losses})) ? 0 : -ENOMEM;
}

/* A return after the end of its run tells that the call was under way then, and no more. */
static int return_from(const struct stacks *all, struct stack *s, struct kft_interval *i,
		       const struct kft_kind_input *in,
		       const struct kft_interval_sink *sink)
{
	uint64_t ns = in->fields[3] > in->fields[2] ? in->fields[3] - in->fields[2] : 0;
	int r = leave(s, i->depth + 1, in, sink);

	if (r < 0)
		return r;
	const struct open *top = s->open.len ? &s->open.data[s->open.len - 1] : NULL;
	bool is_own = top && top->call.depth == i->depth;

	if (is_own && top->call.key == i->key) {
		i->cpu = top->call.cpu;
		i->cause = top->call.cause;
		if (top->losses != in->losses)
			i->flags = KFT_INTERVAL_LOSSES;
	}
	s->open.len -= is_own;
	i->begin_ns = in->ts > ns ? in->ts - ns : 0;
	i->end_ns = in->ts;
	i->parent = s->open.len ? &s->open.data[s->open.len - 1].call : NULL;
	if (kft_run_windows_cut(&all->windows, i->begin_ns, i->end_ns))
		i->flags |= KFT_INTERVAL_NOT_ENDED;
	return sink->take(sink->arg, i);
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	struct kft_interval i = kft_pairs_interval(kind, in->fields[0], in);
	struct stacks *all = state;
	struct stack *s = get(all, in);

	if (!s)
		return -ENOMEM;
	i.depth = (uint32_t)KFT_MIN(in->fields[1], (uint64_t)DEPTH_MAX);
	return kind->events[in->event].role == KFT_KIND_BEGINS
		       ? enter(s, &i, in, sink)
		       : return_from(all, s, &i, in, sink);
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	struct stacks *s = state;
	int r = 0;

	kft_vec_for_each(&s->stacks, stack)
		if (!r)
			r = leave(stack, 0, in, sink);
	return r;
}

static const struct kft_kind_event events[] = {
	{"ftrace", "funcgraph_entry", {"func", "depth"}, KFT_KIND_BEGINS},
	{"ftrace", "fgraph_retaddr_entry", {"func", "depth"}, KFT_KIND_BEGINS},
	{"ftrace",
	 "funcgraph_exit",
	 {"func", "depth", "calltime", "rettime"},
	 KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_function = {
	.name = "function",
	.about = "calls of functions of the kernel",
	.key = "function",
	.events = events,
	.key_name = kft_key_function,
	.create = create,
	.feed = feed,
	.flush = flush,
	.destroy = destroy,
};
