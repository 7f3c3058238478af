// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decides which open call a record of function_graph ends. */
#include "derive/calls/call_match.h"

#include "model/irq_name.h"

static bool interrupts(const struct kft_symbol_table *symbols, struct kft_call_id open,
		       struct kft_call_id record)
{
	const struct kft_symbol *s = kft_symbol_lookup(symbols, record.func);

	if (record.func >= symbols->irq_start && record.func < symbols->irq_end)
		return true;
	return record.context > open.context ||
	       (s && kft_irq_name_find(s->name, s->name_len) == KFT_IRQ_NAME_ENTERS);
}

enum kft_call_match kft_call_match(const struct kft_symbol_table *symbols,
				   struct kft_call_id open, struct kft_call_id record,
				   bool is_return)
{
	if (open.depth < record.depth)
		return KFT_MATCH_GOES_ON;
	if (open.depth > record.depth)
		return KFT_MATCH_LEFT;
	if (is_return)
		return open.func == record.func ? KFT_MATCH_ENDS : KFT_MATCH_LEFT;
	return open.context < KFT_FUNC_IN_HARDIRQ && interrupts(symbols, open, record)
		       ? KFT_MATCH_GOES_ON
		       : KFT_MATCH_LEFT;
}
