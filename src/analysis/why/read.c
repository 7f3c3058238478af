// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the facts about a range of a trace for kft why. */
#include <errno.h>
#include <string.h>

#include "analysis/why/read.h"
#include "base/err.h"
#include "derive/kinds/kinds.h"
#include "derive/recorded_stacks.h"
#include "model/merge.h"

/* Every kernel has more system calls than this; see listen_to_all(). */
#define CLASSES_OF_ALL 200

/*
 * Ranges that are read at the same time, at most: more than the ordinary intervals and the
 * candidates of an answer. Their facts are in memory together.
 */
#define RANGES_AT_ONCE 24

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

static int listen_to_samples(struct kft_why_reader *r)
{
	const struct kft_class *cls = kft_sample_time_class(r->facts->trace);

	if (!cls)
		return 0;
	r->period = kft_class_field(cls, "period");
	return listen_to(r, &kft_why_sample_event, cls);
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
	if (err >= 0 && HAVE_PERF)
		err = listen_to_samples(r);
	kft_call_returns_find(t, &r->returns);
	r->pid = kft_trace_common_field(t, "common_pid");
	r->flags = kft_trace_common_field(t, "common_flags");
	if (err >= 0)
		err = kft_engine_create(t, wanted, n, &sink, &r->engine);
	if (err >= 0)
		kft_engine_cover(r->engine, &r->facts->coverage);
	return err;
}

/* The readers of ranges that overlap: each event is decoded once for all of them. */
struct group {
	struct kft_trace *trace;
	const struct kft_why_range *ranges[RANGES_AT_ONCE]; /* borrowed; of the readers */
	struct kft_why_reader *readers[RANGES_AT_ONCE]; /* owned */
	struct kft_why_facts facts[RANGES_AT_ONCE];
	size_t n;
	uint64_t until; /* the latest end of a range */
};

static int read_events(struct group *g)
{
	const struct kft_scope scope = {.since = g->ranges[0]->since, .until = g->until};
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	int err = kft_merge_create(g->trace, &scope, &m);

	while (err >= 0 && (err = kft_merge_next(m, &ev)) > 0)
		for (size_t i = 0; i < g->n && err >= 0; i++)
			if (ev->ts >= g->ranges[i]->since &&
			    ev->ts <= g->ranges[i]->until)
				err = take_event(g->readers[i], ev);
	return err;
}

static int add_reader(struct group *g, const struct kft_why_range *range,
		      const struct kft_coverage *coverage)
{
	struct kft_why_reader *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	g->facts[g->n] = (struct kft_why_facts){.trace = g->trace, .coverage = *coverage};
	r->facts = &g->facts[g->n];
	g->ranges[g->n] = range;
	g->readers[g->n++] = r;
	g->until = KFT_MAX(g->until, range->until);
	return init_reader(r);
}

static int settle(struct group *g)
{
	int err = 0;

	for (size_t i = 0; i < g->n && err >= 0; i++) {
		err = kft_engine_flush(g->readers[i]->engine);
		if (err >= 0)
			err = kft_why_facts_settle(&g->facts[i]);
	}
	return err;
}

static void group_finish(struct group *g)
{
	for (size_t i = 0; i < g->n; i++) {
		finish_reader(g->readers[i]);
		kft_why_facts_finish(&g->facts[i]);
	}
	free(g);
}

/* A range that contains another one comes first. */
static int compare_ranges(const void *pa, const void *pb)
{
	const struct kft_why_range *a = *(const struct kft_why_range *const *)pa;
	const struct kft_why_range *b = *(const struct kft_why_range *const *)pb;

	if (a->since != b->since)
		return a->since < b->since ? -1 : 1;
	return a->until > b->until ? -1 : a->until < b->until;
}

/* The facts that a range can borrow, or those of its own reader; NULL: it has none yet. */
static struct kft_why_facts *find_facts(struct group *g,
					const struct kft_why_range *range)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->ranges[i] == range ||
		    (range->borrows && g->ranges[i]->since <= range->since &&
		     g->ranges[i]->until >= range->until))
			return &g->facts[i];
	return NULL;
}

