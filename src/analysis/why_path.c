// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What an interval's time was spent on: one recursive rule. What was the task doing; if it
 * waited, what did the task do that woke it, while it waited? Each function here tiles the
 * stretch that it is given, whatever the trace says. docs/why.md has the rules.
 */
#include "analysis/why_path.h"

#include <errno.h>
#include <string.h>

#include "analysis/why_quota.h"

/* Chains of wakers that are longer say no more. */
#define DEPTH_MAX 12

/* A driver completes its request, and a softirq or thread of its own wakes the task. */
#define COMPLETE_NEAR_NS UINT64_C(150000)
/* A task that faults more often than this does little else. */
#define FAULTS_APART_NS UINT64_C(20000)
#define SIGNAL_NEAR_NS	UINT64_C(10000000)

#define NO_CPU UINT32_MAX

struct finder {
	struct kft_why_path *path; /* borrowed */
	const struct kft_why_facts *facts; /* borrowed */
	const struct kft_interval_kind *syscall;
	const struct kft_interval_kind *work;
	const struct kft_interval_kind *lock;
	const struct kft_interval_kind *softirq;
	const struct kft_interval_kind *irq;
	const struct kft_interval *own_irq; /* the interrupt that is explained */
	bool is_due; /* a timer should have expired in this time */
	int depth;
};

/* A stretch of time that is being explained. */
struct stretch {
	uint64_t begin;
	uint64_t end;
	uint32_t link;
};

static void find_path(struct finder *f, int32_t pid, struct stretch s);

static bool is_same(const struct kft_why_segment *a, const struct kft_why_segment *b)
{
	return a->cause == b->cause && a->mode == b->mode && a->pid == b->pid &&
	       a->cpu == b->cpu && a->what == b->what && a->kind == b->kind &&
	       a->prio == b->prio && a->own_prio == b->own_prio && a->link == b->link;
}

static void add(struct finder *f, const struct kft_why_segment *segment)
{
	struct kft_why_path *p = f->path;
	struct kft_why_segment *last = p->segments.len
					       ? &p->segments.data[p->segments.len - 1]
					       : NULL;

	if (segment->end <= segment->begin)
		return;
	if (last && last->end == segment->begin && is_same(last, segment))
		last->end = segment->end;
	else if (!kft_vec_push(&p->segments, *segment))
		p->failed = true;
}

static struct kft_why_segment
segment_of(const struct stretch *s, enum kft_why_cause cause, int32_t pid, uint32_t cpu)
{
	return (struct kft_why_segment){.begin = s->begin,
					.end = s->end,
					.cause = cause,
					.pid = pid,
					.cpu = cpu,
					.prio = -1,
					.own_prio = -1,
					.link = s->link};
}

static void add_simple(struct finder *f, const struct stretch *s,
		       enum kft_why_cause cause, int32_t pid, uint32_t cpu)
{
	const struct kft_why_segment segment = segment_of(s, cause, pid, cpu);

	add(f, &segment);
}

/* Takes what is before `until` from a stretch: at least something, and no more than it has. */
static struct stretch take(struct stretch *s, uint64_t until)
{
	struct stretch first = *s;

	if (until > s->begin && until < s->end)
		first.end = until;
	s->begin = first.end;
	return first;
}

/* In what a task is; *what as of struct kft_why_segment. */
static enum kft_why_mode mode_at(const struct finder *f, int32_t pid, uint64_t ts,
				 uint64_t *what)
{
	const struct kft_why_task *task = kft_why_task_find(f->facts, pid);
	const struct kft_interval *i;

	*what = 0;
	if (task && f->syscall && (i = kft_why_call_at(task, f->syscall, ts))) {
		*what = i->key;
		return KFT_WHY_MODE_SYSCALL;
	}
	if (task && f->work && (i = kft_why_call_at(task, f->work, ts))) {
		*what = i->key;
		return KFT_WHY_MODE_WORK;
	}
	if (kft_task_is_kernel(&f->facts->trace->tasks, (uint32_t)pid, ts))
		return KFT_WHY_MODE_KERNEL;
	return f->facts->seen & KFT_WHY_SEEN_SYSCALL ? KFT_WHY_MODE_USER
						     : KFT_WHY_MODE_UNKNOWN;
}

