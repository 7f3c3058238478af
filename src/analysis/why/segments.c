// SPDX-License-Identifier: LGPL-2.1-or-later
/* The segments that tile an interval. */
#include "analysis/why/path_impl.h"

static bool is_same(const struct kft_why_segment *a, const struct kft_why_segment *b)
{
	return a->cause == b->cause && a->mode == b->mode && a->pid == b->pid &&
	       a->cpu == b->cpu && a->what == b->what && a->kind == b->kind &&
	       a->prio == b->prio && a->own_prio == b->own_prio && a->link == b->link;
}

void kft_why_tile(struct kft_why_finder *f, const struct kft_why_segment *segment)
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

struct kft_why_segment kft_why_segment_of(const struct kft_why_stretch *s,
					  enum kft_why_cause cause, int32_t pid,
					  uint32_t cpu)
{
	return (struct kft_why_segment){.begin = s->begin,
					.end = s->end,
					.cause = cause,
					.pid = pid,
					.cpu = cpu,
					.prio = KFT_WHY_NO_PRIO,
					.own_prio = KFT_WHY_NO_PRIO,
					.link = s->link};
}

void kft_why_tile_as(struct kft_why_finder *f, const struct kft_why_stretch *s,
		     enum kft_why_cause cause, int32_t pid, uint32_t cpu)
{
	const struct kft_why_segment segment = kft_why_segment_of(s, cause, pid, cpu);

	kft_why_tile(f, &segment);
}

struct kft_why_stretch kft_why_stretch_take(struct kft_why_stretch *s, uint64_t until)
{
	struct kft_why_stretch first = *s;

	if (until > s->begin && until < s->end)
		first.end = until;
	s->begin = first.end;
	return first;
}

enum kft_why_mode kft_why_mode_at(const struct kft_why_finder *f, int32_t pid,
				  uint64_t ts, uint64_t *what)
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
