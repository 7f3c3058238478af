// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the passes in which CPUs run their high-resolution timers. */
#include "derive/kinds/timer_passes.h"

#include <errno.h>
#include <stdlib.h>

#include "base/vec.h"

/* CLOCK_MONOTONIC, REALTIME, BOOTTIME and TAI: each timer is set on one of them. */
#define CLOCKS_MAX 4
/* Two clocks are the same if their offsets from the trace's clock differ by less. */
#define SAME_CLOCK_NS INT64_C(10000000)

/* Timers of one clock on a CPU, in one context. */
struct queue {
	int64_t offset_ns; /* trace's clock minus this clock, at the last expiry */
	uint64_t last_ns; /* time of the last expiry, on the trace's clock */
	struct kft_timer_pass pass;
	struct kft_timer_pass before;
};

/*
 * Timers of the softirq HRTIMER (0) and those that expire in hard interrupts (1), which
 * run in passes of their own.
 */
struct cpu {
	struct queue queues[2][CLOCKS_MAX];
};

struct kft_timer_passes {
	KFT_VEC(struct cpu) cpus;
};

struct kft_timer_passes *kft_timer_passes_create(void)
{
	return calloc(1, sizeof(struct kft_timer_passes));
}

struct kft_timer_passes *kft_timer_passes_destroy(struct kft_timer_passes *p)
{
	if (p)
		kft_vec_finish(&p->cpus);
	free(p);
	return NULL;
}

/* The queue of a clock, or an unused one; NULL: more clocks than can exist. */
static struct queue *find_queue(struct queue *queues, int64_t offset_ns)
{
	for (size_t i = 0; i < CLOCKS_MAX; i++) {
		int64_t apart = queues[i].offset_ns - offset_ns;

		if (!queues[i].pass.now_ns ||
		    (apart > -SAME_CLOCK_NS && apart < SAME_CLOCK_NS))
			return &queues[i];
	}
	return NULL;
}

int kft_timer_passes_note(struct kft_timer_passes *p, const struct kft_kind_input *in,
			  uint64_t now_ns, struct kft_timer_pass *ret_before)
{
	bool is_hard = in->flags & (KFT_FLAG_HARDIRQ | KFT_FLAG_NMI);
	int64_t offset_ns = (int64_t)(in->ts - now_ns);

	*ret_before = (struct kft_timer_pass){};
	/* If the trace has no context, the queue of the timer is unknown. */
	if (!is_hard && !(in->flags & KFT_FLAG_SOFTIRQ))
		return 0;
	while (p->cpus.len <= in->cpu)
		if (!kft_vec_push(&p->cpus, (struct cpu){}))
			return -ENOMEM;
	struct queue *q = find_queue(p->cpus.data[in->cpu].queues[is_hard], offset_ns);

	if (!q)
		return 0;
	if (q->pass.now_ns != now_ns) {
		q->before = q->pass;
		q->pass = (struct kft_timer_pass){now_ns, q->last_ns, in->ts};
	}
	q->offset_ns = offset_ns;
	q->last_ns = in->ts;
	*ret_before = q->before;
	return 0;
}