static void add_irq(struct finder *f, const struct stretch *s, uint32_t cpu,
		    const struct kft_interval *irq)
{
	bool is_own = f->own_irq && irq->begin_ns == f->own_irq->begin_ns &&
		      irq->kind == f->own_irq->kind && irq->key == f->own_irq->key;
	enum kft_why_cause cause = is_own		     ? KFT_WHY_RUN
				   : irq->kind == f->softirq ? KFT_WHY_SOFTIRQ
				   : irq->kind == f->irq     ? KFT_WHY_IRQ
							     : KFT_WHY_CALLBACK;
	struct kft_why_segment segment = segment_of(s, cause, -1, cpu);

	segment.what = irq->key;
	segment.kind = irq->kind;
	add(f, &segment);
}

/* How to go on with the time of a CPU that no interrupt took and no silence. */
typedef void rest_fn(struct finder *f, const struct stretch *s, uint32_t cpu,
		     const struct kft_why_segment *like);

/*
 * A timer that is due is an event that has to come. Otherwise, without any event for longer than a tick is away, though ticks are recorded, a CPU had its
 * interrupts off, or did not exist: the machine stood still.
 */
static uint64_t silent_min(const struct finder *f, const struct kft_why_cpu *cpu)
{
	if (f->is_due)
		return 0;
	return kft_why_silent_ns(f->facts, cpu);
}

/* The gap without events at ts that says something, or where the next one begins. */
static const struct kft_why_gap *gap_at(const struct finder *f,
					const struct kft_why_cpu *cpu, uint64_t ts,
					uint64_t *ret_until)
{
	uint64_t min = silent_min(f, cpu);
	size_t i = kft_vec_count_until(&cpu->gaps, end, ts);

	*ret_until = UINT64_MAX;
	for (; i < cpu->gaps.len; i++) {
		const struct kft_why_gap *gap = &cpu->gaps.data[i];

		if (!gap->is_loss && gap->end - gap->begin < min)
			continue;
		*ret_until = gap->begin <= ts ? gap->end : gap->begin;
		return gap->begin <= ts ? gap : NULL;
	}
	return NULL;
}

/* A CPU's time, cut into interrupts, silence, losses, and the rest of what `like` is. */
static void cut_cpu(struct finder *f, struct stretch s, uint32_t cpu_number,
		    const struct kft_why_segment *like, rest_fn *rest)
{
	const struct kft_why_cpu *cpu = kft_why_cpu_find(f->facts, cpu_number);

	while (cpu && s.begin < s.end) {
		uint64_t irq_until;
		uint64_t gap_until;
		const struct kft_why_piece *piece = kft_why_piece_at(cpu, s.begin,
								     &irq_until);
		const struct kft_why_gap *gap = gap_at(f, cpu, s.begin, &gap_until);
		struct stretch part = take(&s, KFT_MIN(irq_until, gap_until));

		if (piece)
			add_irq(f, &part, cpu_number, &cpu->irqs.data[piece->irq]);
		else if (gap && gap->is_loss)
			add_simple(f, &part, KFT_WHY_LOST, -1, cpu_number);
		else if (gap && like->pid > 0)
			add_simple(f, &part, KFT_WHY_SILENT, like->pid, cpu_number);
		else
			rest(f, &part, cpu_number, like);
	}
	if (!cpu)
		rest(f, &s, cpu_number, like);
}

