// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the facts about a range of a trace for kft why. */
#include <errno.h>
#include <string.h>

#include "analysis/why/read.h"
#include "base/err.h"
#include "derive/kinds/kinds.h"
#include "model/merge.h"

/* Every kernel has more system calls than this; see listen_to_all(). */
#define CLASSES_OF_ALL 200

/* Kinds of intervals to read: interrupts of CPUs, and states and calls of tasks. */
static const char *const kinds_of_irqs[] = {"irq",     "vector",  "softirq",
					    "tasklet", "hrtimer", "timer"};
static const char *const kinds_of_tasks[] = {"task", "syscall", "work",
					     "lock", "futex",	"reclaim"};

static int take_interval(void *arg, const struct kft_interval *i)
{
	struct kft_why_facts *f = ((struct kft_why_reader *)arg)->facts;

	if (i->kind->per_cpu) {
		struct kft_why_cpu *cpu = kft_why_get_cpu(f, i->cpu);

		return cpu ? KFT_WHY_ADD(f, &cpu->irqs, *i) : 0;
	}
	if (i->kind == &kft_kind_futex_unlock)
		return KFT_WHY_ADD(f, &f->unlocks,
				   (struct kft_why_unlock){i->begin_ns, i->key, i->pid});
	struct kft_why_task *task = kft_why_get_task(f, i->pid);

	if (!task)
		return -ENOMEM;
	return strcmp(i->kind->name, "task") == 0 ? KFT_WHY_ADD(f, &task->states, *i)
						  : KFT_WHY_ADD(f, &task->calls, *i);
}

static int listen_to(struct kft_why_reader *r, const struct kft_why_event *kind,
		     const struct kft_class *cls)
{
	struct kft_why_listener l = {.kind = kind, .seen = kind->seen};

	for (size_t i = 0; i < KFT_WHY_FIELDS_MAX && kind->fields[i]; i++) {
		l.fields[i] = kft_class_field(cls, kind->fields[i]);
		if (!l.fields[i] || l.fields[i]->kind != KFT_FIELD_INT)
			return 0;
	}
	if (kind->has_name)
		l.string = kft_class_field(cls, "name");
	if (!kft_vec_push(&r->listeners, l))
		return -ENOMEM;
	r->by_id[cls->id] = r->listeners.len;
	return 0;
}

/*
 * The classes of a pattern, hundreds of them, share one listener, which reads no fields.
 * If the trace has only some of them, the pattern does not count as seen: a task outside
 * of the recorded calls may be in another one.
 */
static int listen_to_all(struct kft_why_reader *r, const struct kft_why_event *kind)
{
	struct kft_class_table *classes = &r->facts->trace->classes;
	struct kft_why_listener l = {.kind = kind};
	const struct kft_class *cls;
	size_t n = 0;

	for (size_t at = 0;
	     (cls = kft_class_table_next(classes, kind->system, kind->name, &at)); n++)
		if (!r->by_id[cls->id])
			r->by_id[cls->id] = r->listeners.len + 1;
	if (n >= CLASSES_OF_ALL)
		l.seen = kind->seen;
	return !n || kft_vec_push(&r->listeners, l) ? 0 : -ENOMEM;
}

static int listen(struct kft_why_reader *r, const struct kft_why_event *kind)
{
	if (strchr(kind->name, '*'))
		return listen_to_all(r, kind);
	const struct kft_class *cls = kft_class_table_find(&r->facts->trace->classes,
							   kind->system, kind->name);

	return cls ? listen_to(r, kind, cls) : 0;
}

static int take_known(struct kft_why_reader *r, const struct kft_why_listener *l,
		      const struct kft_event *ev)
{
	uint64_t fields[KFT_WHY_FIELDS_MAX] = {};

	for (size_t i = 0; i < KFT_WHY_FIELDS_MAX && l->fields[i]; i++)
		if (!kft_event_int(ev, l->fields[i], r->facts->trace->swap, &fields[i]))
			return 0;
	r->facts->seen |= l->seen;
	return l->kind->take ? l->kind->take(r, ev, fields) : 0;
}

static bool is_switch(const struct kft_why_reader *r, const struct kft_event *ev)
{
	size_t listener = r->by_id[ev->id];

	return listener &&
	       r->listeners.data[listener - 1].kind->seen == KFT_WHY_SEEN_SWITCH;
}

/*
 * Between the event of a switch and the switch itself interrupts are off, and events
 * still name the task that leaves. Another switch from this task belongs to a later run.
 */
static bool is_leaving(const struct kft_why_reader *r, const struct kft_why_cpu *cpu,
		       const struct kft_event *ev)
{
	const uint8_t in_irq = KFT_FLAG_HARDIRQ | KFT_FLAG_SOFTIRQ;

	if (cpu->left_pid != r->common_pid || is_switch(r, ev))
		return false;
	return !r->flags ||
	       ((r->common_flags & KFT_FLAG_IRQS_OFF) && !(r->common_flags & in_irq));
}

/*
 * The task that an event names is on the CPU, even if the last switch was to another
 * task, because a switch was lost or is not recorded. The CPU's task is then unknown
 * since its previous event, at `before`.
 */
