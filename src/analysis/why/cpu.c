// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tiles the time of a CPU with interrupts, silence, losses and its tasks. */
#include "analysis/why/path_impl.h"

/* Page faults closer than this are one run: the task does little else. */
#define FAULTS_APART_NS UINT64_C(20000)

static void add_irq(struct kft_why_finder *f, const struct kft_why_stretch *s,
		    uint32_t cpu, const struct kft_interval *irq)
{
	bool is_own = f->own_irq && irq->begin_ns == f->own_irq->begin_ns &&
		      irq->kind == f->own_irq->kind && irq->key == f->own_irq->key;
	enum kft_why_cause cause = is_own		     ? KFT_WHY_RUN
				   : irq->kind == f->softirq ? KFT_WHY_SOFTIRQ
				   : irq->kind == f->irq     ? KFT_WHY_IRQ
							     : KFT_WHY_CALLBACK;
	struct kft_why_segment segment = kft_why_segment_of(s, cause, -1, cpu);

	segment.what = irq->key;
	segment.kind = irq->kind;
	kft_why_tile(f, &segment);
}

/*
 * The minimum length of a gap that is silence. Any gap is if a timer is due, because its
 * expiry would be an event. Otherwise the gap has to be longer than the period of the
 * ticks: in it the CPU had interrupts off, or did not run at all because the machine
 * stood still.
 */
static uint64_t silent_min(const struct kft_why_finder *f, const struct kft_why_cpu *cpu)
{
	if (f->is_due)
		return 0;
	return kft_why_silent_ns(f->facts, cpu);
}

/*
 * The silence or loss at ts, which ends at *ret_until. NULL: there is none at ts;
 * *ret_until is then the begin of the next one if that is before `before`, else
 * UINT64_MAX. Shorter gaps are frequent, and are no silence.
 */
static const struct kft_why_gap *gap_at(const struct kft_why_finder *f,
					const struct kft_why_cpu *cpu, uint64_t ts,
					uint64_t before, uint64_t *ret_until)
{
	uint64_t min = silent_min(f, cpu);
	size_t i = kft_vec_count_until(&cpu->gaps, end, ts);

	*ret_until = UINT64_MAX;
	for (; i < cpu->gaps.len && cpu->gaps.data[i].begin < before; i++) {
		const struct kft_why_gap *gap = &cpu->gaps.data[i];

		if (!gap->is_loss && gap->end - gap->begin < min)
			continue;
		*ret_until = gap->begin <= ts ? gap->end : gap->begin;
		return gap->begin <= ts ? gap : NULL;
	}
	return NULL;
}

/* The state of another CPU during the silence of one. */
enum meanwhile { NOTHING_TO_DO, WORKED, SILENT_TOO };

/*
 * Compares another CPU with a silent one. A machine may stop up to a tick after the last
 * event before the gap, and its CPUs go on one after the other, so events of the other
 * CPU near both ends of the gap do not count as work.
 */
static enum meanwhile meanwhile_on(const struct kft_why_finder *f,
				   const struct kft_why_cpu *cpu,
				   const struct kft_why_gap *gap)
{
	uint64_t tick = f->facts->tick_ns;
	uint64_t min = kft_why_silent_ns(f->facts, cpu);
	uint64_t ts = gap->end - tick / 2;
	size_t i = kft_vec_count_until(&cpu->gaps, end, ts);
	const struct kft_why_gap *other = i < cpu->gaps.len ? &cpu->gaps.data[i] : NULL;
	uint64_t until;

	if (!cpu->ticks.len || (other && other->is_loss))
		return NOTHING_TO_DO;
	if (!other || other->begin > gap->begin + min || other->end + tick < gap->end)
		return WORKED;
	if (KFT_MIN(gap->end, other->end) - KFT_MAX(gap->begin, other->begin) < min)
		return NOTHING_TO_DO;
	const struct kft_why_current *current = kft_why_current_at(cpu, ts, &until);

	return current && current->pid > 0 ? SILENT_TOO : NOTHING_TO_DO;
}

/*
 * Interrupts are disabled on one CPU at a time, but a machine that stands still, such as
 * a guest that its host does not run, is silent on all CPUs. Idle CPUs prove neither.
 */
