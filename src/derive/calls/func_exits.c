// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes calls from exits alone, as recorded with a threshold. */
#include "derive/calls/func_exits.h"

#include <errno.h>

void kft_func_exits_finish(struct kft_func_exits *x)
{
	kft_vec_finish(&x->exits);
	kft_overruns_finish(&x->overruns);
}

int kft_func_exits_feed(struct kft_func_exits *x, uint64_t ts, uint32_t cpu,
			const struct kft_func_event *fe)
{
	if (fe->kind == KFT_FUNC_EVENT_SWITCH)
		return kft_offcpu_switch(x->off, ts, fe->prev, fe->next);
	/*
	 * Records of the function tracer have no duration; a depth above the maximum is
	 * broken.
	 */
	if (fe->kind != KFT_FUNC_EVENT_EXIT || fe->depth > KFT_NEST_DEPTH_MAX)
		return 0;
	int64_t ahead = ts - fe->return_ns;
	struct kft_func_exit e = {
		.entry_ns = fe->call_ns,
		.dur_ns = fe->return_ns > fe->call_ns ? fe->return_ns - fe->call_ns : 0,
		.is_late = fe->is_late,
		.pid = fe->pid,
		.cpu = cpu,
		.hint = {.depth = fe->depth, .context = fe->context, .losses = x->losses},
	};
	int r = kft_func_names_get(x->names, fe->func, &e.hint.func);

	if (!r)
		r = kft_offcpu_seen(x->off, fe->pid, ts);
	if (!r)
		r = kft_overruns_feed(&x->overruns, kft_stack_key(fe->pid, cpu),
				      fe->depth, fe->overrun, &e.missing);
	if (r < 0)
		return r;
	if (x->exits.len >= KFT_CALLS_MAX)
		return -E2BIG;
	if (!x->exits.len || ahead < x->ahead_ns)
		x->ahead_ns = ahead;
	return kft_vec_push(&x->exits, e) ? 0 : -ENOMEM;
}

/* Orders by entry time, then by depth, the caller first. */
static int compare(const void *pa, const void *pb)
{
	const struct kft_func_exit *a = pa;
	const struct kft_func_exit *b = pb;

	if (a->entry_ns != b->entry_ns)
		return a->entry_ns < b->entry_ns ? -1 : 1;
	return a->hint.depth < b->hint.depth ? -1 : a->hint.depth > b->hint.depth;
}

/* Leaves the calls that have ended on the stack of e. */
static int leave_ended(struct kft_nest *nest, const struct kft_func_exit *e,
		       uint64_t entry_ns)
{
	struct kft_nested *top;
	int r = 0;

	while (!r && (top = kft_nest_top(nest, e->pid, e->cpu)) &&
	       (top->level >= e->hint.depth || top->end_ns < entry_ns + e->dur_ns))
		r = kft_nest_pop(nest, top);
	return r;
}

static int nest_one(struct kft_func_exits *x, struct kft_nest *nest,
		    const struct kft_func_exit *e)
{
	uint64_t entry_ns = e->entry_ns - x->start_ns;
	uint64_t on_buffer = e->entry_ns + (uint64_t)x->ahead_ns;
	int r = leave_ended(nest, e, entry_ns);

	if (r < 0)
		return r;
	struct kft_call call = {
		.entry_ns = entry_ns,
		.dur_ns = e->is_late ? 0 : e->dur_ns,
		.end = e->is_late ? KFT_CALL_OPEN : KFT_CALL_ENDED,
		.cpu = e->cpu,
		.caller = KFT_INTERN_NONE,
	};
	struct kft_nested *n;

	r = kft_call_enter(nest, e->pid, &e->hint, &call, &n);
	if (r < 0)
		return r;
	n->end_ns = entry_ns + e->dur_ns;
	n->missing = e->missing;
	n->has_off = x->off->any;
	if (e->is_late)
		return 0;
	n->off_ns = kft_offcpu_between(x->off, e->pid, on_buffer, on_buffer + e->dur_ns);
	if (n->context && !n->parent && n->below)
		n->below->irq_ns += e->dur_ns;
	return 0;
}

int kft_func_exits_nest(struct kft_func_exits *x, struct kft_nest *nest)
{
	int r = 0;

	if (!x->exits.len)
		return 0;
	qsort(x->exits.data, x->exits.len, sizeof(*x->exits.data), compare);
	x->start_ns = x->exits.data[0].entry_ns;
	for (size_t i = 0; i < x->exits.len && !r; i++)
		r = nest_one(x, nest, &x->exits.data[i]);
	return r < 0 ? r : kft_nest_flush(nest);
}
