// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sorts the facts of kft why, and repairs those that losses damaged. */
#include <errno.h>
#include <string.h>

#include "analysis/why/read.h"
#include "derive/kinds/kinds.h"
#include "derive/kinds/task_state.h"

static int by_begin(const void *pa, const void *pb)
{
	const struct kft_interval *a = pa;
	const struct kft_interval *b = pb;

	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	return a->end_ns > b->end_ns ? -1 : a->end_ns < b->end_ns;
}

static void add_piece(struct kft_why_facts *f, struct kft_why_cpu *cpu, uint64_t *at,
		      uint64_t end, size_t irq, int *err)
{
	if (*err >= 0 && end > *at)
		*err = KFT_WHY_ADD(f, &cpu->pieces,
				   (struct kft_why_piece){*at, end, irq});
	*at = KFT_MAX(*at, end);
}

/*
 * A CPU does not switch tasks in a hard interrupt: an interrupt with a switch inside
 * lacks its end or its begin, and is dropped. Softirqs of PREEMPT_RT can be preempted
 * with the task that runs them; they are cut off at the switch.
 */
static void mend_irqs(struct kft_why_cpu *cpu)
{
	const struct kft_interval_kind *soft[] = {kft_interval_kind_find("softirq"),
						  kft_interval_kind_find("tasklet"),
						  kft_interval_kind_find("timer")};
	size_t kept = 0;

	for (size_t i = 0; i < cpu->irqs.len; i++) {
		struct kft_interval irq = cpu->irqs.data[i];
		size_t n = kft_vec_count_until(&cpu->currents, ts, irq.begin_ns);
		bool is_soft = irq.kind == soft[0] || irq.kind == soft[1] ||
			       irq.kind == soft[2];

		if (n < cpu->currents.len && cpu->currents.data[n].ts < irq.end_ns) {
			if (!is_soft)
				continue;
			irq.end_ns = cpu->currents.data[n].ts;
		}
		cpu->irqs.data[kept++] = irq;
	}
	cpu->irqs.len = kept;
}

/* Cuts interrupts into pieces: each moment belongs to the innermost interrupt. */
static int cut_pieces(struct kft_why_facts *f, struct kft_why_cpu *cpu)
{
	KFT_VEC(size_t) open = {};
	uint64_t at = 0;
	int err = 0;

	mend_irqs(cpu);
	if (cpu->irqs.len)
		qsort(cpu->irqs.data, cpu->irqs.len, sizeof(*cpu->irqs.data), by_begin);
	for (size_t i = 0; i <= cpu->irqs.len && err >= 0; i++) {
		uint64_t begin = i < cpu->irqs.len ? cpu->irqs.data[i].begin_ns
						   : UINT64_MAX;

		while (open.len &&
		       cpu->irqs.data[open.data[open.len - 1]].end_ns <= begin) {
			size_t top = open.data[--open.len];

			add_piece(f, cpu, &at, cpu->irqs.data[top].end_ns, top, &err);
		}
		if (i == cpu->irqs.len)
			break;
		if (open.len)
			add_piece(f, cpu, &at, begin, open.data[open.len - 1], &err);
		at = KFT_MAX(at, begin);
		if (!kft_vec_push(&open, i))
			err = -ENOMEM;
	}
	kft_vec_finish(&open);
	return err;
}

static int compare_u64(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa;
	uint64_t b = *(const uint64_t *)pb;

	return a < b ? -1 : a > b;
}

/*
 * Learns the period of the tick, 1/HZ with one of four values. Ticks of a busy CPU are a
 * period apart, those of an idle CPU more. The lower quartile of the distances is the
 * period, apart from delays of single ticks.
 */
static int learn_tick(struct kft_why_facts *f)
{
	static const uint64_t periods[] = {1000000, 3333333, 4000000, 10000000};
	KFT_VEC(uint64_t) apart = {};

	kft_vec_for_each(&f->cpus, cpu) {
		for (size_t i = 1; i < cpu->ticks.len; i++) {
			uint64_t d = cpu->ticks.data[i] - cpu->ticks.data[i - 1];

			if (!kft_vec_push(&apart, d)) {
				kft_vec_finish(&apart);
				return -ENOMEM;
			}
		}
	}
	if (apart.len >= 4) {
		qsort(apart.data, apart.len, sizeof(*apart.data), compare_u64);
		uint64_t quartile = apart.data[apart.len / 4];

		for (size_t i = 0; i < ARRAY_SIZE(periods); i++)
			if (quartile > periods[i] - periods[i] / 8 &&
			    quartile < periods[i] + periods[i] / 8)
				f->tick_ns = periods[i];
	}
	kft_vec_finish(&apart);
	return 0;
}

/* Whether the kernel may have nohz_full CPUs, which have no tick while they work. */
static bool has_full_nohz(const struct kft_trace *t)
{
	static const char word[] = "nohz_full=";
	const struct kft_blob *line = &t->meta.kernel_line;

	return line->len && memmem(line->data, line->len, word, sizeof(word) - 1);
}

/*
 * A task without a recorded switch from idle ran for at most a tick before its first
 * event, since the tick would have been an event. The CPU was idle until then.
 */