struct request {
	const struct kft_why_range *ranges; /* as the caller numbers them */
	const struct kft_why_range **sorted; /* owned */
	size_t n;
	struct kft_coverage coverage;
	kft_why_facts_fn *take;
	void *arg;
};

/*
 * Adds readers for the sorted ranges from `first` on, as long as they overlap. *ret: where
 * the next group begins.
 */
static int add_readers(struct group *g, const struct request *q, size_t first, size_t max,
		       size_t *ret)
{
	int err = 0;
	size_t i = first;

	for (; i < q->n && err >= 0; i++) {
		if (i > first && q->sorted[i]->since > g->until)
			break;
		if (find_facts(g, q->sorted[i]))
			continue;
		if (g->n == max)
			break;
		err = add_reader(g, q->sorted[i], &q->coverage);
	}
	/* Together they may have as many facts as one range. */
	for (size_t j = 0; j < g->n; j++)
		g->facts[j].n_facts = KFT_WHY_FACTS_MAX - KFT_WHY_FACTS_MAX / g->n;
	*ret = i;
	return err;
}

/* Ranges that borrow facts have to get them before their owner takes them. */
static int give(struct group *g, const struct request *q, size_t first, size_t end)
{
	int err = 0;

	for (int borrows = 1; borrows >= 0; borrows--) {
		for (size_t i = first; i < end && err >= 0; i++) {
			const struct kft_why_range *range = q->sorted[i];

			if (range->borrows == borrows)
				err = q->take(q->arg, (size_t)(range - q->ranges),
					      find_facts(g, range));
		}
	}
	return err;
}

/* Reads the sorted ranges from *at on that overlap, and moves *at on. *ret: the readers. */
static int read_group(const struct request *q, struct kft_trace *t, size_t *at,
		      size_t max, size_t *ret)
{
	struct group *g = calloc(1, sizeof(*g));
	size_t end;

	if (!g)
		return -ENOMEM;
	g->trace = t;
	int err = add_readers(g, q, *at, max, &end);

	if (err >= 0)
		err = read_events(g);
	if (err >= 0)
		err = settle(g);
	if (err >= 0)
		err = give(g, q, *at, end);
	*ret = g->n;
	if (err >= 0 || g->n == 1)
		*at = end;
	group_finish(g);
	return err;
}

/*
 * Fewer ranges are read together if they have too many facts. A range that has too many
 * alone is left out.
 */
static int read_groups(const struct request *q, struct kft_trace *t)
{
	size_t max = RANGES_AT_ONCE;
	int result = 0;
	size_t n = 0;

	for (size_t at = 0; at < q->n;) {
		int err = read_group(q, t, &at, max, &n);

		if (err < 0 && err != -E2BIG)
			return err;
		if (err == -E2BIG && n > 1)
			max = n / 2;
		else
			result = KFT_MIN(result, err);
	}
	return result;
}

int kft_why_facts_read(struct kft_trace *t, const struct kft_why_range *ranges, size_t n,
		       kft_why_facts_fn *take, void *arg, struct kft_err *e)
{
	struct request q = {.ranges = ranges, .n = n, .take = take, .arg = arg};
	int err = -ENOMEM;

	q.sorted = calloc(n + 1, sizeof(*q.sorted));
	if (q.sorted) {
		for (size_t i = 0; i < n; i++)
			q.sorted[i] = &ranges[i];
		qsort(q.sorted, n, sizeof(*q.sorted), compare_ranges);
		kft_coverage_find(t, NULL, &q.coverage);
		err = read_groups(&q, t);
		free(q.sorted);
	}
	if (err == -E2BIG)
		return kft_err_set(e, err, "too many events to look at in one interval");
	return err < 0 ? kft_err_sys(e, err, "cannot look into the trace") : 0;
}
