// SPDX-License-Identifier: LGPL-2.1-or-later
/* Softirqs while they run. */
#include "derive/kinds.h"
#include "derive/pairs.h"

/* include/linux/interrupt.h */
void kft_key_vector(struct kft_trace *t, uint64_t vector, struct kft_strbuf *sb)
{
	static const char *const names[] = {
		"HI",	    "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
		"IRQ_POLL", "TASKLET", "SCHED",	 "HRTIMER", "RCU",
	};

	if (vector < ARRAY_SIZE(names))
		kft_strbuf_adds(sb, names[vector]);
}

static const struct kft_kind_event events[] = {
	{"irq", "softirq_entry", {"vec"}, KFT_KIND_BEGINS},
	{"irq", "softirq_exit", {"vec"}, KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_softirq = {
	.name = "softirq",
	.about = "softirqs while they run",
	.key = "vector",
	.per_cpu = true,
	.events = events,
	.key_name = kft_key_vector,
	.create = kft_pairs_create,
	.feed = kft_pairs_by_cpu,
	.flush = kft_pairs_flush,
	.destroy = kft_pairs_destroy,
};
