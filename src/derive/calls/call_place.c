// SPDX-License-Identifier: LGPL-2.1-or-later
/* Puts calls on the stack of their task. */
#include "derive/calls/call_place.h"

struct place {
	bool has_parent; /* the call below made it */
	enum kft_func_context context; /* of the call, at least that of the call below */
};

static bool is_caller(const struct kft_nested *below, const struct kft_call_hint *hint)
{
	if (below->level + 1 == hint->depth)
		return true;
	return below->level < hint->depth && below->losses == hint->losses;
}

static struct place find_place(const struct kft_nested *below,
			       const struct kft_call_hint *hint)
{
	enum kft_func_context under = below ? below->context : KFT_FUNC_IN_TASK;
	enum kft_func_context own = hint->context;

	bool edge = hint->func.irq == KFT_IRQ_NAME_ENTERS ||
		    hint->func.irq == KFT_IRQ_NAME_LEAVES;

	if (hint->func.begins_irq || hint->func.irq == KFT_IRQ_NAME_ENTERS)
		own = KFT_FUNC_IN_HARDIRQ;
	else if (edge || (hint->func.irq == KFT_IRQ_NAME_SOFTIRQS && !own))
		own = KFT_FUNC_IN_SOFTIRQ;
	/*
	 * A call in a higher context than the call below interrupts it. The functions at
	 * the edges of a hard interrupt are either called by the function that began it
	 * or, if that cannot be traced, are the first ones recorded in it.
	 */
	bool interrupts = hint->func.begins_irq || own > under ||
			  (edge && under != KFT_FUNC_IN_HARDIRQ);

	/*
	 * Tasks run softirqs in a few functions only; elsewhere an unrecorded hard
	 * interrupt runs them.
	 */
	if (hint->func.irq == KFT_IRQ_NAME_SOFTIRQS && below &&
	    below->irq == KFT_IRQ_NAME_CALLS_SOFTIRQS)
		interrupts = false;
	return (struct place){
		.has_parent = below && !interrupts && is_caller(below, hint),
		.context = KFT_MAX(own, under),
	};
}

int kft_call_enter(struct kft_nest *nest, int32_t pid, const struct kft_call_hint *hint,
		   struct kft_call *call, struct kft_nested **ret)
{
	struct kft_nested *below = kft_nest_top(nest, pid, call->cpu);
	struct place place = find_place(below, hint);

	call->pid = place.context ? KFT_CALL_IN_INTERRUPT : pid;
	call->func = hint->func.name;
	if (place.has_parent && call->caller == KFT_INTERN_NONE)
		call->caller = below->call.func;
	int r = kft_nest_push(nest, pid, call->cpu, call, place.has_parent, ret);

	if (r < 0)
		return r;
	(*ret)->level = hint->depth;
	(*ret)->context = place.context;
	(*ret)->irq = hint->func.irq;
	(*ret)->losses = hint->losses;
	return 0;
}
