// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the cause of a runnable task's wait: another task on its CPU, a quota, or a limit. */
#include "analysis/why/path_impl.h"
#include "analysis/why/quota.h"
#include "derive/kinds/task_state.h"

/* MAX_RT_PRIO of include/linux/sched/prio.h. */
#define RT_PRIO_END 100

/*
 * The time, at ts, in which a reschedule was due and the task pid stayed on the CPU,
 * which ends at *ret_until; NULL: none until *ret_until.
 */
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

static void rest_waits(struct kft_why_finder *f, const struct kft_why_stretch *s,
		       uint32_t cpu_number, const struct kft_why_segment *like)
{
	const struct kft_why_cpu *cpu = kft_why_cpu_find(f->facts, cpu_number);
	struct kft_why_stretch left = *s;

	while (left.begin < left.end) {
		uint64_t until = UINT64_MAX;
		const struct kft_why_held *held = NULL;

		if (cpu)
			held = held_at(cpu, left.begin, like->pid, &until);
		struct kft_why_stretch part = kft_why_stretch_take(&left, until);
		struct kft_why_segment segment = *like;
		uint64_t what;

		segment.begin = part.begin;
		segment.end = part.end;
		if (held)
			segment.cause = KFT_WHY_HELD;
		/* The running task's context only matters if it is a work function. */
		if (kft_why_mode_at(f, like->pid, part.begin, &what) ==
		    KFT_WHY_MODE_WORK) {
			segment.mode = KFT_WHY_MODE_WORK;
			segment.what = what;
		}
		kft_why_tile(f, &segment);
	}
}

/* The priority of a task when it was on the CPU at ts or soon after; KFT_WHY_NO_PRIO: unknown. */
static int32_t prio_of(const struct kft_why_cpu *cpu, int32_t pid, uint64_t ts)
{
	uint64_t until;
	const struct kft_why_current *c = kft_why_current_at(cpu, ts, &until);

	if (c && c->pid == pid)
		return c->prio;
	/* The waiting task is among the next ones on the CPU. */
	size_t i = c ? (size_t)(c - cpu->currents.data) + 1 : 0;

	for (size_t n = 0; n < 256 && i < cpu->currents.len; n++, i++)
		if (cpu->currents.data[i].pid == pid)
			return cpu->currents.data[i].prio;
	return KFT_WHY_NO_PRIO;
}

/* Tiles a wait s during which the CPU runs only `current`. */
static void wait_behind(struct kft_why_finder *f, struct kft_why_stretch s,
			uint32_t cpu_number, const struct kft_interval *state,
			const struct kft_why_current *current)
{
	const struct kft_why_cpu *cpu = kft_why_cpu_find(f->facts, cpu_number);
	struct kft_why_segment like = kft_why_segment_of(&s, KFT_WHY_CPU, current->pid,
							 cpu_number);

	if (current->pid == state->pid) {
		kft_why_find_running(f, state->pid, s, cpu_number);
		return;
	}
	if (!current->pid) {
		bool is_long = s.end - s.begin > KFT_WHY_LONG_WAIT_NS;

		like.cause = is_long ? KFT_WHY_THROTTLED : KFT_WHY_IDLE_EXIT;
		kft_why_cut_cpu(f, s, cpu_number, &like, kft_why_rest_as);
		return;
	}
	like.prio = current->prio;
	like.own_prio = prio_of(cpu, state->pid, s.begin);
	kft_why_cut_cpu(f, s, cpu_number, &like, rest_waits);
}

/*
 * The scheduler runs no task of a lower class while a task of a higher class is runnable.
 * A deadline or real-time task that is preempted by a task without such a priority has
 * used up its limit. Returns the priority of the preempted task; KFT_WHY_NO_PRIO: it was
 * not limited.
 */
static int32_t prio_of_limited(const struct kft_why_facts *f,
			       const struct kft_interval *state)
{
	const struct kft_why_cpu *cpu = kft_why_cpu_find(f, state->cause.cpu);
	const struct kft_why_current *next = NULL;
	uint64_t until;

	if (cpu && state->key == KFT_TASK_PREEMPTED)
		next = kft_why_current_at(cpu, state->begin_ns, &until);
	if (!next || next == cpu->currents.data || next[-1].pid != state->pid)
		return KFT_WHY_NO_PRIO;
	return next[-1].prio < RT_PRIO_END && next->prio >= RT_PRIO_END ? next[-1].prio
									: KFT_WHY_NO_PRIO;
}

static void take_limited(struct kft_why_finder *f, const struct kft_interval *state,
			 struct kft_why_stretch *s)
{
	int32_t prio = prio_of_limited(f->facts, state);

	if (prio == KFT_WHY_NO_PRIO)
		return;
	struct kft_why_stretch all = kft_why_stretch_take(s, s->end);
	struct kft_why_segment segment = kft_why_segment_of(&all, KFT_WHY_LIMITED,
							    state->pid, KFT_WHY_NO_CPU);

	segment.own_prio = prio;
	kft_why_tile(f, &segment);
}

/* Tiles the part of s before the wake-up put the task on a run queue. */
static void take_way(struct kft_why_finder *f, const struct kft_why_task *task,
		     const struct kft_interval *state, struct kft_why_stretch *s)
{
	const struct kft_why_waking *w = kft_why_waking_at(task, state->begin_ns);

	if (!w || w->wakeup_ts <= s->begin)
		return;
	struct kft_why_stretch way = kft_why_stretch_take(s, w->wakeup_ts);

	kft_why_tile_as(f, &way, KFT_WHY_WAY, w->waker, w->cpu);
}

void kft_why_find_ready(struct kft_why_finder *f, const struct kft_why_task *task,
			const struct kft_interval *state, struct kft_why_stretch s)
{
	take_way(f, task, state, &s);
	uint64_t until = s.begin < s.end ? kft_why_throttled_until(f->facts, task, state)
					 : 0;

	if (until > s.begin) {
		struct kft_why_stretch part = kft_why_stretch_take(&s, until);

		kft_why_tile_as(f, &part, KFT_WHY_THROTTLED, task->pid, KFT_WHY_NO_CPU);
	}
	if (s.begin < s.end)
		take_limited(f, state, &s);
	while (s.begin < s.end) {
		uint64_t place_until;
		uint64_t current_until = UINT64_MAX;
		uint32_t number = kft_why_place_at(task, s.begin, state->cpu,
						   &place_until);
		const struct kft_why_cpu *cpu = kft_why_cpu_find(f->facts, number);
		const struct kft_why_current *current = NULL;

		if (cpu)
			current = kft_why_current_at(cpu, s.begin, &current_until);
		struct kft_why_stretch part =
			kft_why_stretch_take(&s, KFT_MIN(place_until, current_until));

		if (current && current->pid >= 0)
			wait_behind(f, part, number, state, current);
		else
			kft_why_tile_as(f, &part, KFT_WHY_UNKNOWN, -1, number);
	}
}