/* The end of the run of faults at ts, or where the next one begins. */
static bool is_faulting(const struct kft_why_task *task, uint64_t ts, uint64_t *ret_until)
{
	size_t i = 0;
	size_t hi = task->faults.len;

	while (i < hi) {
		size_t mid = i + (hi - i) / 2;

		if (task->faults.data[mid] <= ts)
			i = mid + 1;
		else
			hi = mid;
	}
	/* i is the first fault after ts. */
	bool is_in = i && i < task->faults.len &&
		     task->faults.data[i] - task->faults.data[i - 1] < FAULTS_APART_NS;

	*ret_until = UINT64_MAX;
	if (i < task->faults.len)
		*ret_until = task->faults.data[i];
	return is_in;
}

/* A running task, by what it is in. */
static void run_modes(struct finder *f, struct stretch s,
		      const struct kft_why_segment *like)
{
	const struct kft_why_task *task = kft_why_task_find(f->facts, like->pid);

	while (s.begin < s.end) {
		uint64_t what;
		enum kft_why_mode mode = mode_at(f, like->pid, s.begin, &what);
		const struct kft_interval *call = NULL;
		const struct kft_interval *lock =
			task ? kft_why_call_at(task, f->lock, s.begin) : NULL;
		uint64_t until = task ? kft_why_next_call(task, s.begin) : s.end;

		if (mode == KFT_WHY_MODE_SYSCALL)
			call = kft_why_call_at(task, f->syscall, s.begin);
		else if (mode == KFT_WHY_MODE_WORK)
			call = kft_why_call_at(task, f->work, s.begin);
		if (call)
			until = KFT_MIN(until, call->end_ns);
		if (lock)
			until = KFT_MIN(until, lock->end_ns);
		struct stretch part = take(&s, until);
		struct kft_why_segment segment = *like;

		segment.begin = part.begin;
		segment.end = part.end;
		segment.mode = mode;
		segment.what = what;
		if (lock) {
			segment.cause = KFT_WHY_SPIN;
			segment.mode = KFT_WHY_MODE_UNKNOWN;
			segment.what = lock->key;
		}
		add(f, &segment);
	}
}

static void rest_runs(struct finder *f, const struct stretch *s, uint32_t cpu,
		      const struct kft_why_segment *like)
{
	const struct kft_why_task *task = kft_why_task_find(f->facts, like->pid);
	struct stretch left = *s;

	while (left.begin < left.end) {
		uint64_t until = UINT64_MAX;
		bool faults = task && is_faulting(task, left.begin, &until);
		struct stretch part = take(&left, until);

		if (faults)
			add_simple(f, &part, KFT_WHY_FAULT, like->pid, cpu);
		else
			run_modes(f, part, like);
	}
}

static void find_running(struct finder *f, int32_t pid, struct stretch s, uint32_t cpu)
{
	const struct kft_why_segment like =
		segment_of(&s, s.link ? KFT_WHY_DEP : KFT_WHY_RUN, pid, cpu);

	cut_cpu(f, s, cpu, &like, rest_runs);
}

/* The time in which X was told to leave its CPU and did not. */
static const struct kft_why_held *held_at(const struct kft_why_cpu *cpu, uint64_t ts,
					  int32_t pid, uint64_t *ret_until)
{
	*ret_until = UINT64_MAX;
	for (size_t i = cpu->helds.len; i-- > 0;) {
		const struct kft_why_held *held = &cpu->helds.data[i];

		if (held->end <= ts)
			return NULL;
		if (held->pid != pid)
			continue;
		*ret_until = held->begin <= ts ? held->end : held->begin;
		if (held->begin <= ts)
			return held;
	}
	return NULL;
}

static void rest_waits(struct finder *f, const struct stretch *s, uint32_t cpu_number,
		       const struct kft_why_segment *like)
{
	const struct kft_why_cpu *cpu = kft_why_cpu_find(f->facts, cpu_number);
	struct stretch left = *s;

	while (left.begin < left.end) {
		uint64_t until = UINT64_MAX;
		const struct kft_why_held *held = NULL;

		if (cpu)
			held = held_at(cpu, left.begin, like->pid, &until);
		struct stretch part = take(&left, until);
		struct kft_why_segment segment = *like;
		uint64_t what;

		segment.begin = part.begin;
		segment.end = part.end;
		if (held)
			segment.cause = KFT_WHY_HELD;
		/* What else another task does makes no difference to the one that waits. */
		if (mode_at(f, like->pid, part.begin, &what) == KFT_WHY_MODE_WORK) {
			segment.mode = KFT_WHY_MODE_WORK;
			segment.what = what;
		}
		add(f, &segment);
	}
}

