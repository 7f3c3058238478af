// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decides whether a call was made by the call below it on the stack. */
#include "derive/calls/call_place.h"

static bool is_caller(const struct kft_nested *below, const struct kft_call_hint *hint)
{
	if (below->level + 1 == hint->depth)
		return true;
	return below->level < hint->depth && below->losses == hint->losses;
}

struct kft_call_place kft_call_place_find(const struct kft_nested *below,
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
	return (struct kft_call_place){
		.has_parent = below && !interrupts && is_caller(below, hint),
		.interrupts = interrupts,
		.context = KFT_MAX(own, under),
	};
}
