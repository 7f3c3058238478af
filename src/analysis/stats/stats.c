// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the events of a trace by type, task and CPU. */
#include "analysis/stats/stats.h"

#include <errno.h>
#include <string.h>

#include "analysis/calls/too_deep.h"
#include "base/err.h"

/* Initial size of the table of a buffer's event ids. */
#define IDS_INITIAL 512
#define IDS_MAX	    65536

struct tally {
	uint64_t count;
	uint64_t first; /* valid when count is not 0 */
	uint64_t last;
};

struct buffer_state {
	struct tally *ids; /* owned, by event id; NULL: no event yet */
	size_t n_ids;
	KFT_VEC(struct kft_stats_cpu) cpus;
	struct kft_stats_cpu *cpu; /* CPU of the last event; borrowed from cpus */
};

struct state {
	const struct kft_field *pid; /* common_pid; NULL when there is none */
	bool swap;
	struct buffer_state *buffers; /* owned */
	size_t n_buffers;
	struct kft_map pids; /* pid -> count */
	uint64_t last_pid;
	uint64_t *last_pid_count; /* its value in pids; valid until the next put */
	struct kft_too_deep_search too_deep; /* in the events that were fed */
	bool is_counted; /* some events were counted by their stream instead */
};

static void destroy(void *arg)
{
	struct state *s = arg;

	for (size_t i = 0; i < s->n_buffers; i++) {
		free(s->buffers[i].ids);
		kft_vec_finish(&s->buffers[i].cpus);
	}
	free(s->buffers);
	kft_map_finish(&s->pids);
	free(s);
}

static int create(struct kft_trace *t, const void *arg, void **ret_state)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->pid = kft_trace_common_field(t, "common_pid");
	s->swap = t->swap;
	kft_too_deep_search_init(&s->too_deep, t);
	s->n_buffers = t->buffers.len;
	s->buffers = calloc(s->n_buffers + 1, sizeof(*s->buffers));
	if (!s->buffers) {
		destroy(s);
		return -ENOMEM;
	}
	*ret_state = s;
	return 0;
}

static void tally_add(struct tally *t, uint64_t count, uint64_t first, uint64_t last)
{
	if (!t->count || first < t->first)
		t->first = first;
	if (!t->count || last > t->last)
		t->last = last;
	t->count += count;
}

static bool grow_ids(struct buffer_state *b, size_t need)
{
	size_t n = b->n_ids ? b->n_ids : IDS_INITIAL;

	while (n < need)
		n *= 2;
	if (n == b->n_ids)
		return true;
	struct tally *ids = calloc(n, sizeof(*ids));
	if (!ids)
		return false;
	if (b->n_ids)
		memcpy(ids, b->ids, b->n_ids * sizeof(*ids));
	free(b->ids);
	b->ids = ids;
	b->n_ids = n;
	return true;
}

static struct kft_stats_cpu *find_cpu(struct buffer_state *b, uint32_t cpu)
{
	kft_vec_for_each(&b->cpus, c)
		if (c->cpu == cpu)
			return c;
	if (!kft_vec_push(&b->cpus, (struct kft_stats_cpu){.cpu = cpu}))
		return NULL;
	return &b->cpus.data[b->cpus.len - 1];
}

static bool count_pid(struct state *s, uint64_t pid, uint64_t count)
{
	if (!s->last_pid_count || pid != s->last_pid) {
		s->last_pid_count = kft_map_put(&s->pids, pid);
		s->last_pid = pid;
		if (!s->last_pid_count)
			return false;
	}
	*s->last_pid_count += count;
	return true;
}

static void count_loss(struct kft_stats_cpu *cpu, uint64_t lost)
{
	if (!lost)
		return;
	cpu->gaps++;
	if (lost == KFT_LOST_UNKNOWN)
		cpu->uncounted_gaps++;
	else
		cpu->lost += lost;
}

static void cpu_add(struct kft_stats_cpu *c, uint64_t count, uint64_t first,
		    uint64_t last)
{
	struct tally t = {c->count, c->first, c->last};

	tally_add(&t, count, first, last);
	c->count = t.count;
	c->first = t.first;
	c->last = t.last;
}

