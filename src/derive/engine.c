// SPDX-License-Identifier: LGPL-2.1-or-later
/* Feeds events to all kinds of intervals that are asked for. */
#include "derive/engine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "model/merge.h"
#include "model/span.h"

/* A field of a class, or one element of an array: as little as reading it takes. */
struct source {
	const struct kft_field *text; /* borrowed; NULL: it is an integer */
	uint32_t offset;
	uint8_t size; /* of an integer; 0: there is no such field */
	bool is_signed;
};

/* An event class that a kind needs. */
struct listener {
	uint16_t id;
	uint16_t running; /* index of the kind in kft_engine.kinds */
	uint16_t event;
	bool per_cpu; /* the kind is */
	const struct kft_interval_kind *kind; /* borrowed */
	void *state; /* of the kind; borrowed */
	unsigned int n_sources;
	/*
	 * Two instances that record the same events would pair those of one with those of
	 * the other: a class is taken from the buffer of its first event.
	 */
	bool has_buffer;
	uint16_t buffer;
	struct kft_filter *filter; /* owned; NULL: all events */
	uint32_t bytes; /* that a record has at least, if it has all integers */
	bool has[KFT_KIND_FIELDS]; /* as kft_kind_input.has */
	bool is_text[KFT_KIND_FIELDS];
	struct source sources[KFT_KIND_FIELDS];
};

struct running {
	const struct kft_interval_kind *kind;
	void *state; /* owned */
};

struct kft_engine {
	struct kft_interval_sink sink;
	bool swap;
	bool started;
	bool has_span;
	uint64_t last_ns; /* where the trace ends, with has_span */
	struct kft_kind_input in; /* of the last event */
	struct source pid; /* common_pid */
	struct source flags;
	uint64_t losses; /* of all CPUs */
	KFT_VEC(uint64_t) cpu_losses;
	size_t n_kinds;
	struct running *kinds; /* owned */
	KFT_VEC(struct listener) listeners; /* by id */
	uint32_t n_ids;
	uint32_t *first; /* owned; id -> 1 + index of its first listener */
};

/* "name", "name[3]" or "?name": the parts that matter. */
static bool parse_spec(const char *spec, char *name, size_t size, uint32_t *ret_element)
{
	size_t len = strcspn(spec, "[");

	if (len >= size)
		return false;
	memcpy(name, spec, len);
	name[len] = '\0';
	*ret_element = spec[len] ? (uint32_t)strtoul(spec + len + 1, NULL, 10) : 0;
	return true;
}

