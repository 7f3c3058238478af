// SPDX-License-Identifier: LGPL-2.1-or-later
/* Goes through the whole time of each thread of a trace. */
#include "analysis/wall.h"

#include <errno.h>

#include "analysis/why/command.h"
#include "analysis/why/recorder.h"
#include "base/err.h"
#include "derive/kinds/task_state.h"
#include "model/span.h"

struct wall {
	struct kft_trace *trace; /* borrowed */
	const struct kft_scope *scope; /* borrowed */
	struct kft_why_facts *facts; /* borrowed */
	struct kft_why_command command;
	bool of_command; /* lives of its tasks are taken, or else those of all others */
	kft_wall_fn *fn;
	void *arg;
	uint64_t lives;
};

static bool is_wanted(const struct kft_scope *scope, int32_t pid)
{
	for (size_t i = 0; i < scope->n_pids; i++)
		if (scope->pids[i] == (uint32_t)pid)
			return true;
	return !scope->n_pids && pid > 0;
}

static int by_task(const void *pa, const void *pb)
{
	const struct kft_why_sample *a = pa;
	const struct kft_why_sample *b = pb;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->ts < b->ts ? -1 : a->ts > b->ts;
}

/* The samples of a task alone, in samples that by_task() sorted. */
static void take_samples(const struct kft_why_facts *all, int32_t pid,
			 struct kft_why_facts *ret)
{
	const struct kft_why_sample *s = all->samples.data;
	size_t n = all->samples.len;
	size_t begin = kft_count_leading(n, mid, s[mid].pid < pid);
	size_t end = kft_count_leading(n, mid, s[mid].pid <= pid);

	*ret = *all;
	ret->samples.data += begin;
	ret->samples.len = end - begin;
}

/* Lives of the recorder's tasks are left out, unless the scope names tasks. */
static bool is_taken(const struct wall *w, int32_t pid, uint64_t begin, uint64_t end)
{
	if (kft_why_command_has(&w->command, pid, begin))
		return w->of_command;
	return !w->of_command &&
	       (w->scope->n_pids ||
		!kft_why_is_recorder(w->trace, kft_task_comm_longest(&w->trace->tasks,
								     (uint32_t)pid, begin,
								     begin, end)));
}

static int take_life(struct wall *w, int32_t pid, uint64_t begin, uint64_t end)
{
	struct kft_why_interval life = {.begin = begin, .end = end, .pid = pid};
	struct kft_why_facts facts;
	struct kft_why why;

	/* Before its execve, the command's first task was the recorder's child. */
	if (pid == w->command.run.pid && begin < w->command.run.begin)
		life.begin = KFT_MIN(w->command.run.begin, end);
	if (life.begin >= end || !is_taken(w, pid, life.begin, end))
		return 0;
	take_samples(w->facts, pid, &facts);
	int r = kft_why_explain_task(&facts, &life, &why);

	if (r < 0)
		return r;
	w->lives++;
	r = w->fn(w->arg, &why);
	/* These facts are borrowed. */
	why.facts = (struct kft_why_facts){};
	kft_why_finish(&why);
	return r;
}

/* A number may be that of several threads, one after the other: each ends when it is dead. */
static int take_task(struct wall *w, const struct kft_why_task *task)
{
	const struct kft_interval *first = NULL;
	uint64_t until = 0;
	int r = 0;

	for (size_t i = 0; i < task->states.len && r == 0; i++) {
		const struct kft_interval *s = &task->states.data[i];

		if (s->key == KFT_TASK_DEAD) {
			r = first ? take_life(w, task->pid, first->begin_ns, until) : 0;
			first = NULL;
			continue;
		}
		first = first ? first : s;
		until = s->end_ns;
	}
	return r == 0 && first ? take_life(w, task->pid, first->begin_ns, until) : r;
}

static int take_some(struct wall *w, bool of_command)
{
	const struct kft_why_facts *facts = w->facts;
	int r = 0;

	w->of_command = of_command;
	for (size_t i = 0; i < facts->tasks.len && r == 0; i++)
		if (is_wanted(w->scope, facts->tasks.data[i].pid))
			r = take_task(w, &facts->tasks.data[i]);
	return r;
}

static int take_tasks(void *arg, size_t range, struct kft_why_facts *facts)
{
	struct wall *w = arg;

	w->facts = facts;
	if (facts->samples.len)
		qsort(facts->samples.data, facts->samples.len,
		      sizeof(*facts->samples.data), by_task);
	int r = take_some(w, true);

	return r < 0 ? r : take_some(w, false);
}

int kft_wall_run(struct kft_trace *t, const struct kft_scope *scope, kft_wall_fn *fn,
		 void *arg, struct kft_err *e)
{
	struct wall w = {.trace = t, .scope = scope, .fn = fn, .arg = arg};
	struct kft_why_range range = {};
	int r = kft_why_command_find(t, &w.command);

	if (r < 0)
		return kft_err_sys(e, r, "cannot look for the command");
	r = kft_span_of(t, scope, &range.since, &range.until)
		    ? kft_why_facts_read(t, &range, 1, take_tasks, &w, e)
		    : 0;
	kft_why_command_finish(&w.command);
	if (r < 0 || w.lives)
		return r;
	kft_err_set(e, -ENODATA, "the trace has no switches of tasks");
	kft_err_hint(e, "'kft record --for why' records them");
	return -ENODATA;
}

enum kft_why_class kft_wall_class_of(const struct kft_why_row *row)
{
	return row->like.link ? KFT_WHY_CLASS_TASKS : kft_why_class_of(row->like.cause);
}