static void mend_idle(struct kft_why_facts *f, struct kft_why_cpu *cpu)
{
	uint64_t most = kft_why_silent_ns(f, cpu);

	for (size_t i = 1; i + 1 < cpu->currents.len; i++) {
		struct kft_why_current *c = &cpu->currents.data[i];

		if (c->pid == -1 && !c[-1].pid && c[1].ts > most)
			c->ts = KFT_MAX(c->ts, c[1].ts - most);
	}
}

/* A time in which a task is on a CPU. */
struct run {
	uint64_t begin;
	uint64_t end;
	int32_t pid;
	uint32_t cpu;
};

/* Sorted by task and time. A search on each of thousands of CPUs for each state took minutes. */
struct runs {
	KFT_VEC(struct run) list;
};

static bool is_open(const struct kft_interval *state)
{
	return !kft_why_is_running(state) &&
	       state->flags & (KFT_INTERVAL_LOSSES | KFT_INTERVAL_NOT_ENDED);
}

static bool has_open(const struct kft_why_task *task)
{
	kft_vec_for_each(&task->states, state)
		if (is_open(state))
			return true;
	return false;
}

static int compare_runs(const void *pa, const void *pb)
{
	const struct run *a = pa;
	const struct run *b = pb;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static int add_runs(const struct kft_why_cpu *cpu, uint32_t number,
		    const struct kft_map *pids, struct runs *ret)
{
	for (size_t i = 0; i < cpu->currents.len; i++) {
		const struct kft_why_current *c = &cpu->currents.data[i];
		uint64_t end = i + 1 < cpu->currents.len ? c[1].ts : UINT64_MAX;

		if (c->pid > 0 && kft_map_get(pids, (uint64_t)c->pid) &&
		    !kft_vec_push(&ret->list, (struct run){c->ts, end, c->pid, number}))
			return -ENOMEM;
	}
	return 0;
}

/* Collects the runs of the tasks that have states without a known end. */
static int collect_runs(const struct kft_why_facts *f, struct runs *ret)
{
	_cleanup_(kft_map_finish) struct kft_map pids = {};
	int err = 0;

	kft_vec_for_each(&f->tasks, task)
		if (has_open(task) && !kft_map_put(&pids, (uint64_t)task->pid))
			return -ENOMEM;
	for (uint32_t i = 0; pids.len && i < f->cpus.len && err >= 0; i++)
		err = add_runs(&f->cpus.data[i], i, &pids, ret);
	if (ret->list.len)
		qsort(ret->list.data, ret->list.len, sizeof(*ret->list.data),
		      compare_runs);
	return err;
}

/* The run of a task right before ts; NULL: it is not known. */
static const struct run *find_run(const struct runs *runs, int32_t pid, uint64_t ts)
{
	const struct run wanted = {.pid = pid, .begin = ts};
	size_t low = kft_count_leading(runs->list.len, middle,
				       compare_runs(&runs->list.data[middle], &wanted) <
					       0);
	const struct run *run = low ? &runs->list.data[low - 1] : NULL;
	return run && run->pid == pid && run->end >= ts ? run : NULL;
}

/*
 * If the switch to a task is not in the trace, derive/ extends the state before it until
 * the task leaves the CPU. That state really ended when the task was first seen on the
 * CPU.
 */
static int mend_states(struct kft_why_facts *f, const struct runs *runs,
		       struct kft_why_task *task)
{
	size_t n = task->states.len;
	int err = 0;

	for (size_t i = 0; i < n && err >= 0; i++) {
		struct kft_interval *state = &task->states.data[i];
		struct kft_interval running = *state;

		if (!is_open(state))
			continue;
		const struct run *run = find_run(runs, task->pid, state->end_ns);
		if (!run || run->begin <= state->begin_ns)
			continue;
		running.begin_ns = run->begin;
		running.cpu = run->cpu;
		running.key = KFT_TASK_RUNNING;
		state->end_ns = running.begin_ns;
		state->flags &= ~KFT_INTERVAL_NOT_ENDED;
		err = KFT_WHY_ADD(f, &task->states, running);
	}
	if (task->states.len > n)
		qsort(task->states.data, task->states.len, sizeof(*task->states.data),
		      by_begin);
	return err;
}

int kft_why_facts_settle(struct kft_why_facts *f)
{
	struct runs runs = {};
	int err = has_full_nohz(f->trace) ? 0 : learn_tick(f);

	kft_vec_for_each(&f->cpus, cpu)
		mend_idle(f, cpu);
	if (err >= 0)
		err = collect_runs(f, &runs);
	kft_vec_for_each(&f->tasks, task) {
		if (task->calls.len)
			qsort(task->calls.data, task->calls.len,
			      sizeof(*task->calls.data), by_begin);
		if (err >= 0)
			err = mend_states(f, &runs, task);
	}
	kft_vec_finish(&runs.list);
	kft_vec_for_each(&f->cpus, cpu) {
		/* A CPU without a further event may have been silent to the end. */
		if (err >= 0 && cpu->last_ts &&
		    f->last_ts > cpu->last_ts + KFT_WHY_GAP_MIN_NS)
			err = KFT_WHY_ADD(
				f, &cpu->gaps,
				(struct kft_why_gap){cpu->last_ts, f->last_ts, false});
		if (err >= 0)
			err = cut_pieces(f, cpu);
	}
	return err;
}