static void add_silence(struct kft_why_finder *f, const struct kft_why_stretch *s,
			const struct kft_why_gap *gap, int32_t pid, uint32_t number)
{
	struct kft_why_segment segment = kft_why_segment_of(s, KFT_WHY_SILENT, pid,
							    number);
	bool is_long = gap->end - gap->begin >=
		       kft_why_silent_ns(f->facts, &f->facts->cpus.data[number]);

	for (uint32_t i = 0; i < f->facts->cpus.len && is_long; i++) {
		enum meanwhile other =
			i == number ? NOTHING_TO_DO
				    : meanwhile_on(f, &f->facts->cpus.data[i], gap);

		if (other == WORKED)
			segment.what = KFT_WHY_OTHERS_WORKED;
		else if (other == SILENT_TOO && !segment.what)
			segment.cause = KFT_WHY_STILL;
	}
	if (segment.what)
		segment.cause = KFT_WHY_SILENT;
	kft_why_tile(f, &segment);
}

void kft_why_cut_cpu(struct kft_why_finder *f, struct kft_why_stretch s,
		     uint32_t cpu_number, const struct kft_why_segment *like,
		     kft_why_rest_fn *rest)
{
	const struct kft_why_cpu *cpu = kft_why_cpu_find(f->facts, cpu_number);

	while (cpu && s.begin < s.end) {
		uint64_t irq_until;
		uint64_t gap_until;
		const struct kft_why_piece *piece = kft_why_piece_at(cpu, s.begin,
								     &irq_until);
		const struct kft_why_gap *gap =
			gap_at(f, cpu, s.begin, KFT_MIN(irq_until, s.end), &gap_until);
		struct kft_why_stretch part =
			kft_why_stretch_take(&s, KFT_MIN(irq_until, gap_until));

		if (piece)
			add_irq(f, &part, cpu_number, &cpu->irqs.data[piece->irq]);
		else if (gap && gap->is_loss)
			kft_why_tile_as(f, &part, KFT_WHY_LOST, -1, cpu_number);
		else if (gap && like->pid > 0)
			add_silence(f, &part, gap, like->pid, cpu_number);
		else
			rest(f, &part, cpu_number, like);
	}
	if (!cpu)
		rest(f, &s, cpu_number, like);
}

/* Whether ts is in a run of page faults; the next fault is at *ret_until. */
static bool is_faulting(const struct kft_why_task *task, uint64_t ts, uint64_t *ret_until)
{
	size_t i = kft_count_leading(task->faults.len, mid, task->faults.data[mid] <= ts);
	/* i is the first fault after ts. */
	bool is_in = i && i < task->faults.len &&
		     task->faults.data[i] - task->faults.data[i - 1] < FAULTS_APART_NS;

	*ret_until = UINT64_MAX;
	if (i < task->faults.len)
		*ret_until = task->faults.data[i];
	return is_in;
}

/*
 * The kernel spins on a futex with priority inheritance while its owner is on another CPU
 * (rtmutex_spin_on_owner() in kernel/locking/rtmutex.c). Returns the last unlock by
 * another task before the call returns: that task is the owner. NULL: there is none after
 * ts.
 */
static const struct kft_why_unlock *
spins_until(const struct kft_why_finder *f, const struct kft_why_task *task, uint64_t ts)
{
	const struct kft_interval *futex = kft_why_call_at(task, f->futex, ts);
	size_t i = futex ? kft_vec_count_until(&f->facts->unlocks, ts, futex->end_ns) : 0;

	while (i-- > 0) {
		const struct kft_why_unlock *unlock = &f->facts->unlocks.data[i];

		if (unlock->ts <= ts)
			return NULL;
		if (unlock->address == futex->key && unlock->pid != task->pid)
			return unlock;
	}
	return NULL;
}