static void rest_idle(struct finder *f, const struct stretch *s, uint32_t cpu,
		      const struct kft_why_segment *like)
{
	add_simple(f, s, like->cause, -1, cpu);
}

/*
 * The priority that a task has, as it was last switched to. It is looked for near ts only.
 */
static int32_t prio_of(const struct kft_why_cpu *cpu, int32_t pid, uint64_t ts)
{
	uint64_t until;
	const struct kft_why_current *c = kft_why_current_at(cpu, ts, &until);

	if (c && c->pid == pid)
		return c->prio;
	/* The one that comes next is the task that waits. */
	size_t i = c ? (size_t)(c - cpu->currents.data) + 1 : 0;

	for (size_t n = 0; n < 256 && i < cpu->currents.len; n++, i++)
		if (cpu->currents.data[i].pid == pid)
			return cpu->currents.data[i].prio;
	return -1;
}

/* One task, or none, has the CPU for all of s. */
static void wait_behind(struct finder *f, struct stretch s, uint32_t cpu_number,
			const struct kft_interval *state,
			const struct kft_why_current *current)
{
	const struct kft_why_cpu *cpu = kft_why_cpu_find(f->facts, cpu_number);
	struct kft_why_segment like = segment_of(&s, KFT_WHY_CPU, current->pid,
						 cpu_number);

	if (current->pid == state->pid) {
		find_running(f, state->pid, s, cpu_number);
		return;
	}
	if (!current->pid) {
		bool is_long = s.end - s.begin > KFT_WHY_LONG_WAIT_NS;

		like.cause = is_long ? KFT_WHY_THROTTLED : KFT_WHY_IDLE_EXIT;
		cut_cpu(f, s, cpu_number, &like, rest_idle);
		return;
	}
	like.prio = current->prio;
	like.own_prio = prio_of(cpu, state->pid, s.begin);
	cut_cpu(f, s, cpu_number, &like, rest_waits);
}

/* From the waking to when the task is on a run queue: what is left of it in s. */
static void take_way(struct finder *f, const struct kft_why_task *task,
		     const struct kft_interval *state, struct stretch *s)
{
	const struct kft_why_waking *w = kft_why_waking_at(task, state->begin_ns);

	if (!w || w->wakeup_ts <= s->begin)
		return;
	struct stretch way = take(s, w->wakeup_ts);

	add_simple(f, &way, KFT_WHY_WAY, w->waker, w->cpu);
}

static void find_ready(struct finder *f, const struct kft_why_task *task,
		       const struct kft_interval *state, struct stretch s)
{
	take_way(f, task, state, &s);
	uint64_t until = s.begin < s.end ? kft_why_throttled_until(f->facts, task, state)
					 : 0;

	if (until > s.begin) {
		struct stretch part = take(&s, until);

		add_simple(f, &part, KFT_WHY_THROTTLED, task->pid, NO_CPU);
	}
	while (s.begin < s.end) {
		uint64_t place_until;
		uint64_t current_until = UINT64_MAX;
		uint32_t number = kft_why_place_at(task, s.begin, state->cpu,
						   &place_until);
		const struct kft_why_cpu *cpu = kft_why_cpu_find(f->facts, number);
		const struct kft_why_current *current = NULL;

		if (cpu)
			current = kft_why_current_at(cpu, s.begin, &current_until);
		struct stretch part = take(&s, KFT_MIN(place_until, current_until));

		if (current && current->pid >= 0)
			wait_behind(f, part, number, state, current);
		else
			add_simple(f, &part, KFT_WHY_UNKNOWN, -1, number);
	}
}

