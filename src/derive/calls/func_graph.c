// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes calls from entries and exits in the order of time. */
#include "derive/calls/func_graph.h"

#include "derive/calls/call_match.h"
#include "derive/calls/call_place.h"

void kft_func_graph_finish(struct kft_func_graph *g)
{
	kft_overruns_finish(&g->overruns);
}

/* Leaves a call without a recorded exit, or with an exit after that of its caller. */
static int leave_open(struct kft_func_graph *g, struct kft_nested *n)
{
	n->off_ns = 0;
	return kft_nest_pop(g->nest, n);
}

/*
 * Leaves the calls that a record shows to be over. *ret: the call that it returns from,
 * or NULL.
 */
static int leave_over(struct kft_func_graph *g, uint32_t cpu,
		      const struct kft_func_event *fe, bool is_return,
		      struct kft_nested **ret)
{
	const struct kft_call_id record = {fe->func, fe->depth, fe->context};
	struct kft_nested *top;
	int r = 0;

	*ret = NULL;
	while (!r && (top = kft_nest_top(g->nest, fe->pid, cpu))) {
		const struct kft_call_id open = {top->addr, top->level, top->context};
		enum kft_call_match match = kft_call_match(g->names->symbols, open,
							   record, is_return);

		if (match == KFT_MATCH_ENDS)
			*ret = top;
		if (match != KFT_MATCH_LEFT)
			break;
		r = leave_open(g, top);
	}
	return r;
}

/* Time since the first record. */
static uint64_t since_start(const struct kft_func_graph *g, uint64_t ts)
{
	return ts > g->start_ns ? ts - g->start_ns : 0;
}

/* Sets the recorded call site. */
static int set_caller(const struct kft_func_graph *g, uint64_t addr,
		      struct kft_call *call)
{
	struct kft_func caller;
	int r = kft_func_names_get(g->names, addr, &caller);

	if (!r) {
		call->caller = caller.name;
		call->caller_offset = caller.offset;
	}
	return r;
}

static int enter(struct kft_func_graph *g, uint64_t ts, uint32_t cpu,
		 const struct kft_func_event *fe, struct kft_nested **ret)
{
	struct kft_call_hint hint = {
		.depth = fe->depth, .context = fe->context, .losses = g->losses};
	struct kft_call call = {.entry_ns = since_start(g, ts),
				.end = KFT_CALL_OPEN,
				.cpu = cpu,
				.caller = KFT_INTERN_NONE};
	int r = kft_func_names_get(g->names, fe->func, &hint.func);

	if (!r)
		r = kft_offcpu_seen(g->off, fe->pid, ts);
	if (!r && fe->caller)
		r = set_caller(g, fe->caller, &call);
	if (!r)
		r = kft_call_enter(g->nest, fe->pid, &hint, &call, ret);
	if (r < 0)
		return r;
	(*ret)->addr = fe->func;
	(*ret)->has_off = g->off->any;
	/*
	 * While the call is open, off_ns is the time off CPU of its task before the
	 * entry.
	 */
	(*ret)->off_ns = kft_offcpu_total(g->off, fe->pid, ts);
	return 0;
}

static int on_entry(struct kft_func_graph *g, uint64_t ts, uint32_t cpu,
		    const struct kft_func_event *fe)
{
	struct kft_nested *n;
	int r = leave_over(g, cpu, fe, false, &n);

	return r < 0 ? r : enter(g, ts, cpu, fe, &n);
}

/*
 * How long the task was off CPU between the entry and the return of n. A task that is
 * preempted between the return and its record is off CPU after the call, not in it.
 */
static uint64_t off_until_return(const struct kft_func_graph *g, uint64_t ts,
				 const struct kft_func_event *fe,
				 const struct kft_nested *n)
{
	uint64_t off = kft_offcpu_total(g->off, fe->pid, ts) - n->off_ns;

	if (!g->orphans || !off)
		return off;
	uint64_t entry = g->start_ns + n->call.entry_ns;
	uint64_t end = kft_func_orphans_return(g->orphans, g->n_exits - 1, ts,
					       fe->return_ns);
	uint64_t after = kft_offcpu_between(g->off, fe->pid, KFT_MAX(entry, end), ts);

	return off > after ? off - after : 0;
}

