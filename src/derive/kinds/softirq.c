// SPDX-License-Identifier: LGPL-2.1-or-later
/* Softirqs: from being raised to their start, and while they run; also tasklets. */
#include "derive/engine/async.h"
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"

/* Names of softirqs as in include/linux/interrupt.h. */
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
	.group = "softirq",
	.about = "softirqs while they run",
	.key = "vector",
	.per_cpu = true,
	.events = events,
	.pairs = {.n_ids = 1, .by_cpu = true},
	.key_name = kft_key_vector,
	.create = kft_nested_pairs_create,
	.feed = kft_nested_pairs_by_cpu,
	.flush = kft_nested_pairs_flush,
	.destroy = kft_nested_pairs_destroy,
};

/* A softirq that is raised again is already pending since the first raise. */
static int feed_raised(const struct kft_interval_kind *kind, void *state,
		       const struct kft_kind_input *in,
		       const struct kft_interval_sink *sink)
{
	uint64_t id = kft_async_id(in->cpu, in->fields[0]);
	bool is_raised = kft_async_has(state, id);
	bool begins = kind->events[in->event].role == KFT_KIND_BEGINS;
	struct kft_interval i = kft_nested_pairs_interval(kind, in->fields[0], in);

	if (begins == is_raised)
		return 0;
	return begins ? kft_async_begin(state, id, &i, in, sink)
		      : kft_async_end(state, id, &i, in, sink);
}

static const struct kft_kind_event raised_events[] = {
	{"irq", "softirq_raise", {"vec"}, KFT_KIND_BEGINS},
	{"irq", "softirq_entry", {"vec"}, KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_softirq_raised = {
	.name = "softirq-raised",
	.group = "softirq",
	.about = "softirqs from being raised to their start",
	.key = "vector",
	.per_cpu = true,
	.events = raised_events,
	.key_name = kft_key_vector,
	.create = kft_async_create,
	.feed = feed_raised,
	.flush = kft_async_flush,
	.destroy = kft_async_destroy,
};

static const struct kft_kind_event tasklet_events[] = {
	{"irq", "tasklet_entry", {"tasklet", "func"}, KFT_KIND_BEGINS},
	{"irq", "tasklet_exit", {"tasklet"}, KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_tasklet = {
	.name = "tasklet",
	.group = "softirq",
	.about = "functions of tasklets",
	.key = "function",
	.per_cpu = true,
	.events = tasklet_events,
	.pairs = {.n_ids = 1, .key = 1, .by_cpu = true},
	.key_name = kft_key_function,
	.create = kft_nested_pairs_create,
	.feed = kft_nested_pairs_by_cpu,
	.flush = kft_nested_pairs_flush,
	.destroy = kft_nested_pairs_destroy,
};