/* What a CPU did while something on it was late. */
static void find_cpu(struct finder *f, uint32_t number, struct stretch s)
{
	const struct kft_why_cpu *cpu = kft_why_cpu_find(f->facts, number);

	while (s.begin < s.end) {
		uint64_t until = UINT64_MAX;
		const struct kft_why_current *current = NULL;

		if (cpu)
			current = kft_why_current_at(cpu, s.begin, &until);
		struct stretch part = take(&s, until);
		struct kft_why_segment like = segment_of(&part, KFT_WHY_BUSY, -1, number);

		if (!current || current->pid < 0) {
			add_simple(f, &part, KFT_WHY_UNKNOWN, -1, number);
		} else if (!current->pid) {
			like.cause = KFT_WHY_IDLE;
			cut_cpu(f, part, number, &like, rest_idle);
		} else {
			like.pid = current->pid;
			cut_cpu(f, part, number, &like, rest_runs);
		}
	}
}

/* The same where a timer was to expire at the beginning, and did at the end. */
static void find_late(struct finder *f, uint32_t number, struct stretch s)
{
	bool before = f->is_due;

	f->is_due = true;
	find_cpu(f, number, s);
	f->is_due = before;
}

/* The timer whose callback woke a task: the last one before, if it still ran. */
static const struct kft_why_timer *timer_before(const struct kft_why_cpu *cpu,
						uint64_t ts)
{
	const uint64_t near_ns = 50000;
	const struct kft_why_timer *last = NULL;

	for (size_t i = cpu->timers.len; i-- > 0 && !last;)
		if (cpu->timers.data[i].ts <= ts)
			last = &cpu->timers.data[i];
	return last && ts - last->ts <= near_ns ? last : NULL;
}

/* A sleep until a high resolution timer: as long as asked, some slack, and then it is late. */
static void sleep_until(struct finder *f, struct stretch s,
			const struct kft_why_timer *timer, uint32_t cpu)
{
	struct stretch part;

	if (!timer->hard_ns) {
		add_simple(f, &s, KFT_WHY_SLEEP, -1, NO_CPU);
		return;
	}
	if (s.begin < timer->soft_ns) {
		part = take(&s, timer->soft_ns);
		add_simple(f, &part, KFT_WHY_SLEEP, -1, NO_CPU);
	}
	if (s.begin < s.end && s.begin < timer->hard_ns) {
		part = take(&s, timer->hard_ns);
		add_simple(f, &part, KFT_WHY_SLACK, -1, NO_CPU);
	}
	if (s.begin < s.end)
		find_late(f, cpu, s);
}

static void sleep_by_timer(struct finder *f, struct stretch s,
			   const struct kft_why_timer *timer, uint32_t cpu)
{
	if (timer->is_hrtimer &&
	    kft_why_is_function(f->facts, timer->function, "hrtimer_wakeup")) {
		sleep_until(f, s, timer, cpu);
		return;
	}
	bool is_timeout = kft_why_is_function(f->facts, timer->function,
					      "process_timeout");
	struct kft_why_segment segment =
		segment_of(&s, is_timeout ? KFT_WHY_TIMEOUT : KFT_WHY_TIMER, -1, cpu);

	segment.what = timer->function;
	add(f, &segment);
}

static const struct kft_why_request *request_before(const struct kft_why_cpu *cpu,
						    uint64_t ts)
{
	for (size_t i = cpu->requests.len; i-- > 0;)
		if (cpu->requests.data[i].ts <= ts)
			return ts - cpu->requests.data[i].ts <= COMPLETE_NEAR_NS
				       ? &cpu->requests.data[i]
				       : NULL;
	return NULL;
}

static void add_io(struct finder *f, const struct stretch *s, enum kft_why_cause cause,
		   const struct kft_why_request *request)
{
	struct kft_why_segment segment = segment_of(s, cause, -1, NO_CPU);

	segment.what = request->dev;
	add(f, &segment);
}

