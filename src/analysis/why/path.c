// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Tiles an interval by one recursive rule: go through the states of the task, and where
 * it waits, through those of its waker during the wait. docs/why.md has the rules.
 */
#include "analysis/why/path.h"

#include <errno.h>

#include "analysis/why/path_impl.h"
#include "derive/kinds/kinds.h"

/* Tiles the time of a task without known states: it runs while it is the current task of a CPU. */
static void find_unseen(struct kft_why_finder *f, int32_t pid, struct kft_why_stretch s)
{
	while (s.begin < s.end) {
		uint64_t until = s.end;
		uint32_t at = KFT_WHY_NO_CPU;

		for (uint32_t i = 0; i < f->facts->cpus.len && at == KFT_WHY_NO_CPU;
		     i++) {
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
		struct kft_why_stretch part = kft_why_stretch_take(&s, until);

		if (at == KFT_WHY_NO_CPU)
			kft_why_tile_as(f, &part, KFT_WHY_UNKNOWN, pid, KFT_WHY_NO_CPU);
		else
			kft_why_find_running(f, pid, part, at);
	}
}

void kft_why_find_path(struct kft_why_finder *f, int32_t pid, struct kft_why_stretch s)
{
	const struct kft_why_task *task = kft_why_task_find(f->facts, pid);

	while (task && s.begin < s.end) {
		uint64_t next;
		const struct kft_interval *state = kft_why_state_at(task, s.begin, &next);
		/* The task waited for does not exist yet: its parent is still to create it. */
		const struct kft_why_birth *birth =
			s.link ? kft_why_birth_after(task, s.begin) : NULL;
		uint64_t until = birth ? birth->ts : next;
		struct kft_why_stretch part =
			kft_why_stretch_take(&s, state ? state->end_ns : until);

		if (birth)
			kft_why_follow(f, part, birth->parent, birth->ts, false);
		else if (!state)
			find_unseen(f, pid, part);
		else if (kft_why_is_running(state))
			kft_why_find_running(f, pid, part, state->cpu);
		else if (kft_why_is_ready(state))
			kft_why_find_ready(f, task, state, part);
		else
			kft_why_find_blocked(f, task, state, part);
	}
	if (!task)
		find_unseen(f, pid, s);
}
/* Tiles a block request as a whole: a trace does not show the inside of a device. */
static void add_whole(struct kft_why_finder *f, struct kft_why_stretch s,
		      const struct kft_why_interval *interval)
{
	struct kft_why_segment segment = kft_why_segment_of(&s, interval->io_cause, -1,
							    KFT_WHY_NO_CPU);

	segment.what = interval->dev;
	kft_why_tile(f, &segment);
}

/*
 * Whether a late timer was really due. An idle CPU stops its tick, and starts it again
 * when it leaves idle. If switches from idle are not recorded, a tick that seems to be
 * late by a period or more may not have been due.
 */
static bool is_due(const struct kft_why_facts *f, const struct kft_why_interval *i)
{
	const struct kft_why_cpu *cpu = kft_why_cpu_find(f, i->cpu);

	return !i->is_tick || !cpu || !cpu->n_left_idle_unseen || cpu->n_left_idle ||
	       i->end - i->begin < f->tick_ns;
}

int kft_why_path_find(const struct kft_why_facts *facts,
		      const struct kft_why_interval *interval, struct kft_why_path *ret)
{
	struct kft_why_path path = {.facts = facts};
	struct kft_why_finder f = {
		.path = &path,
		.facts = facts,
		.syscall = kft_interval_kind_find("syscall"),
		.work = kft_interval_kind_find("work"),
		.lock = kft_interval_kind_find("lock"),
		.futex = kft_interval_kind_find("futex"),
		.reclaim = kft_interval_kind_find("reclaim"),
		.softirq = kft_interval_kind_find("softirq"),
		.irq = kft_interval_kind_find("irq"),
		.own_irq = interval->irq,
	};
	const struct kft_why_stretch s = {interval->begin, interval->end, 0};

	if (!kft_vec_push(&path.links, (struct kft_why_link){.pid = -1}))
		return -ENOMEM;
	if (interval->is_late && !is_due(facts, interval))
		kft_why_tile_as(&f, &s, KFT_WHY_UNKNOWN, -1, interval->cpu);
	else if (interval->is_late)
		kft_why_find_late(&f, interval->cpu, s);
	else if (interval->is_io)
		add_whole(&f, s, interval);
	else if (interval->pid >= 0)
		kft_why_find_path(&f, interval->pid, s);
	else
		kft_why_find_cpu(&f, interval->cpu, s);
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