/* Counts events of one stream by id and CPU. */
static int count_events(struct buffer_state *b, const struct kft_event *evs, size_t n)
{
	uint64_t first = UINT64_MAX;
	uint64_t last = 0;
	uint64_t lost = 0;
	struct tally *ids = b->ids;
	size_t n_ids = b->n_ids;

	for (const struct kft_event *ev = evs; ev < evs + n; ev++) {
		uint64_t ts = ev->ts;

		if (unlikely(ev->id >= n_ids)) {
			if (!grow_ids(b, (size_t)ev->id + 1))
				return -ENOMEM;
			ids = b->ids;
			n_ids = b->n_ids;
		}
		struct tally *t = &ids[ev->id];
		/* A damaged stream may go back in time. */
		if (unlikely(!t->count || ts < t->first))
			t->first = ts;
		if (likely(ts >= t->last))
			t->last = ts;
		t->count++;
		first = KFT_MIN(first, ts);
		last = KFT_MAX(last, ts);
		lost |= ev->lost_before;
	}
	if (unlikely(!b->cpu || b->cpu->cpu != evs->cpu))
		b->cpu = find_cpu(b, evs->cpu);
	if (!b->cpu)
		return -ENOMEM;
	cpu_add(b->cpu, n, first, last);
	for (size_t i = 0; unlikely(lost) && i < n; i++)
		count_loss(b->cpu, evs[i].lost_before);
	return 0;
}

/*
 * Counts events by task. Consecutive events are mostly of the same task, so the map is looked
 * up only when the task changes.
 */
static int count_pids(struct state *s, const struct kft_event *evs, size_t n)
{
	const struct kft_field *f = s->pid;
	uint64_t pid;

	if (unlikely(f->size != sizeof(uint32_t))) {
		for (size_t i = 0; i < n; i++)
			if (kft_event_int(&evs[i], f, s->swap, &pid) &&
			    !count_pid(s, (uint32_t)pid, 1))
				return -ENOMEM;
		return 0;
	}
	const bool swap = s->swap;
	const uint32_t offset = f->offset;
	const uint32_t after = offset + f->size;
	uint32_t current = 0;
	uint64_t run = 0;

	for (size_t i = 0; i < n; i++) {
		if (unlikely(evs[i].size < after))
			continue;
		uint32_t next = kft_load_u32(evs[i].data + offset, swap);
		if (next != current) {
			if (run && !count_pid(s, current, run))
				return -ENOMEM;
			current = next;
			run = 0;
		}
		run++;
	}
	return !run || count_pid(s, current, run) ? 0 : -ENOMEM;
}

static int end(void *arg, const struct kft_stream *stream)
{
	struct state *s = arg;

	if (!stream->lost_after)
		return 0;
	struct kft_stats_cpu *cpu = find_cpu(&s->buffers[stream->buffer], stream->cpu);
	if (!cpu)
		return -ENOMEM;
	count_loss(cpu, stream->lost_after);
	return 0;
}

static uint64_t count_of(const struct buffer_state *b, uint16_t id)
{
	return id < b->n_ids ? b->ids[id].count : 0;
}

static int feed_counts(void *arg, const struct kft_event *evs, size_t n)
{
	struct state *s = arg;
	struct buffer_state *b = &s->buffers[evs->buffer];
	struct kft_too_deep_search *exits = &s->too_deep;
	uint64_t before = exits->end ? count_of(b, exits->id) : 0;
	int r = count_events(b, evs, n);

	if (exits->end && count_of(b, exits->id) != before)
		kft_too_deep_search_feed(exits, evs, n);
	return r;
}

static int feed(void *arg, const struct kft_event *evs, size_t n)
{
	struct state *s = arg;
	int r = feed_counts(s, evs, n);

	return r == 0 && s->pid ? count_pids(s, evs, n) : r;
}

static int take_counts(void *arg, const struct kft_stream *stream,
		       const struct kft_counts *counts)
{
	struct state *s = arg;
	struct buffer_state *b = &s->buffers[stream->buffer];
	struct kft_stats_cpu *cpu = find_cpu(b, stream->cpu);
	size_t n_ids = counts->high ? IDS_MAX : KFT_COUNTS_LOW;
	uint64_t total = 0;

	s->is_counted = true;
	if (!cpu)
		return -ENOMEM;
	for (size_t id = 0; id < n_ids; id++) {
		uint64_t n = kft_counts_of(counts, id);

		if (!n)
			continue;
		if (!grow_ids(b, id + 1))
			return -ENOMEM;
		b->ids[id].count += n;
		total += n;
	}
	if (total)
		cpu_add(cpu, total, counts->first, counts->last);
	cpu->gaps += counts->gaps;
	cpu->uncounted_gaps += counts->uncounted_gaps;
	cpu->lost += counts->lost;
	return 0;
}

static int join_cpu(struct buffer_state *b, const struct kft_stats_cpu *later)
{
	struct kft_stats_cpu *c = find_cpu(b, later->cpu);

	if (!c)
		return -ENOMEM;
	cpu_add(c, later->count, later->first, later->last);
	c->gaps += later->gaps;
	c->uncounted_gaps += later->uncounted_gaps;
	c->lost += later->lost;
	return 0;
}

