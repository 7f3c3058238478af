// SPDX-License-Identifier: LGPL-2.1-or-later
/* Handlers of hard interrupts; the value is what they returned. */
#include "derive/kinds.h"
#include "derive/pairs.h"

static int feed(void *state, const struct kft_kind_input *in,
		const struct kft_interval_sink *sink)
{
	return kft_pairs_by_cpu(&kft_kind_irq, state, in, sink);
}

const struct kft_interval_kind kft_kind_irq = {
	.name = "irq",
	.key = "irq",
	.value = "returned",
	.per_cpu = true,
	.events = {{"irq", "irq_handler_entry", {"common_pid", "irq"}},
		   {"irq", "irq_handler_exit", {"common_pid", "irq", "ret"}}},
	.create = kft_pairs_create,
	.feed = feed,
	.flush = kft_pairs_flush,
	.destroy = kft_pairs_destroy,
};
