// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The activity of each CPU, without gaps: tasks, interrupts, softirqs, or idle. Without
 * events of interrupts their time belongs to the tasks that they interrupt.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/vec.h"
#include "derive/engine/current.h"
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"

enum state { IDLE, TASK, SOFTIRQ, IRQ };

/* Effects of events, stored as their keys. */
enum { IRQ_BEGINS, IRQ_ENDS, SOFTIRQ_BEGINS, SOFTIRQ_ENDS, SWITCH };

struct cpu {
	unsigned int irqs; /* number of nested interrupts */
	unsigned int softirqs;
	struct kft_current now;
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
	c->now = (struct kft_current){
		.is_known = true,
		.losses = in->losses,
		.state = kft_nested_pairs_interval(kind, state_of(c, pid), in),
	};
	c->now.state.pid = pid;
}

/* Until its first event, a CPU was in the state that this event ends or interrupts. */
static void begin_trace(struct cpu *c, const struct kft_interval_kind *kind,
			uint64_t what, const struct kft_kind_input *in)
{
	c->irqs = what == IRQ_ENDS;
	c->softirqs = what == SOFTIRQ_ENDS ||
		      (what <= IRQ_ENDS && (in->flags & KFT_FLAG_SOFTIRQ));
	begin(c, kind, in->pid, in);
	c->now.state.begin_ns = in->first_ts;
	c->now.state.flags = KFT_INTERVAL_BEGUN_BEFORE;
	c->now.losses = 0;
}

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

/* Flags of which each event in a state has one, if the trace has flags; 0: none. */
static uint8_t flags_in(enum state state)
{
	return state == IRQ	  ? KFT_FLAG_HARDIRQ | KFT_FLAG_NMI
	       : state == SOFTIRQ ? KFT_FLAG_SOFTIRQ
				  : 0;
}

/*
 * Whether the switch to the event's task, or the beginning or end of an interrupt, was
 * not recorded: tasks are not switched in interrupts, softirqs run after them, one after
 * the other.
 */
static bool is_missing(const struct cpu *c, uint64_t what,
		       const struct kft_kind_input *in)
{
	const struct kft_interval *now = &c->now.state;
	uint8_t flags = now->cause.flags & flags_in((enum state)now->key);

	if (now->pid != in->pid || (flags && !(in->flags & flags)))
		return true;
	switch (what) {
	case IRQ_BEGINS:
		return false;
	case IRQ_ENDS:
		return !c->irqs;
	case SOFTIRQ_BEGINS:
		return c->irqs || c->softirqs;
	case SOFTIRQ_ENDS:
		return c->irqs || !c->softirqs;
	default:
		return c->irqs;
	}
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	uint64_t what = kind->events[in->event].key;
	struct cpu *c = get(state, in->cpu);

	if (!c)
		return -ENOMEM;
	if (!c->now.is_known)
		begin_trace(c, kind, what, in);
	if (is_missing(c, what, in)) {
		c->now.state.flags |= KFT_INTERVAL_LOSSES;
		c->irqs = c->softirqs = 0;
	}
	int32_t pid = change(c, what, in);

	if (c->now.state.key == (uint64_t)state_of(c, pid) && c->now.state.pid == pid)
		return 0;
	int r = kft_current_end(&c->now, in, sink);

	begin(c, kind, pid, in);
	return r;
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	struct cpus *cpus = state;
	int r = 0;

	kft_vec_for_each(&cpus->cpus, c)
		if (!r)
			r = kft_current_cut(&c->now, in, sink);
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
	{"sched", "sched_switch", {"next_pid"}, .key = SWITCH},
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
	.about = "states of CPUs: tasks, interrupts, softirqs, idle",
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