/* Tiles the time of a running task by its context: calls, locks, reclaim, signal handlers. */
static void run_modes(struct kft_why_finder *f, struct kft_why_stretch s,
		      const struct kft_why_segment *like)
{
	const struct kft_why_task *task = kft_why_task_find(f->facts, like->pid);

	while (s.begin < s.end) {
		uint64_t what;
		enum kft_why_mode mode = kft_why_mode_at(f, like->pid, s.begin, &what);
		const struct kft_interval *call = NULL;
		const struct kft_interval *lock =
			task ? kft_why_call_at(task, f->lock, s.begin) : NULL;
		const struct kft_interval *reclaim =
			task ? kft_why_call_at(task, f->reclaim, s.begin) : NULL;
		uint64_t until = task ? kft_why_next_call(task, s.begin) : s.end;
		uint64_t handler_until = UINT64_MAX;
		const struct kft_why_handler *handler =
			task ? kft_why_handler_at(task, s.begin, &handler_until) : NULL;

		if (mode == KFT_WHY_MODE_SYSCALL)
			call = kft_why_call_at(task, f->syscall, s.begin);
		else if (mode == KFT_WHY_MODE_WORK)
			call = kft_why_call_at(task, f->work, s.begin);
		const struct kft_why_unlock *unlock = call ? spins_until(f, task, s.begin)
							   : NULL;

		if (call)
			until = KFT_MIN(until, call->end_ns);
		if (unlock)
			until = KFT_MIN(until, unlock->ts);
		if (lock)
			until = KFT_MIN(until, lock->end_ns);
		if (reclaim)
			until = KFT_MIN(until, reclaim->end_ns);
		struct kft_why_stretch part =
			kft_why_stretch_take(&s, KFT_MIN(until, handler_until));
		struct kft_why_segment segment = *like;

		segment.begin = part.begin;
		segment.end = part.end;
		segment.mode = handler ? KFT_WHY_MODE_HANDLER : mode;
		segment.what = handler ? handler->sig : what;
		if (lock) {
			segment.cause = KFT_WHY_SPIN;
			segment.mode = KFT_WHY_MODE_UNKNOWN;
			segment.what = lock->key;
		} else if (reclaim) {
			segment.cause = KFT_WHY_RECLAIM;
			segment.mode = KFT_WHY_MODE_UNKNOWN;
			segment.what = reclaim->key;
		} else if (unlock && !handler) {
			segment.cause = KFT_WHY_SPIN;
			segment.pid = unlock->pid;
		} else if (mode == KFT_WHY_MODE_SYSCALL &&
			   !(f->facts->seen & KFT_WHY_SEEN_SWITCH)) {
			/* Without switches in the trace, the task may as well sleep here. */
			segment.cause = KFT_WHY_UNKNOWN;
			segment.mode = KFT_WHY_MODE_UNKNOWN;
			segment.what = 0;
		}
		kft_why_tile(f, &segment);
	}
}

static void rest_runs(struct kft_why_finder *f, const struct kft_why_stretch *s,
		      uint32_t cpu, const struct kft_why_segment *like)
{
	const struct kft_why_task *task = kft_why_task_find(f->facts, like->pid);
	struct kft_why_stretch left = *s;

	while (left.begin < left.end) {
		uint64_t until = UINT64_MAX;
		bool faults = task && is_faulting(task, left.begin, &until);
		struct kft_why_stretch part = kft_why_stretch_take(&left, until);

		if (faults)
			kft_why_tile_as(f, &part, KFT_WHY_FAULT, like->pid, cpu);
		else
			run_modes(f, part, like);
	}
}

void kft_why_find_running(struct kft_why_finder *f, int32_t pid, struct kft_why_stretch s,
			  uint32_t cpu)
{
	const struct kft_why_segment like =
		kft_why_segment_of(&s, s.link ? KFT_WHY_DEP : KFT_WHY_RUN, pid, cpu);

	kft_why_cut_cpu(f, s, cpu, &like, rest_runs);
}

void kft_why_rest_as(struct kft_why_finder *f, const struct kft_why_stretch *s,
		     uint32_t cpu, const struct kft_why_segment *like)
{
	kft_why_tile_as(f, s, like->cause, -1, cpu);
}

void kft_why_find_cpu(struct kft_why_finder *f, uint32_t number, struct kft_why_stretch s)
{
	const struct kft_why_cpu *cpu = kft_why_cpu_find(f->facts, number);

	while (s.begin < s.end) {
		uint64_t until = UINT64_MAX;
		const struct kft_why_current *current = NULL;

		if (cpu)
			current = kft_why_current_at(cpu, s.begin, &until);
		struct kft_why_stretch part = kft_why_stretch_take(&s, until);
		struct kft_why_segment like = kft_why_segment_of(&part, KFT_WHY_BUSY, -1,
								 number);

		if (!current || current->pid < 0) {
			kft_why_tile_as(f, &part, KFT_WHY_UNKNOWN, -1, number);
		} else if (!current->pid) {
			like.cause = KFT_WHY_IDLE;
			kft_why_cut_cpu(f, part, number, &like, kft_why_rest_as);
		} else {
			like.pid = current->pid;
			kft_why_cut_cpu(f, part, number, &like, rest_runs);
		}
	}
}

void kft_why_find_late(struct kft_why_finder *f, uint32_t number,
		       struct kft_why_stretch s)
{
	bool before = f->is_due;

	f->is_due = true;
	kft_why_find_cpu(f, number, s);
	f->is_due = before;
}