/* A wait for a request, from before it was made to when it was complete. */
static void wait_for_io(struct finder *f, struct stretch s,
			const struct kft_why_request *request)
{
	uint64_t queued = request->insert_ts ? request->insert_ts : request->issue_ts;
	struct stretch part;

	if (s.begin < queued) {
		part = take(&s, queued);
		add_io(f, &part, KFT_WHY_IO, request);
	}
	if (s.begin < s.end && s.begin < request->issue_ts) {
		part = take(&s, request->issue_ts);
		add_io(f, &part, KFT_WHY_IO_QUEUE, request);
	}
	add_io(f, &s, KFT_WHY_IO_DEVICE, request);
}

static void follow(struct finder *f, struct stretch s, const struct kft_why_waking *w,
		   bool by_packet)
{
	struct kft_why_link link = {
		.up = s.link, .pid = w->waker, .by_packet = by_packet};

	if (f->depth >= DEPTH_MAX) {
		add_simple(f, &s, KFT_WHY_BLOCKED, w->waker, NO_CPU);
		return;
	}
	link.mode = mode_at(f, w->waker, w->ts, &link.what);
	s.link = 0;
	for (size_t i = 1; i < f->path->links.len && !s.link; i++) {
		const struct kft_why_link *known = &f->path->links.data[i];

		if (known->up == link.up && known->pid == link.pid &&
		    known->mode == link.mode && known->what == link.what &&
		    known->by_packet == link.by_packet)
			s.link = (uint32_t)i;
	}
	if (!s.link && kft_vec_push(&f->path->links, link))
		s.link = (uint32_t)f->path->links.len - 1;
	if (!s.link) {
		f->path->failed = true;
		return;
	}
	f->depth++;
	find_path(f, w->waker, s);
	f->depth--;
}

/* An interrupt woke: of a timer, a device, the network. */
static void woken_by_irq(struct finder *f, struct stretch s,
			 const struct kft_why_waking *w)
{
	const struct kft_why_cpu *cpu = kft_why_cpu_find(f->facts, w->cpu);
	uint64_t until;
	uint64_t what;
	const struct kft_why_timer *timer = cpu ? timer_before(cpu, w->ts) : NULL;
	const struct kft_why_request *request = cpu ? request_before(cpu, w->ts) : NULL;
	const struct kft_why_piece *piece = cpu ? kft_why_piece_at(cpu, w->ts, &until)
						: NULL;
	const struct kft_interval *irq = piece ? &cpu->irqs.data[piece->irq] : NULL;

	if (request && (!timer || request->ts > timer->ts)) {
		wait_for_io(f, s, request);
		return;
	}
	if (timer && (!irq || irq->begin_ns <= timer->ts)) {
		sleep_by_timer(f, s, timer, w->cpu);
		return;
	}
	/* The loopback's packets come in the sender's system call. */
	if (irq && irq->kind == f->softirq && irq->key == 3 /* NET_RX */ && w->waker &&
	    mode_at(f, w->waker, w->ts, &what) == KFT_WHY_MODE_SYSCALL) {
		follow(f, s, w, true);
		return;
	}
	struct kft_why_segment segment = segment_of(&s, KFT_WHY_DEVICE, -1, w->cpu);

	if (irq) {
		segment.what = irq->key;
		segment.kind = irq->kind;
	}
	add(f, &segment);
}

/* Whoever sent the signal that stopped a task. */
static int32_t sender_before(const struct finder *f, int32_t pid, uint64_t ts)
{
	for (size_t i = f->facts->signals.len; i-- > 0;) {
		const struct kft_why_signal *signal = &f->facts->signals.data[i];

		if (signal->ts <= ts && signal->receiver == pid && signal->number >= 19 &&
		    signal->number <= 22)
			return ts - signal->ts < SIGNAL_NEAR_NS ? signal->sender : -1;
	}
	return -1;
}