static int join_buffer(struct buffer_state *b, const struct buffer_state *later)
{
	int r = 0;

	if (later->n_ids && !grow_ids(b, later->n_ids))
		return -ENOMEM;
	for (size_t i = 0; i < later->n_ids; i++) {
		const struct tally *t = &later->ids[i];

		if (t->count)
			tally_add(&b->ids[i], t->count, t->first, t->last);
	}
	for (size_t i = 0; i < later->cpus.len && r == 0; i++)
		r = join_cpu(b, &later->cpus.data[i]);
	return r;
}

static int join(void *arg, const void *arg_later)
{
	const struct state *later = arg_later;
	struct state *s = arg;
	int r = 0;

	s->too_deep.found |= later->too_deep.found;
	s->is_counted |= later->is_counted;
	for (size_t i = 0; i < s->n_buffers && r == 0; i++)
		r = join_buffer(&s->buffers[i], &later->buffers[i]);
	for (size_t i = 0; later->pids.slots && i <= later->pids.mask; i++) {
		const struct kft_map_slot *slot = &later->pids.slots[i];

		if (slot->key == KFT_MAP_NO_KEY)
			continue;
		if (!count_pid(s, slot->key, slot->value))
			return -ENOMEM;
	}
	return r;
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_events(const void *pa, const void *pb)
{
	const struct kft_stats_event *a = pa;
	const struct kft_stats_event *b = pb;

	if (a->count != b->count)
		return compare(b->count, a->count);
	return a->buffer != b->buffer ? compare(a->buffer, b->buffer)
				      : compare(a->id, b->id);
}

static int compare_cpus(const void *pa, const void *pb)
{
	const struct kft_stats_cpu *a = pa;
	const struct kft_stats_cpu *b = pb;

	return a->buffer != b->buffer ? compare(a->buffer, b->buffer)
				      : compare(a->cpu, b->cpu);
}

static int compare_tasks(const void *pa, const void *pb)
{
	const struct kft_stats_task *a = pa;
	const struct kft_stats_task *b = pb;

	return a->count != b->count ? compare(b->count, a->count)
				    : compare(a->pid, b->pid);
}

#define SORT(v, by)                                                         \
	do {                                                                \
		if ((v)->len)                                               \
			qsort((v)->data, (v)->len, sizeof(*(v)->data), by); \
	} while (0)

static int report_events(const struct state *s, struct kft_stats *ret)
{
	ret->have_event_times = ret->parts & KFT_STATS_TASKS;
	for (size_t i = 0; i < s->n_buffers; i++) {
		for (size_t id = 0; id < s->buffers[i].n_ids; id++) {
			const struct tally *t = &s->buffers[i].ids[id];
			struct kft_stats_event ev = {.buffer = i,
						     .id = id,
						     .count = t->count,
						     .first = t->first,
						     .last = t->last};

			if (t->count && !kft_vec_push(&ret->events, ev))
				return -ENOMEM;
		}
	}
	SORT(&ret->events, compare_events);
	return 0;
}

static bool has_cpu(const struct kft_stats *stats, uint16_t buffer, uint32_t cpu)
{
	kft_vec_for_each(&stats->cpus, c)
		if (c->buffer == buffer && c->cpu == cpu)
			return true;
	return false;
}

/* Adds CPUs that were read but have no events. */
static int add_silent_cpus(struct kft_trace *t, const struct kft_scope *scope,
			   struct kft_stats *ret)
{
	for (size_t i = 0; i < t->buffers.len; i++) {
		kft_vec_for_each(&t->buffers.data[i].streams, s) {
			struct kft_stats_cpu c = {.buffer = i, .cpu = (*s)->cpu};

			if ((scope && !kft_scope_has_cpu(scope, c.cpu)) ||
			    has_cpu(ret, i, c.cpu))
				continue;
			if (!kft_vec_push(&ret->cpus, c))
				return -ENOMEM;
		}
	}
	return 0;
}

static void add_to_totals(struct kft_trace *t, const struct kft_stats_cpu *c,
			  struct kft_stats *ret)
{
	struct tally span = {ret->have_time, ret->first, ret->last};

	if (c->count && t->buffers.data[c->buffer].clock.unit == KFT_CLOCK_NS) {
		tally_add(&span, 1, c->first, c->last);
		ret->have_time = true;
		ret->first = span.first;
		ret->last = span.last;
	}
	ret->count += c->count;
	ret->gaps += c->gaps;
	ret->uncounted_gaps += c->uncounted_gaps;
	ret->lost += c->lost;
}

/*
 * Takes overwritten events out of a CPU's losses. Overwriting on purpose looks like a loss
 * before the first event.
 */
static void set_overwritten_apart(const struct kft_trace *t, struct kft_stats_cpu *c,
				  struct kft_stats *ret)
{
	uint64_t n = kft_trace_overwritten(t, c->buffer, c->cpu);
	bool is_counted = c->lost >= n;

	if (n != KFT_LOST_UNKNOWN)
		ret->overwritten += n;
	/* With neither, the first event of the CPU is outside the scope. */
	if (!n || (!is_counted && !c->uncounted_gaps))
		return;
	if (is_counted)
		c->lost -= n;
	else
		c->uncounted_gaps--;
	c->gaps--;
	ret->whole_from = KFT_MAX(ret->whole_from, c->first);
}

static int report_cpus(const struct state *s, struct kft_trace *t,
		       const struct kft_scope *scope, struct kft_stats *ret)
{
	for (size_t i = 0; i < s->n_buffers; i++) {
		kft_vec_for_each(&s->buffers[i].cpus, c) {
			c->buffer = i;
			set_overwritten_apart(t, c, ret);
			add_to_totals(t, c, ret);
			if (!kft_vec_push(&ret->cpus, *c))
				return -ENOMEM;
		}
	}
	int r = add_silent_cpus(t, scope, ret);
	SORT(&ret->cpus, compare_cpus);
	return r;
}

static int report_tasks(const struct state *s, struct kft_stats *ret)
{
	ret->have_tasks = s->pid != NULL;
	for (size_t i = 0; s->pids.slots && i <= s->pids.mask; i++) {
		const struct kft_map_slot *slot = &s->pids.slots[i];
		struct kft_stats_task task = {.pid = slot->key, .count = slot->value};

		if (slot->key != KFT_MAP_NO_KEY && !kft_vec_push(&ret->tasks, task))
			return -ENOMEM;
	}
	SORT(&ret->tasks, compare_tasks);
	return 0;
}

static const struct kft_analysis whole = {
	.by_stream = true,
	.create = create,
	.feed = feed,
	.end = end,
	.join = join,
	.destroy = destroy,
};

static const struct kft_analysis without_tasks = {
	.by_stream = true,
	.create = create,
	.feed = feed_counts,
	.count = take_counts,
	.end = end,
	.join = join,
	.destroy = destroy,
};

/* Reads the trace again only if it may have funcgraph_exit records, which have the count. */
static int count_too_deep(const struct state *s, struct kft_trace *t,
			  const struct kft_analysis_opts *opts, struct kft_stats *ret)
{
	const struct kft_scope *scope = opts->scope;
	/* Without the exits of some tasks, or of a part of them, the search is not complete. */
	bool is_done = !s->is_counted &&
		       (!scope || (!scope->wanted && !scope->filters && !scope->n_pids));

	bool any = !(ret->parts & KFT_STATS_EVENTS);

	kft_vec_for_each(&ret->events, ev) {
		const struct kft_class *c = kft_trace_class(t, ev->id);

		any |= c && strcmp(c->name, "funcgraph_exit") == 0;
	}
	return any ? kft_too_deep_count(t, scope, is_done ? &s->too_deep : NULL,
					&ret->too_deep)
		   : 0;
}

int kft_stats_run(struct kft_trace *t, unsigned int parts,
		  const struct kft_analysis_opts *opts, struct kft_stats *ret,
		  struct kft_err *e)
{
	struct kft_stats stats = {.parts = parts};
	void *state;
	int r = kft_analysis_run(parts & KFT_STATS_TASKS ? &whole : &without_tasks, t,
				 opts, &state, e);

	if (r < 0)
		return r;
	if (parts & KFT_STATS_EVENTS)
		r = report_events(state, &stats);
	/* This computes the totals too, so it runs whatever the parts are. */
	if (r == 0)
		r = report_cpus(state, t, opts->scope, &stats);
	if (r == 0 && (parts & KFT_STATS_TASKS))
		r = report_tasks(state, &stats);
	if (r == 0)
		r = count_too_deep(state, t, opts, &stats);
	destroy(state);
	if (r < 0) {
		kft_stats_finish(&stats);
		return kft_err_sys(e, r, "cannot analyse the trace");
	}
	*ret = stats;
	return 0;
}

void kft_stats_finish(struct kft_stats *stats)
{
	kft_vec_finish(&stats->events);
	kft_vec_finish(&stats->cpus);
	kft_vec_finish(&stats->tasks);
}