static bool is_readable(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool find_element(const struct kft_field *f, uint32_t element, struct source *ret)
{
	if (f->place != KFT_FIELD_INLINE || !is_readable(f->elem_size) ||
	    element >= f->size / f->elem_size)
		return false;
	*ret = (struct source){.offset = f->offset + element * f->elem_size,
			       .size = (uint8_t)f->elem_size,
			       .is_signed = f->is_signed};
	return true;
}

static bool find_source(const struct kft_class *cls, const char *spec, struct source *ret)
{
	char name[64];
	uint32_t element;

	if (!parse_spec(spec, name, sizeof(name), &element))
		return false;
	const struct kft_field *f = kft_class_field(cls, name);

	if (!f)
		return false;
	if (f->kind == KFT_FIELD_STRING) {
		*ret = (struct source){.text = f};
		return true;
	}
	if (f->kind == KFT_FIELD_ARRAY)
		return find_element(f, element, ret);
	*ret = (struct source){
		.offset = f->offset, .size = (uint8_t)f->size, .is_signed = f->is_signed};
	return f->kind == KFT_FIELD_INT && is_readable(f->size);
}

/* Notes what reading an event asks of its last source. */
static void add_source(struct listener *l)
{
	unsigned int i = l->n_sources++;
	const struct source *s = &l->sources[i];

	l->is_text[i] = s->text;
	l->has[i] = s->text || s->size;
	if (!s->text)
		l->bytes = KFT_MAX(l->bytes, s->offset + s->size);
}

static bool find_sources(const struct kft_class *cls, const struct kft_kind_event *event,
			 struct listener *l)
{
	for (size_t i = 0; i < KFT_KIND_FIELDS && event->fields[i]; i++) {
		const char *spec = event->fields[i];
		bool is_optional = *spec == '?';

		if (!find_source(cls, spec + is_optional, &l->sources[i])) {
			if (!is_optional)
				return false;
			l->sources[i] = (struct source){};
		}
		add_source(l);
	}
	return true;
}

static const struct kft_class *class_of(struct kft_trace *t,
					const struct kft_kind_event *event)
{
	return kft_class_table_find(&t->classes, event->system, event->name);
}

static int listen(struct kft_engine *e, struct kft_trace *t, size_t running)
{
	const struct kft_interval_kind *kind = e->kinds[running].kind;
	const struct kft_kind_event *events = kind->events;

	for (unsigned int i = 0; i < KFT_KIND_EVENTS && events[i].name; i++) {
		const struct kft_class *cls = class_of(t, &events[i]);
		struct listener l = {.running = running,
				     .event = i,
				     .per_cpu = kind->per_cpu,
				     .kind = kind,
				     .state = e->kinds[running].state};
		int r = 0;

		if (!cls || !find_sources(cls, &events[i], &l))
			continue;
		l.id = cls->id;
		if (events[i].filter)
			r = kft_filter_compile(events[i].filter, cls, &l.filter, NULL);
		if (r < 0)
			return r;
		if (!kft_vec_push(&e->listeners, l)) {
			kft_filter_destroy(l.filter);
			return -ENOMEM;
		}
	}
	return 0;
}

static int by_id(const void *pa, const void *pb)
{
	const struct listener *a = pa;
	const struct listener *b = pb;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (a->running != b->running)
		return a->running < b->running ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

static int index_listeners(struct kft_engine *e)
{
	if (!e->listeners.len)
		return 0;
	qsort(e->listeners.data, e->listeners.len, sizeof(*e->listeners.data), by_id);
	e->n_ids = e->listeners.data[e->listeners.len - 1].id + UINT32_C(1);
	e->first = calloc(e->n_ids, sizeof(*e->first));
	if (!e->first)
		return -ENOMEM;
	for (size_t i = e->listeners.len; i-- > 0;)
		e->first[e->listeners.data[i].id] = i + 1;
	return 0;
}

static int create_kinds(struct kft_engine *e, struct kft_trace *t,
			const struct kft_interval_kind *const *kinds, size_t n)
{
	e->kinds = calloc(n + 1, sizeof(*e->kinds));
	if (!e->kinds)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		int r = kinds[i]->create(t, &e->kinds[i].state);

		if (r < 0)
			return r;
		e->kinds[i].kind = kinds[i];
		e->n_kinds++;
		r = listen(e, t, i);
		if (r < 0)
			return r;
	}
	return index_listeners(e);
}

static struct source common_source(struct kft_trace *t, const char *name)
{
	const struct kft_field *f = kft_trace_common_field(t, name);

	if (!f || !is_readable(f->size))
		return (struct source){};
	return (struct source){
		.offset = f->offset, .size = (uint8_t)f->size, .is_signed = f->is_signed};
}

int kft_engine_create(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		      size_t n, const struct kft_interval_sink *sink,
		      struct kft_engine **ret)
{
	_cleanup_(kft_engine_destroyp) struct kft_engine *e = calloc(1, sizeof(*e));

	if (!e)
		return -ENOMEM;
	e->sink = *sink;
	e->swap = t->swap;
	e->in.names = &t->names;
	e->pid = common_source(t, "common_pid");
	e->flags = common_source(t, "common_flags");
	int r = create_kinds(e, t, kinds, n);

	if (r < 0)
		return r;
	*ret = TAKE(e);
	return 0;
}

struct kft_engine *kft_engine_destroy(struct kft_engine *e)
{
	if (!e)
		return NULL;
	for (size_t i = 0; i < e->n_kinds; i++)
		e->kinds[i].kind->destroy(e->kinds[i].state);
	free(e->kinds);
	kft_vec_for_each(&e->listeners, l)
		kft_filter_destroy(l->filter);
	kft_vec_finish(&e->listeners);
	kft_vec_finish(&e->cpu_losses);
	free(e->first);
	free(e);
	return NULL;
}

static void mark_ids(struct kft_trace *t, const struct kft_interval_kind *kind,
		     bool has_hints, uint64_t *ids)
{
	const struct kft_kind_event *events = kind->events;

	for (size_t i = 0; i < KFT_KIND_EVENTS && events[i].name; i++) {
		const struct kft_class *cls = class_of(t, &events[i]);

		if (cls && (has_hints || !events[i].is_hint))
			kft_bits_add(ids, cls->id);
	}
}

void kft_engine_needs(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		      size_t n, uint64_t *wanted)
{
	for (size_t i = 0; i < n; i++)
		mark_ids(t, kinds[i], true, wanted);
}

void kft_engine_tells(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		      size_t n, uint64_t *told)
{
	for (size_t i = 0; i < n; i++)
		mark_ids(t, kinds[i], false, told);
}

void kft_engine_span(struct kft_engine *e, uint64_t first_ns, uint64_t last_ns)
{
	e->has_span = true;
	e->in.first_ts = first_ns;
	e->last_ns = last_ns;
}

void kft_engine_span_of(struct kft_engine *e, struct kft_trace *t,
			const struct kft_scope *scope)
{
	uint64_t first_ns, last_ns;

	if (kft_span_of(t, scope, &first_ns, &last_ns))
		kft_engine_span(e, first_ns, last_ns);
}

static int note_loss(struct kft_engine *e, const struct kft_event *ev)
{
	while (e->cpu_losses.len <= ev->cpu)
		if (!kft_vec_push(&e->cpu_losses, UINT64_C(0)))
			return -ENOMEM;
	e->losses++;
	e->cpu_losses.data[ev->cpu]++;
	return 0;
}

static uint64_t losses_for(const struct kft_engine *e, const struct listener *l,
			   uint32_t cpu)
{
	if (!l->per_cpu)
		return e->losses;
	return cpu < e->cpu_losses.len ? e->cpu_losses.data[cpu] : 0;
}

static bool read_text(const struct kft_engine *e, const struct kft_event *ev,
		      const struct source *s, uint64_t *ret, const char **ret_text)
{
	size_t len;

	if (!kft_event_str(ev, s->text, e->swap, ret_text, &len))
		return false;
	*ret = len;
	return true;
}

/* An integer that the record is long enough for. */
static uint64_t read_number(const uint8_t *p, const struct source *s, bool swap)
{
	switch (s->size) {
	case 0:
		return 0;
	case 1:
		return s->is_signed ? (uint64_t)(int64_t)(int8_t)*p : *p;
	case 2: {
		uint16_t v = kft_load_u16(p, swap);

		return s->is_signed ? (uint64_t)(int64_t)(int16_t)v : v;
	}
	case 4: {
		uint32_t v = kft_load_u32(p, swap);

		return s->is_signed ? (uint64_t)(int64_t)(int32_t)v : v;
	}
	default:
		return kft_load_u64(p, swap);
	}
}

/* False for a record that is too short. */
static bool read_sources(struct kft_engine *e, const struct kft_event *ev,
			 const struct listener *l)
{
	struct kft_kind_input *in = &e->in;

	if (unlikely(ev->size < l->bytes))
		return false;
	for (unsigned int i = 0; i < l->n_sources; i++) {
		const struct source *s = &l->sources[i];

		if (likely(!s->text))
			in->fields[i] = read_number(ev->data + s->offset, s, e->swap);
		else if (!read_text(e, ev, s, &in->fields[i], &in->texts[i]))
			return false;
	}
	in->n_fields = l->n_sources;
	in->has = l->has;
	in->is_text = l->is_text;
	return true;
}

static int feed_kind(struct kft_engine *e, struct listener *l, const struct kft_event *ev)
{
	struct kft_kind_input *in = &e->in;

	if (unlikely(!l->has_buffer)) {
		l->has_buffer = true;
		l->buffer = ev->buffer;
	}
	if (l->buffer != ev->buffer)
		return 0;
	if (l->filter && !kft_filter_match(l->filter, ev, e->swap))
		return 0;
	in->event = l->event;
	in->losses = e->losses ? losses_for(e, l, ev->cpu) : 0;
	if (!read_sources(e, ev, l))
		return 0;
	return l->kind->feed(l->kind, l->state, in, &e->sink);
}

static void read_common(struct kft_engine *e, const struct kft_event *ev)
{
	if (e->pid.size && e->pid.offset + e->pid.size <= ev->size)
		e->in.pid = (int32_t)read_number(ev->data + e->pid.offset, &e->pid,
						 e->swap);
	if (e->flags.size && e->flags.offset + e->flags.size <= ev->size)
		e->in.flags = (uint8_t)read_number(ev->data + e->flags.offset, &e->flags,
						   e->swap);
}

static inline int feed_event(struct kft_engine *e, const struct kft_event *ev)
{
	int r = 0;

	if (unlikely(!e->started && !e->has_span))
		e->in.first_ts = ev->ts;
	e->started = true;
	e->in.ts = ev->ts;
	e->in.cpu = ev->cpu;
	if (unlikely(ev->lost_before != 0))
		r = note_loss(e, ev);
	if (r < 0 || ev->id >= e->n_ids || !e->first[ev->id])
		return r;
	read_common(e, ev);
	struct listener *l = &e->listeners.data[e->first[ev->id] - 1];
	const struct listener *end = e->listeners.data + e->listeners.len;

	for (; l < end && l->id == ev->id && !r; l++)
		r = feed_kind(e, l, ev);
	return r;
}

int kft_engine_feed(struct kft_engine *e, const struct kft_event *ev)
{
	return feed_event(e, ev);
}

int kft_engine_feed_all(struct kft_engine *e, const struct kft_event *evs, size_t n)
{
	int r = 0;

	for (size_t i = 0; i < n && !r; i++)
		r = feed_event(e, &evs[i]);
	return r;
}

int kft_engine_flush(struct kft_engine *e)
{
	int r = 0;

	if (e->has_span)
		e->in.ts = e->last_ns;
	e->in.losses = e->losses;
	for (size_t i = 0; i < e->n_kinds && !r; i++)
		r = e->kinds[i].kind->flush(e->kinds[i].state, &e->in, &e->sink);
	return r;
}

int kft_engine_run(struct kft_trace *t, const struct kft_scope *scope,
		   const struct kft_interval_kind *const *kinds, size_t n,
		   const struct kft_interval_sink *sink)
{
	_cleanup_(kft_engine_destroyp) struct kft_engine *e = NULL;
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	uint64_t wanted[KFT_ID_WORDS] = {};
	struct kft_scope part = scope ? *scope : (struct kft_scope){};
	const struct kft_event *ev;

	kft_engine_needs(t, kinds, n, wanted);
	for (size_t i = 0; part.wanted && i < KFT_ID_WORDS; i++)
		wanted[i] &= part.wanted[i];
	part.wanted = wanted;
	int r = kft_engine_create(t, kinds, n, sink, &e);

	if (r < 0)
		return r;
	kft_engine_span_of(e, t, scope);
	r = kft_merge_create(t, &part, &m);
	while (!r && (r = kft_merge_next(m, &ev)) > 0)
		r = kft_engine_feed(e, ev);
	return r < 0 ? r : kft_engine_flush(e);
}
