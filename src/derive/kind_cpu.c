// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What each CPU does, one after the other and without holes: tasks, interrupts, softirqs, or
 * nothing. Without events of interrupts their time is that of the tasks that they interrupt.
 */
#include <errno.h>
#include <stdlib.h>

#include "derive/kinds.h"
#include "derive/pairs.h"

enum state { IDLE, TASK, SOFTIRQ, IRQ };

/* What an event is, as its key. */
enum { IRQ_BEGINS, IRQ_ENDS, SOFTIRQ_BEGINS, SOFTIRQ_ENDS, SWITCH };

struct cpu {
	bool is_known;
	unsigned int irqs; /* interrupts in each other */
	unsigned int softirqs;
	uint64_t losses;
	struct kft_interval now;
};

struct cpus {
	KFT_VEC(struct cpu) cpus;
};

static int create(struct kft_trace *t, void **ret_state)
{
	*ret_state = calloc(1, sizeof(struct cpus));
	return *ret_state ? 0 : -ENOMEM;
}

static void destroy(void *state)
{
	struct cpus *c = state;

	kft_vec_finish(&c->cpus);
	free(c);
}

static struct cpu *get(struct cpus *c, uint32_t cpu)
{
	while (c->cpus.len <= cpu)
		if (!kft_vec_push(&c->cpus, (struct cpu){}))
			return NULL;
	return &c->cpus.data[cpu];
}

static enum state state_of(const struct cpu *c, int32_t pid)
{
	if (c->irqs)
		return IRQ;
	if (c->softirqs)
		return SOFTIRQ;
	return pid ? TASK : IDLE;
}

static void begin(struct cpu *c, const struct kft_interval_kind *kind, int32_t pid,
		  const struct kft_kind_input *in)
{
	c->now = kft_pairs_interval(kind, state_of(c, pid), in);
	c->now.pid = pid;
	c->losses = in->losses;
	c->is_known = true;
}

/* Before its first event a CPU did what the event ends, or interrupts. */
static void begin_trace(struct cpu *c, const struct kft_interval_kind *kind,
			uint64_t what, const struct kft_kind_input *in)
{
	c->irqs = what == IRQ_ENDS;
	c->softirqs = what == SOFTIRQ_ENDS;
	begin(c, kind, in->pid, in);
	c->now.begin_ns = in->first_ts;
	c->now.flags = KFT_INTERVAL_BEGUN_BEFORE;
	c->losses = 0;
}

/* Nothing is switched in an interrupt: one that seems to go on has lost its end. */
static int32_t change(struct cpu *c, uint64_t what, const struct kft_kind_input *in)
{
	switch (what) {
	case IRQ_BEGINS:
		c->irqs++;
		break;
	case IRQ_ENDS:
		c->irqs -= c->irqs > 0;
		break;
	case SOFTIRQ_BEGINS:
		c->softirqs++;
		break;
	case SOFTIRQ_ENDS:
		c->softirqs -= c->softirqs > 0;
		break;
	default:
		c->irqs = c->softirqs = 0;
		return (int32_t)in->fields[0];
	}
	return in->pid;
}

static int end(struct cpu *c, const struct kft_kind_input *in,
	       const struct kft_interval_sink *sink)
{
	c->now.end_ns = in->ts;
	if (c->losses != in->losses)
		c->now.flags |= KFT_INTERVAL_LOSSES;
	return sink->take(sink->arg, &c->now);
}

/* The task that leaves was switched to, which was not seen. */
static bool leaves_another(const struct cpu *c, const struct kft_kind_input *in)
{
	return c->now.key <= TASK && c->now.pid != (int32_t)in->fields[1];
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	uint64_t what = kind->events[in->event].key;
	struct cpu *c = get(state, in->cpu);

	if (!c)
		return -ENOMEM;
	if (!c->is_known)
		begin_trace(c, kind, what, in);
	if (what == SWITCH && leaves_another(c, in))
		c->now.flags |= KFT_INTERVAL_LOSSES;
	int32_t pid = change(c, what, in);

	if (c->now.key == (uint64_t)state_of(c, pid) && c->now.pid == pid)
		return 0;
	int r = end(c, in, sink);

	begin(c, kind, pid, in);
	return r;
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	struct cpus *cpus = state;
	int r = 0;

	kft_vec_for_each(&cpus->cpus, c) {
		c->now.flags |= KFT_INTERVAL_NOT_ENDED;
		if (c->is_known && !r)
			r = end(c, in, sink);
		c->is_known = false;
	}
	return r;
}

static void name_of(struct kft_trace *t, uint64_t state, struct kft_strbuf *sb)
{
	static const char *const names[] = {
		[IDLE] = "idle",
		[TASK] = "task",
		[SOFTIRQ] = "softirq",
		[IRQ] = "irq",
	};

	if (state < ARRAY_SIZE(names))
		kft_strbuf_adds(sb, names[state]);
}

#define VECTOR(name)                                         \
	{"irq_vectors", name "_entry", .key = IRQ_BEGINS},   \
	{                                                    \
		"irq_vectors", name "_exit", .key = IRQ_ENDS \
	}

static const struct kft_kind_event events[] = {
	{"sched", "sched_switch", {"next_pid", "prev_pid"}, .key = SWITCH},
	{"irq", "irq_handler_entry", {}, .key = IRQ_BEGINS},
	{"irq", "irq_handler_exit", {}, .key = IRQ_ENDS},
	{"irq", "softirq_entry", {}, .key = SOFTIRQ_BEGINS},
	{"irq", "softirq_exit", {}, .key = SOFTIRQ_ENDS},
	VECTOR("local_timer"),
	VECTOR("reschedule"),
	VECTOR("call_function"),
	VECTOR("call_function_single"),
	VECTOR("irq_work"),
	VECTOR("x86_platform_ipi"),
	VECTOR("thermal_apic"),
	VECTOR("threshold_apic"),
	VECTOR("deferred_error_apic"),
	VECTOR("error_apic"),
	VECTOR("spurious_apic"),
	{},
};

const struct kft_interval_kind kft_kind_cpu = {
	.name = "cpu",
	.about = "what CPUs do: tasks, interrupts, softirqs, nothing",
	.is_of_cpu = true,
	.key = "state",
	.per_cpu = true,
	.events = events,
	.key_name = name_of,
	.create = create,
	.feed = feed,
	.flush = flush,
	.destroy = destroy,
};