static int leave(struct kft_func_graph *g, uint64_t ts, uint32_t cpu,
		 const struct kft_func_event *fe, uint32_t missing, struct kft_nested *n)
{
	uint64_t off = off_until_return(g, ts, fe, n);
	uint64_t dur = fe->return_ns > fe->call_ns ? fe->return_ns - fe->call_ns : 0;

	n->call.end = KFT_CALL_ENDED;
	n->call.dur_ns = dur;
	n->call.cpu = cpu;
	n->missing = missing;
	n->off_ns = KFT_MIN(off, dur);
	n->has_off = g->off->any;
	/*
	 * An interrupt's time is part of the call that it interrupted. A call below at
	 * the same depth had already returned.
	 */
	struct kft_nested *under = n->below;

	if (under && under->level == n->level)
		under = under->below;
	if (n->context && !n->parent && under)
		under->irq_ns += dur;
	return kft_nest_pop(g->nest, n);
}

static int on_return(struct kft_func_graph *g, uint64_t ts, uint32_t cpu,
		     const struct kft_func_event *fe)
{
	uint64_t dur = fe->return_ns > fe->call_ns ? fe->return_ns - fe->call_ns : 0;
	struct kft_nested *top;
	uint32_t missing;
	int r = leave_over(g, cpu, fe, true, &top);

	g->n_exits++;
	if (!r)
		r = kft_overruns_feed(&g->overruns, kft_stack_key(fe->pid, cpu),
				      fe->depth, fe->overrun, &missing);
	if (r < 0)
		return r;
	if (top)
		return fe->is_late ? leave_open(g, top)
				   : leave(g, ts, cpu, fe, missing, top);
	/* The call has no entry: orphans were not collected, or the clocks do not agree. */
	r = on_entry(g, ts > dur ? ts - dur : 0, cpu, fe);
	top = kft_nest_top(g->nest, fe->pid, cpu);
	if (r < 0 || !top)
		return r;
	if (fe->is_late)
		return leave_open(g, top);
	top->off_ns = kft_offcpu_total(g->off, fe->pid, ts);
	return leave(g, ts, cpu, fe, missing, top);
}

/* The function tracer records the caller, but not the end of a call. */
static int on_call(struct kft_func_graph *g, uint64_t ts, uint32_t cpu,
		   const struct kft_func_event *fe)
{
	struct kft_func func;
	int r = kft_func_names_get(g->names, fe->func, &func);

	if (r < 0)
		return r;
	struct kft_call call = {
		.entry_ns = since_start(g, ts),
		.end = KFT_CALL_OPEN,
		.pid = fe->context ? KFT_CALL_IN_INTERRUPT : fe->pid,
		.cpu = cpu,
		.func = func.name,
	};

	r = set_caller(g, fe->caller, &call);
	if (r < 0)
		return r;
	return kft_nest_add(g->nest, &call);
}

static void start(struct kft_func_graph *g, uint64_t ts)
{
	if (!g->started)
		g->start_ns = ts;
	g->started = true;
}

/* Enters the orphans with an entry time up to ts. */
static int enter_orphans(struct kft_func_graph *g, uint64_t ts)
{
	int r = 0;

	while (!r && g->n_orphans < g->orphans->list.len) {
		const struct kft_func_orphan *o = &g->orphans->list.data[g->n_orphans];

		if (o->entry_ns > ts)
			break;
		start(g, o->entry_ns);
		r = on_entry(g, o->entry_ns, o->cpu, &o->exit);
		g->n_orphans++;
	}
	return r;
}

int kft_func_graph_feed(struct kft_func_graph *g, uint64_t ts, uint32_t cpu,
			const struct kft_func_event *fe)
{
	int r = g->orphans ? enter_orphans(g, ts) : 0;

	if (r < 0)
		return r;
	if (fe->kind == KFT_FUNC_EVENT_SWITCH)
		return kft_offcpu_switch(g->off, ts, fe->prev, fe->next);
	start(g, ts);
	/* No kernel nests calls so deeply: the record is broken. */
	if (fe->depth > KFT_NEST_DEPTH_MAX)
		return 0;
	switch (fe->kind) {
	case KFT_FUNC_EVENT_ENTRY:
		return on_entry(g, ts, cpu, fe);
	case KFT_FUNC_EVENT_EXIT:
		return on_return(g, ts, cpu, fe);
	case KFT_FUNC_EVENT_CALL:
		return on_call(g, ts, cpu, fe);
	case KFT_FUNC_EVENT_SWITCH:
	case KFT_FUNC_EVENT_NONE:
		break;
	}
	return 0;
}
