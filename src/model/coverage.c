// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the CPUs of the machine that have events in a trace. */
#include "model/coverage.h"

#include "model/span.h"

/* The search for CPUs without events reads this many events of the trace. */
#define SEARCHED_EVENTS 65536U
#define SEARCHED_LEAST	256U
#define BATCH_EVENTS	256

/* A CPU that a task was sent to has switched to it after this time, if it is recorded. */
#define SETTLES_NS UINT64_C(10000000)

/* An event field with the number of a CPU. */
struct named_cpu {
	const char *event;
	const char *field;
	uint16_t id;
	const struct kft_field *source; /* borrowed; NULL: the trace does not have it */
};

struct search {
	uint64_t ids[KFT_ID_WORDS]; /* those of the events that are searched for */
	/* The CPUs that these name; NULL: the first of them is enough. */
	struct kft_cpuset *named;
	bool swap;
	uint64_t before; /* later events are no evidence */
	struct named_cpu fields[5];
};

/* Adds the CPUs that the event names. */
static void add_named(const struct search *s, const struct kft_event *ev)
{
	uint64_t cpu;

	if (ev->ts >= s->before)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(s->fields); i++) {
		const struct named_cpu *f = &s->fields[i];

		if (f->source && f->id == ev->id &&
		    kft_event_int(ev, f->source, s->swap, &cpu) && cpu < KFT_CPU_MAX)
			kft_bits_add(s->named->bits, (uint32_t)cpu);
	}
}

/* Looks up the fields; false: no event of the trace has the number of a CPU. */
static bool init_search(struct search *s, struct kft_trace *t)
{
	bool any = false;

	*s = (struct search){
		.swap = t->swap,
		.named = t->named_cpus,
		.fields = {{.event = "sched_waking", .field = "target_cpu"},
			   {.event = "sched_wakeup", .field = "target_cpu"},
			   {.event = "sched_wakeup_new", .field = "target_cpu"},
			   {.event = "sched_migrate_task", .field = "orig_cpu"},
			   {.event = "sched_migrate_task", .field = "dest_cpu"}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(s->fields); i++) {
		struct named_cpu *f = &s->fields[i];
		const struct kft_class *cls = kft_class_table_find(&t->classes, "sched",
								   f->event);

		f->source = cls ? kft_class_field(cls, f->field) : NULL;
		f->id = cls ? cls->id : 0;
		if (f->source)
			kft_bits_add(s->ids, f->id);
		any |= f->source != NULL;
	}
	return any;
}

/* Returns whether the search can end. */
static bool search_events(const struct search *s, const struct kft_event *evs, size_t n)
{
	for (const struct kft_event *ev = evs; ev < evs + n; ev++) {
		if (likely(!kft_bits_has(s->ids, ev->id)))
			continue;
		if (!s->named)
			return true;
		add_named(s, ev);
	}
	return false;
}

static bool search_stream(const struct search *s, struct kft_stream *stream, size_t most)
{
	struct kft_event evs[BATCH_EVENTS];
	bool found = false;
	size_t n_read = 0;
	int n = 0;

	if (stream->ops->rewind(stream, 0) < 0)
		return false;
	while (!found && n_read < most &&
	       (n = stream->ops->fill(stream, evs, BATCH_EVENTS)) > 0) {
		found = search_events(s, evs, (size_t)n);
		n_read += (size_t)n;
	}
	return found;
}

/* Restores the damage of the stream: a later reader counts it. */
static bool search_quietly(const struct search *s, struct kft_stream *stream, size_t most)
{
	struct kft_err damage = stream->damage;
	uint64_t damage_count = stream->damage_count;
	bool found = search_stream(s, stream, most);

	stream->damage = damage;
	stream->damage_count = damage_count;
	return found;
}

static size_t count_streams(const struct kft_trace *t)
{
	size_t n = 0;

	kft_vec_for_each(&t->buffers, b)
		n += b->streams.len;
	return n;
}

static void find_named(struct kft_trace *t)
{
	struct search s;
	size_t n = count_streams(t);
	uint64_t last;

	if (!n || !init_search(&s, t) || !kft_span_last(t, &last))
		return;
	s.before = last - KFT_MIN(last, SETTLES_NS);
	size_t most = KFT_MAX(SEARCHED_EVENTS / n, SEARCHED_LEAST);

	kft_vec_for_each(&t->buffers, b)
		kft_vec_for_each(&b->streams, stream)
			(void)search_quietly(&s, *stream, most);
}

/*
 * Whether an event sends a task to a CPU that is not seen. A trace is searched once only,
 * because several engines may ask. Without memory for the answer, nothing is unseen.
 */
static bool sends_to_unseen(struct kft_trace *t, const struct kft_coverage *coverage)
{
	bool unseen = false;

	if (!t->named_cpus) {
		t->named_cpus = kft_arena_alloc(&t->arena, sizeof(*t->named_cpus));
		if (!t->named_cpus)
			return false;
		*t->named_cpus = (struct kft_cpuset){};
		find_named(t);
	}
	for (size_t i = 0; i < ARRAY_SIZE(coverage->cpus.bits); i++)
		unseen |= (t->named_cpus->bits[i] & ~coverage->cpus.bits[i]) != 0;
	return unseen;
}

/* Whether all CPUs of the machine have events: then none can be unseen. */
static bool has_all(const struct kft_trace *t, const struct kft_coverage *coverage)
{
	uint32_t cpu = 0;

	while (cpu < t->meta.cpu_count && kft_cpuset_has(&coverage->cpus, cpu))
		cpu++;
	return t->meta.has_machine_cpus && cpu && cpu == t->meta.cpu_count;
}

/*
 * Whether the buffer may have the states of tasks: only then its missing start matters.
 */
static bool has_switches(struct kft_trace *t, const struct kft_buffer *b)
{
	const struct kft_class *cls = kft_class_table_find(&t->classes, "sched",
							   "sched_switch");
	struct search s = {};

	if (!cls || t->buffers.len == 1)
		return true;
	kft_bits_add(s.ids, cls->id);
	kft_vec_for_each(&b->streams, stream)
		if (search_quietly(&s, *stream, SEARCHED_EVENTS / b->streams.len))
			return true;
	return false;
}

/* Adds a stream's CPU; a number above KFT_CPU_MAX is not that of a CPU. */
static void add_stream(struct kft_trace *t, const struct kft_scope *scope,
		       struct kft_stream *s, struct kft_coverage *ret)
{
	uint64_t first;

	if (s->cpu >= KFT_CPU_MAX || !kft_span_stream_first(s, &first))
		return;
	if (scope && !kft_scope_has_cpu(scope, s->cpu)) {
		ret->is_partial = true;
		return;
	}
	kft_bits_add(ret->cpus.bits, s->cpu);
	if (kft_trace_overwritten(t, s->buffer, s->cpu) &&
	    has_switches(t, &t->buffers.data[s->buffer]))
		ret->whole_from = KFT_MAX(ret->whole_from, first);
}

void kft_coverage_find(struct kft_trace *t, const struct kft_scope *scope,
		       struct kft_coverage *ret)
{
	*ret = (struct kft_coverage){};
	kft_vec_for_each(&t->buffers, b)
		kft_vec_for_each(&b->streams, s)
			add_stream(t, scope, *s, ret);
	if (!ret->is_partial && !has_all(t, ret))
		ret->is_partial = sends_to_unseen(t, ret);
}
