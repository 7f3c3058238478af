// SPDX-License-Identifier: LGPL-2.1-or-later
/* Softirqs while they run. */
#include "derive/kinds.h"
#include "derive/pairs.h"

/* include/linux/interrupt.h */
static const char *name_of(uint64_t vector)
{
	static const char *const names[] = {
		"HI",	    "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
		"IRQ_POLL", "TASKLET", "SCHED",	 "HRTIMER", "RCU",
	};

	return vector < ARRAY_SIZE(names) ? names[vector] : NULL;
}

static int feed(void *state, const struct kft_kind_input *in,
		const struct kft_interval_sink *sink)
{
	return kft_pairs_by_cpu(&kft_kind_softirq, state, in, sink);
}

const struct kft_interval_kind kft_kind_softirq = {
	.name = "softirq",
	.key = "vector",
	.value = NULL,
	.per_cpu = true,
	.events = {{"irq", "softirq_entry", {"common_pid", "vec"}},
		   {"irq", "softirq_exit", {"common_pid", "vec"}}},
	.key_name = name_of,
	.create = kft_pairs_create,
	.feed = feed,
	.flush = kft_pairs_flush,
	.destroy = kft_pairs_destroy,
};