static void find_blocked(struct finder *f, const struct kft_why_task *task,
			 const struct kft_interval *state, struct stretch s)
{
	const struct kft_why_waking *w = kft_why_waking_at(task, state->end_ns);

	if (kft_why_is_stopped(state)) {
		add_simple(f, &s, KFT_WHY_STOPPED,
			   sender_before(f, task->pid, state->begin_ns), NO_CPU);
	} else if (!w || (state->flags & KFT_INTERVAL_NOT_ENDED) ||
		   w->waker == task->pid) {
		add_simple(f, &s, KFT_WHY_BLOCKED, -1, NO_CPU);
	} else if (w->context != KFT_WHY_IN_TASK || !w->waker) {
		woken_by_irq(f, s, w);
	} else {
		follow(f, s, w, false);
	}
}

/* A task of which no state is known runs if events say that it is on a CPU. */
static void find_unseen(struct finder *f, int32_t pid, struct stretch s)
{
	while (s.begin < s.end) {
		uint64_t until = s.end;
		uint32_t at = NO_CPU;

		for (uint32_t i = 0; i < f->facts->cpus.len && at == NO_CPU; i++) {
			uint64_t next;
			const struct kft_why_current *c = kft_why_current_at(
				&f->facts->cpus.data[i], s.begin, &next);

			if (next > s.begin)
				until = KFT_MIN(until, next);
			if (c && c->pid == pid) {
				at = i;
				until = next;
			}
		}
		struct stretch part = take(&s, until);

		if (at == NO_CPU)
			add_simple(f, &part, KFT_WHY_UNKNOWN, pid, NO_CPU);
		else
			find_running(f, pid, part, at);
	}
}

static void find_path(struct finder *f, int32_t pid, struct stretch s)
{
	const struct kft_why_task *task = kft_why_task_find(f->facts, pid);

	while (task && s.begin < s.end) {
		uint64_t next;
		const struct kft_interval *state = kft_why_state_at(task, s.begin, &next);
		struct stretch part = take(&s, state ? state->end_ns : next);

		if (!state)
			find_unseen(f, pid, part);
		else if (kft_why_is_running(state))
			find_running(f, pid, part, state->cpu);
		else if (kft_why_is_ready(state))
			find_ready(f, task, state, part);
		else
			find_blocked(f, task, state, part);
	}
	if (!task)
		find_unseen(f, pid, s);
}

/* What happens in a device is not looked into. */
static void add_whole(struct finder *f, struct stretch s,
		      const struct kft_why_interval *interval)
{
	struct kft_why_segment segment = segment_of(&s, interval->io_cause, -1, NO_CPU);

	segment.what = interval->dev;
	add(f, &segment);
}

int kft_why_path_find(const struct kft_why_facts *facts,
		      const struct kft_why_interval *interval, struct kft_why_path *ret)
{
	struct kft_why_path path = {.facts = facts};
	struct finder f = {
		.path = &path,
		.facts = facts,
		.syscall = kft_interval_kind_find("syscall"),
		.work = kft_interval_kind_find("work"),
		.lock = kft_interval_kind_find("lock"),
		.softirq = kft_interval_kind_find("softirq"),
		.irq = kft_interval_kind_find("irq"),
		.own_irq = interval->irq,
	};
	const struct stretch s = {interval->begin, interval->end, 0};

	if (!kft_vec_push(&path.links, (struct kft_why_link){.pid = -1}))
		return -ENOMEM;
	if (interval->is_late)
		find_late(&f, interval->cpu, s);
	else if (interval->is_io)
		add_whole(&f, s, interval);
	else if (interval->pid >= 0)
		find_path(&f, interval->pid, s);
	else
		find_cpu(&f, interval->cpu, s);
	if (path.failed) {
		kft_why_path_finish(&path);
		return -ENOMEM;
	}
	*ret = path;
	return 0;
}

void kft_why_path_finish(struct kft_why_path *p)
{
	kft_vec_finish(&p->segments);
	kft_vec_finish(&p->links);
}