static int check_current(struct kft_why_reader *r, struct kft_why_cpu *cpu,
			 const struct kft_event *ev, uint64_t before, bool lost)
{
	const struct kft_why_current *last =
		cpu->currents.len ? &cpu->currents.data[cpu->currents.len - 1] : NULL;
	const struct kft_why_current now = {last ? ev->ts : r->facts->first_ts,
					    r->common_pid, -1};
	int err = 0;

	if (!r->pid)
		return 0;
	if (last && last->pid == r->common_pid) {
		cpu->left_pid = -1;
		return 0;
	}
	if (last && !lost) {
		if (is_leaving(r, cpu, ev))
			return 0;
		if (last->pid)
			r->facts->n_unseen++;
		else
			cpu->n_left_idle_unseen++;
		err = KFT_WHY_ADD(r->facts, &cpu->currents,
				  (struct kft_why_current){before, -1, -1});
	}
	return err < 0 ? err : KFT_WHY_ADD(r->facts, &cpu->currents, now);
}

/* The scheduler clears NEED_RESCHED before the event of the switch, which is ignored here. */
static void note_resched(const struct kft_why_reader *r, struct kft_why_cpu *cpu,
			 const struct kft_event *ev)
{
	if (r->common_flags & KFT_FLAG_NEED_RESCHED) {
		if (!cpu->resched_since)
			cpu->resched_since = ev->ts;
		cpu->resched_until = ev->ts;
	} else if (!is_switch(r, ev)) {
		cpu->resched_since = 0;
	}
}

static int note_time(struct kft_why_reader *r, const struct kft_event *ev)
{
	struct kft_why_cpu *cpu = kft_why_get_cpu(r->facts, ev->cpu);
	int err = 0;

	if (!cpu)
		return 0;
	uint64_t before = cpu->last_ts ? cpu->last_ts : r->facts->first_ts;
	bool lost = ev->lost_before && !kft_trace_is_overwritten(r->facts->trace, ev);

	r->facts->losses += lost;
	if (ev->ts > before && (lost || ev->ts - before >= KFT_WHY_GAP_MIN_NS))
		err = KFT_WHY_ADD(r->facts, &cpu->gaps,
				  (struct kft_why_gap){before, ev->ts, lost});
	note_resched(r, cpu, ev);
	cpu->last_ts = ev->ts;
	return err < 0 ? err : check_current(r, cpu, ev, before, lost);
}

static int take_event(struct kft_why_reader *r, const struct kft_event *ev)
{
	uint64_t v;
	bool swap = r->facts->trace->swap;

	r->common_pid = r->pid && kft_event_int(ev, r->pid, swap, &v) ? (int32_t)v : 0;
	r->common_flags = r->flags && kft_event_int(ev, r->flags, swap, &v) ? v : 0;
	if (!r->facts->first_ts)
		r->facts->first_ts = ev->ts;
	r->facts->last_ts = KFT_MAX(r->facts->last_ts, ev->ts);
	int err = note_time(r, ev);
	if (err >= 0 && r->by_id[ev->id])
		err = take_known(r, &r->listeners.data[r->by_id[ev->id] - 1], ev);
	return err < 0 ? err : kft_engine_feed(r->engine, ev);
}

static void finish_reader(struct kft_why_reader *r)
{
	(void)kft_engine_destroy(r->engine);
	kft_vec_finish(&r->listeners);
	kft_vec_finish(&r->starts);
	kft_map_finish(&r->timers);
	kft_map_finish(&r->inserts);
	kft_map_finish(&r->issues);
	free(r);
}

static int init_reader(struct kft_why_reader *r)
{
	struct kft_trace *t = r->facts->trace;
	const struct kft_interval_sink sink = {take_interval, r};
	const struct kft_interval_kind
		*wanted[ARRAY_SIZE(kinds_of_irqs) + ARRAY_SIZE(kinds_of_tasks) + 1];
	size_t n = 0;
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kinds_of_irqs); i++)
		wanted[n++] = kft_interval_kind_find(kinds_of_irqs[i]);
	for (size_t i = 0; i < ARRAY_SIZE(kinds_of_tasks); i++)
		wanted[n++] = kft_interval_kind_find(kinds_of_tasks[i]);
	wanted[n++] = &kft_kind_futex_unlock;
	for (size_t i = 0; kft_why_events[i].system && err >= 0; i++)
		err = listen(r, &kft_why_events[i]);
	kft_call_returns_find(t, &r->returns);
	r->pid = kft_trace_common_field(t, "common_pid");
	r->flags = kft_trace_common_field(t, "common_flags");
	if (err >= 0)
		err = kft_engine_create(t, wanted, n, &sink, &r->engine);
	if (err >= 0)
		kft_engine_cover(r->engine, &r->facts->coverage);
	return err;
}

static int read_events(struct kft_why_reader *r, const struct kft_scope *scope)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	int err = kft_merge_create(r->facts->trace, scope, &m);

	while (err >= 0 && (err = kft_merge_next(m, &ev)) > 0)
		err = take_event(r, ev);
	if (err >= 0)
		err = kft_engine_flush(r->engine);
	return err < 0 ? err : kft_why_facts_settle(r->facts);
}

int kft_why_facts_read(struct kft_trace *t, uint64_t since, uint64_t until,
		       struct kft_why_facts *ret, struct kft_err *e)
{
	const struct kft_scope scope = {.since = since, .until = until};
	struct kft_why_facts facts = {.trace = t};
	struct kft_why_reader *r = calloc(1, sizeof(*r));
	int err = -ENOMEM;

	kft_coverage_find(t, NULL, &facts.coverage);
	if (r) {
		r->facts = &facts;
		err = init_reader(r);
		if (err >= 0)
			err = read_events(r, &scope);
		finish_reader(r);
	}
	if (err >= 0) {
		*ret = facts;
		return 0;
	}
	kft_why_facts_finish(&facts);
	if (err == -E2BIG)
		return kft_err_set(e, err, "too many events to look at in one interval");
	return kft_err_sys(e, err, "cannot look into the trace");
}
