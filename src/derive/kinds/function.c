// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Calls of functions, as recorded by function_graph: a return contains the duration of
 * its call. Entries, if they are recorded, show calls that have not returned.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "derive/calls/call_match.h"
#include "derive/kinds/kinds.h"
#include "derive/calls/nest.h"
#include "derive/engine/nested_pairs.h"
#include "model/run_info.h"

/* A limit above the depth of the kernel's return stacks. */
#define DEPTH_MAX 256

struct open {
	struct kft_interval call;
	uint64_t losses;
};

struct stack {
	KFT_VEC(struct open) open;
};

struct stacks {
	/* Borrowed from the trace; has the symbols that were read so far. */
	const struct kft_symbol_table *symbols;
	struct kft_map by_task; /* -> index + 1 */
	KFT_VEC(struct stack) stacks;
	struct kft_run_windows windows; /* the trace's KFT run */
};

static int create(struct kft_trace *t, void **ret_state)
{
	struct stacks *s = calloc(1, sizeof(*s));

	if (s)
		s->symbols = &t->symbols;
	/* If the description of the run is unreadable, the records can still be used. */
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

static struct stack *get(struct stacks *s, const struct kft_kind_input *in)
{
	return kft_keyed_put(&s->stacks, &s->by_task, kft_stack_key(in->pid, in->cpu),
			     (struct stack){});
}

static int leave_top(struct stack *s, const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink)
{
	struct open *top = &s->open.data[--s->open.len];

	top->call.end_ns = in->ts;
	top->call.flags = KFT_INTERVAL_NOT_ENDED;
	top->call.parent = s->open.len ? &top[-1].call : NULL;
	if (top->losses != in->losses)
		top->call.flags |= KFT_INTERVAL_LOSSES;
	return sink->take(sink->arg, &top->call);
}

/*
 * Leaves the calls that a record shows to be over. *ret_ends: the record is the return of
 * the innermost call that remains.
 */
static int leave(const struct stacks *all, struct stack *s, const struct kft_interval *i,
		 bool is_return, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink, bool *ret_ends)
{
	const struct kft_call_id record = {i->key, i->depth,
					   kft_func_context_of(in->flags)};
	int r = 0;

	*ret_ends = false;
	while (!r && s->open.len) {
		const struct kft_interval *top = &s->open.data[s->open.len - 1].call;
		const struct kft_call_id open = {top->key, top->depth,
						 kft_func_context_of(top->cause.flags)};
		enum kft_call_match match = kft_call_match(all->symbols, open, record,
							   is_return);

		*ret_ends = match == KFT_MATCH_ENDS;
		if (match != KFT_MATCH_LEFT)
			break;
		r = leave_top(s, in, sink);
	}
	return r;
}

static int enter(const struct stacks *all, struct stack *s, struct kft_interval *i,
		 const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	bool ends;
	int r = leave(all, s, i, false, in, sink, &ends);

	if (r < 0 || s->open.len >= DEPTH_MAX)
		return r;
	return kft_vec_push(&s->open, ((struct open){*i, in->losses})) ? 0 : -ENOMEM;
}

/* A return after the end of its run shows only that the call was under way at that end. */
static int return_from(const struct stacks *all, struct stack *s, struct kft_interval *i,
		       const struct kft_kind_input *in,
		       const struct kft_interval_sink *sink)
{
	uint64_t ns = in->fields[3] > in->fields[2] ? in->fields[3] - in->fields[2] : 0;
	bool ends;
	int r = leave(all, s, i, true, in, sink, &ends);

	if (r < 0)
		return r;
	if (ends) {
		const struct open *top = &s->open.data[--s->open.len];

		i->cpu = top->call.cpu;
		i->cause = top->call.cause;
		if (top->losses != in->losses)
			i->flags = KFT_INTERVAL_LOSSES;
	}
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
	struct stacks *all = state;
	uint64_t func = kft_symbol_at(all->symbols, in->fields[0], in->ts);
	struct kft_interval i = kft_nested_pairs_interval(kind, func, in);
	struct stack *s = get(all, in);

	if (!s)
		return -ENOMEM;
	i.depth = (uint32_t)KFT_MIN(in->fields[1], (uint64_t)DEPTH_MAX);
	return kind->events[in->event].role == KFT_KIND_BEGINS
		       ? enter(all, s, &i, in, sink)
		       : return_from(all, s, &i, in, sink);
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	struct stacks *s = state;
	int r = 0;

	kft_vec_for_each(&s->stacks, stack)
		while (!r && stack->open.len)
			r = leave_top(stack, in, sink);
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
