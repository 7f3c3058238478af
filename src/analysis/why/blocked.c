// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the cause of a wait that a wake-up ended: a timer, a request, an interrupt, a task. */
#include "analysis/why/path_impl.h"

/* Longer blocking chains are not followed. */
#define DEPTH_MAX 12

/*
 * Maximum times from the completion of a request to the wake-up, which a softirq may do
 * later, and from a signal to the stop of its receiver.
 */
#define COMPLETE_NEAR_NS UINT64_C(150000)
#define SIGNAL_NEAR_NS	 UINT64_C(10000000)

/* The last timer that expired at most 50 us before ts: its callback did the wake-up. */
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

/* Tiles a sleep on an hrtimer: the time asked for, the timer's slack, and its lateness. */
static void sleep_until(struct kft_why_finder *f, struct kft_why_stretch s,
			const struct kft_why_timer *timer, uint32_t cpu)
{
	struct kft_why_stretch part;

	if (!timer->hard_ns) {
		kft_why_tile_as(f, &s, KFT_WHY_SLEEP, -1, KFT_WHY_NO_CPU);
		return;
	}
	if (s.begin < timer->soft_ns) {
		part = kft_why_stretch_take(&s, timer->soft_ns);
		kft_why_tile_as(f, &part, KFT_WHY_SLEEP, -1, KFT_WHY_NO_CPU);
	}
	if (s.begin < s.end && s.begin < timer->hard_ns) {
		part = kft_why_stretch_take(&s, timer->hard_ns);
		kft_why_tile_as(f, &part, KFT_WHY_SLACK, -1, KFT_WHY_NO_CPU);
	}
	if (s.begin < s.end)
		kft_why_find_late(f, cpu, s);
}

static void sleep_by_timer(struct kft_why_finder *f, struct kft_why_stretch s,
			   const struct kft_why_timer *timer, uint32_t cpu)
{
	if (timer->is_hrtimer &&
	    kft_why_is_function(f->facts, timer->function, "hrtimer_wakeup")) {
		sleep_until(f, s, timer, cpu);
		return;
	}
	bool is_timeout = kft_why_is_function(f->facts, timer->function,
					      "process_timeout");
	struct kft_why_segment segment = kft_why_segment_of(
		&s, is_timeout ? KFT_WHY_TIMEOUT : KFT_WHY_TIMER, -1, cpu);

	segment.what = timer->function;
	kft_why_tile(f, &segment);
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

static void add_io(struct kft_why_finder *f, const struct kft_why_stretch *s,
		   enum kft_why_cause cause, const struct kft_why_request *request)
{
	struct kft_why_segment segment = kft_why_segment_of(s, cause, -1, KFT_WHY_NO_CPU);

	segment.what = request->dev;
	kft_why_tile(f, &segment);
}

/* Tiles a wait for a request: before it was queued, in the queue, and in the device. */
static void wait_for_io(struct kft_why_finder *f, struct kft_why_stretch s,
			const struct kft_why_request *request)
{
	uint64_t queued = request->insert_ts ? request->insert_ts : request->issue_ts;
	struct kft_why_stretch part;

	if (s.begin < queued) {
		part = kft_why_stretch_take(&s, queued);
		add_io(f, &part, KFT_WHY_IO, request);
	}
	if (s.begin < s.end && s.begin < request->issue_ts) {
		part = kft_why_stretch_take(&s, request->issue_ts);
		add_io(f, &part, KFT_WHY_IO_QUEUE, request);
	}
	add_io(f, &s, KFT_WHY_IO_DEVICE, request);
}

void kft_why_follow(struct kft_why_finder *f, struct kft_why_stretch s, int32_t pid,
		    uint64_t ts, bool by_packet)
{
	struct kft_why_link link = {.up = s.link, .pid = pid, .by_packet = by_packet};

	if (f->depth >= DEPTH_MAX) {
		kft_why_tile_as(f, &s, KFT_WHY_BLOCKED, pid, KFT_WHY_NO_CPU);
		return;
	}
	link.mode = kft_why_mode_at(f, pid, ts, &link.what);
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
	kft_why_find_path(f, pid, s);
	f->depth--;
}

/* Tiles a wait that an interrupt ended: of a request, a timer, the network or another device. */
static void woken_by_irq(struct kft_why_finder *f, struct kft_why_stretch s,
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
	/* Packets over loopback arrive in a softirq during the sender's system call. */
	if (irq && irq->kind == f->softirq && irq->key == 3 /* NET_RX */ && w->waker &&
	    kft_why_mode_at(f, w->waker, w->ts, &what) == KFT_WHY_MODE_SYSCALL) {
		kft_why_follow(f, s, w->waker, w->ts, true);
		return;
	}
	struct kft_why_segment segment = kft_why_segment_of(&s, KFT_WHY_DEVICE, -1,
							    w->cpu);

	if (irq) {
		segment.what = irq->key;
		segment.kind = irq->kind;
	}
	kft_why_tile(f, &segment);
}

/* The sender of the stop signal (SIGSTOP to SIGTTOU) that a task got before ts; -1: unknown. */
static int32_t sender_before(const struct kft_why_finder *f, int32_t pid, uint64_t ts)
{
	for (size_t i = f->facts->signals.len; i-- > 0;) {
		const struct kft_why_signal *signal = &f->facts->signals.data[i];

		if (signal->ts <= ts && signal->receiver == pid && signal->number >= 19 &&
		    signal->number <= 22)
			return ts - signal->ts < SIGNAL_NEAR_NS ? signal->sender : -1;
	}
	return -1;
}

void kft_why_find_blocked(struct kft_why_finder *f, const struct kft_why_task *task,
			  const struct kft_interval *state, struct kft_why_stretch s)
{
	const struct kft_why_waking *w = kft_why_waking_at(task, state->end_ns);

	if (kft_why_is_stopped(state)) {
		kft_why_tile_as(f, &s, KFT_WHY_STOPPED,
				sender_before(f, task->pid, state->begin_ns),
				KFT_WHY_NO_CPU);
	} else if (!w || (state->flags & KFT_INTERVAL_NOT_ENDED) ||
		   w->waker == task->pid) {
		kft_why_tile_as(f, &s, KFT_WHY_BLOCKED, -1, KFT_WHY_NO_CPU);
	} else if (w->context != KFT_WHY_IN_TASK || !w->waker) {
		woken_by_irq(f, s, w);
	} else {
		kft_why_follow(f, s, w->waker, w->ts, false);
	}
}
