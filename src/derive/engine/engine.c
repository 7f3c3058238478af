// SPDX-License-Identifier: LGPL-2.1-or-later
/* Feeds events to all requested kinds of intervals. */
#include "derive/engine/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "model/span.h"

/*
 * A field of a class, or one element of an array, prepared for fast reading. An integer
 * is shifted out of the 8 bytes at `at`, whatever its size is. Zeroed, it stands for a
 * missing field.
 */
struct source {
	const struct kft_field *text; /* borrowed; NULL: it is an integer */
	uint32_t at;
	uint32_t end; /* minimum size in bytes of a record that contains it */
	uint8_t left;
	uint8_t right;
	uint64_t mask; /* applied after shifting it with its sign */
};

#define WINDOW_BYTES 8U

/* An event class that a kind uses. */
struct listener {
	uint16_t id;
	uint16_t running; /* index of the kind in kft_engine.kinds */
	uint16_t event;
	bool per_cpu; /* like the kind */
	const struct kft_interval_kind *kind; /* borrowed */
	void *state; /* state of the kind; borrowed */
	uint64_t class_key;
	unsigned int n_sources;
	unsigned int n_texts; /* number of sources that are strings */
	/*
	 * If two instances record the same events, beginnings from one would be paired
	 * with ends from the other. So a class is used from one buffer only, that of its
	 * first event.
	 */
	bool has_buffer;
	uint16_t buffer;
	struct kft_filter *filter; /* owned; NULL: all events */
	uint32_t bytes; /* minimum size of a record that contains all integers */
	/* Minimum size of a record that is read by read_plain(), see plain_bytes(). */
	uint32_t plain_bytes;
	uint16_t number; /* its index in kft_engine.listeners + 1 */
	uint32_t n_of_id; /* number of listeners of its id, from this one on */
	uint32_t room; /* words of their rows, without strings */
	bool has[KFT_KIND_FIELDS]; /* like kft_kind_input.has */
	bool is_text[KFT_KIND_FIELDS];
	struct source sources[KFT_KIND_FIELDS];
};

struct running {
	const struct kft_interval_kind *kind;
	void *state; /* owned */
};

/* A row of struct kft_rows, in words: this header, then the fields, then the strings. */
struct row {
	uint64_t ts;
	int32_t pid;
	uint16_t listener; /* its number; 0: no kind uses the event */
	uint8_t flags;
	bool lost_before; /* events were lost; set only in the event's first row */
};

#define ROW_WORDS (sizeof(struct row) / sizeof(uint64_t))
_Static_assert(sizeof(struct row) % sizeof(uint64_t) == 0, "it is made of words");

/* Number of fields that are read from each plain event, even if it has fewer. */
#define PLAIN_FIELDS 2U

/*
 * Words ahead of the write position at which memory is prefetched, as it may be in the
 * cache of the feeding thread's CPU.
 */
#define PREFETCH_WORDS 64

struct kft_engine {
	/* Used by threads that read events: */
	bool swap;
	struct source pid; /* common_pid */
	struct source flags;
	KFT_VEC(struct listener) listeners; /* by id */
	uint32_t n_ids;
	uint32_t *first; /* owned; id -> 1 + index of its first listener; 0: none */

	/*
	 * Keeps members that the feeding thread writes for each event out of cache lines
	 * that readers use.
	 */
	uint8_t apart[64];

	/* Used by the thread that feeds the kinds: */
	struct kft_interval_sink sink;
	struct kft_kind_input in; /* the last event */
	struct kft_coverage coverage; /* found by kft_engine_span_of() */
	bool started;
	bool has_span;
	uint64_t last_ns; /* end of the trace, with has_span */
	uint64_t losses; /* on all CPUs */
	KFT_VEC(uint64_t) cpu_losses;
	size_t n_kinds;
	struct running *kinds; /* owned */
	struct kft_rows rows; /* for events that are read and fed in one step */
};

/* Splits "name" or "name[3]" into the name and the element (0 without one). */
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

/*
 * The source of an integer of `size` bytes. The window of 8 bytes ends with the integer,
 * or begins with the record if the integer is among its first 8 bytes.
 */
static struct source source_of(const struct kft_trace *t, uint32_t offset, uint32_t size,
			       bool is_signed)
{
	bool is_big = t->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	uint32_t end = KFT_MAX(offset + size, WINDOW_BYTES);
	uint32_t before = offset - (end - WINDOW_BYTES);
	uint32_t behind = WINDOW_BYTES - size - before;
	struct source s = {.at = end - WINDOW_BYTES, .end = end};

	s.left = (uint8_t)(8 * (is_big ? before : behind));
	s.right = (uint8_t)(8 * (WINDOW_BYTES - size));
	s.mask = is_signed ? UINT64_MAX : UINT64_MAX >> s.right;
	return s;
}

static bool find_element(const struct kft_trace *t, const struct kft_field *f,
			 uint32_t element, struct source *ret)
{
	if (f->place != KFT_FIELD_INLINE || !is_readable(f->elem_size) ||
	    element >= f->size / f->elem_size)
		return false;
	*ret = source_of(t, f->offset + element * f->elem_size, f->elem_size,
			 f->is_signed);
	return true;
}

static bool find_source(const struct kft_trace *t, const struct kft_class *cls,
			const char *spec, struct source *ret)
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
		return find_element(t, f, element, ret);
	if (f->kind != KFT_FIELD_INT || !is_readable(f->size))
		return false;
	*ret = source_of(t, f->offset, f->size, f->is_signed);
	return true;
}

/* Updates the totals of the listener for its last source. */
static void add_source(struct listener *l)
{
	unsigned int i = l->n_sources++;
	const struct source *s = &l->sources[i];

	l->is_text[i] = s->text;
	l->n_texts += s->text != NULL;
	l->has[i] = s->text || s->end;
	l->bytes = KFT_MAX(l->bytes, s->end);
}

static bool find_sources(const struct kft_trace *t, const struct kft_class *cls,
			 const struct kft_kind_event *event, struct listener *l)
{
	for (size_t i = 0; i < KFT_KIND_FIELDS && event->fields[i]; i++) {
		const char *spec = event->fields[i];
		bool is_optional = *spec == '?';

		if (!find_source(t, cls, spec + is_optional, &l->sources[i])) {
			if (!is_optional)
				return false;
			l->sources[i] = (struct source){};
		}
		add_source(l);
	}
	return true;
}

/* A name without a * stands for one class: the first. */
static const struct kft_class *next_class(struct kft_trace *t,
					  const struct kft_kind_event *event, size_t *at)
{
	if (*at && !strchr(event->name, '*'))
		return NULL;
	return kft_class_table_next(&t->classes, event->system, event->name, at);
}

static int listen_to(struct kft_engine *e, struct kft_trace *t, size_t running,
		     unsigned int event, const struct kft_class *cls)
{
	const struct kft_interval_kind *kind = e->kinds[running].kind;
	const struct kft_kind_event *of = &kind->events[event];
	struct listener l = {.id = cls->id,
			     .running = running,
			     .event = event,
			     .per_cpu = kind->per_cpu,
			     .kind = kind,
			     .state = e->kinds[running].state};
	int r = 0;

	if (!find_sources(t, cls, of, &l))
		return 0;
	l.class_key = of->class_key ? of->class_key(t, cls) : 0;
	if (of->filter)
		r = kft_filter_compile(of->filter, cls, &l.filter, NULL);
	if (r < 0 || kft_vec_push(&e->listeners, l))
		return r;
	kft_filter_destroy(l.filter);
	return -ENOMEM;
}

static int listen(struct kft_engine *e, struct kft_trace *t, size_t running)
{
	const struct kft_kind_event *events = e->kinds[running].kind->events;
	const struct kft_class *cls;
	int r = 0;

	for (unsigned int i = 0; i < KFT_KIND_EVENTS && events[i].name; i++)
		for (size_t at = 0; !r && (cls = next_class(t, &events[i], &at));)
			r = listen_to(e, t, running, i, cls);
	return r;
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

/*
 * The minimum size of a record that this listener, and the next ones of its id, read
 * without checks. UINT32_MAX: one of them has a filter or strings, so no event of the id
 * is plain.
 */
static uint32_t plain_bytes(const struct kft_engine *e, const struct listener *l,
			    bool is_last)
{
	uint32_t common = KFT_MAX(e->pid.end, e->flags.end);
	uint32_t others = is_last ? WINDOW_BYTES : l[1].plain_bytes;
	uint32_t own = l->filter || l->n_texts ? UINT32_MAX : l->bytes;

	own = KFT_MAX(own, common);
	return KFT_MAX(own, others);
}

static int index_listeners(struct kft_engine *e)
{
	if (!e->listeners.len)
		return 0;
	if (e->listeners.len >= UINT16_MAX)
		return -E2BIG;
	qsort(e->listeners.data, e->listeners.len, sizeof(*e->listeners.data), by_id);
	e->n_ids = e->listeners.data[e->listeners.len - 1].id + UINT32_C(1);
	e->first = calloc(e->n_ids, sizeof(*e->first));
	if (!e->first)
		return -ENOMEM;
	for (size_t i = e->listeners.len; i-- > 0;) {
		struct listener *l = &e->listeners.data[i];
		bool is_last = !e->first[l->id];

		l->number = (uint16_t)(i + 1);
		l->room = ROW_WORDS + KFT_MAX(l->n_sources, PLAIN_FIELDS) +
			  (is_last ? 0 : l[1].room);
		l->n_of_id = 1 + (is_last ? 0 : l[1].n_of_id);
		l->plain_bytes = plain_bytes(e, l, is_last);
		e->first[l->id] = i + 1;
	}
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
	return source_of(t, f->offset, f->size, f->is_signed);
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
	kft_vec_finish(&e->rows.words);
	free(e->first);
	free(e);
	return NULL;
}

static void mark_ids(struct kft_trace *t, const struct kft_interval_kind *kind,
		     bool has_hints, uint64_t *ids)
{
	const struct kft_kind_event *events = kind->events;

	for (size_t i = 0; i < KFT_KIND_EVENTS && events[i].name; i++) {
		const struct kft_class *cls;

		for (size_t at = 0; (has_hints || !events[i].is_hint) &&
				    (cls = next_class(t, &events[i], &at));)
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

void kft_engine_cover(struct kft_engine *e, const struct kft_coverage *coverage)
{
	e->in.coverage = coverage;
}

void kft_engine_span_of(struct kft_engine *e, struct kft_trace *t,
			const struct kft_scope *scope)
{
	uint64_t first_ns, last_ns;

	if (kft_span_of(t, scope, &first_ns, &last_ns))
		kft_engine_span(e, first_ns, last_ns);
	kft_coverage_find(t, scope, &e->coverage);
	kft_engine_cover(e, &e->coverage);
}

/* The caller has checked that the record contains the field. */
static inline uint64_t read_number(const uint8_t *data, const struct source *s, bool swap)
{
	uint64_t window = kft_load_u64(data + s->at, swap) << s->left;

	return (uint64_t)((int64_t)window >> s->right) & s->mask;
}

/* 0 if the record ends before the field. */
static inline uint64_t read_common(const struct kft_event *ev, const struct source *s,
				   bool swap)
{
	return ev->size >= s->end && s->end ? read_number(ev->data, s, swap) : 0;
}

static size_t words_of(size_t bytes)
{
	return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

/*
 * Appends the strings of a row; their lengths are its fields. Returns 1, 0 for a broken
 * record, or -ENOMEM.
 */
static __attribute__((noinline)) int read_texts(const struct kft_engine *e,
						const struct kft_event *ev,
						const struct listener *l,
						struct kft_u64_vec *to)
{
	size_t fields = to->len - l->n_sources;

	if (!kft_vec_reserve(to, l->n_texts * words_of(ev->size) + l->room))
		return -ENOMEM;
	for (unsigned int i = 0; i < l->n_sources; i++) {
		const char *text;
		size_t len;

		if (!l->is_text[i])
			continue;
		if (!kft_event_str(ev, l->sources[i].text, e->swap, &text, &len))
			return 0;
		if (len > 0)
			memcpy(to->data + to->len, text, len);
		to->data[fields + i] = len;
		to->len += words_of(len);
	}
	return 1;
}

static inline void write_row(const struct kft_engine *e, const struct kft_event *ev,
			     uint16_t listener, bool lost_before, bool swap,
			     struct row *to)
{
	to->ts = ev->ts;
	to->pid = (int32_t)read_common(ev, &e->pid, swap);
	to->listener = listener;
	to->flags = (uint8_t)read_common(ev, &e->flags, swap);
	to->lost_before = lost_before;
}

/*
 * Appends an event's row for a kind; the caller has reserved room for its integers.
 * Returns 1, 0 if the kind does not use the event, or -ENOMEM.
 */
static inline int read_row(const struct kft_engine *e, const struct listener *l,
			   const struct kft_event *ev, bool lost_before, bool swap,
			   struct kft_u64_vec *to)
{
	const uint8_t *data = ev->data;
	const struct source *source = l->sources;
	size_t at = to->len;
	uint64_t *p = to->data + at;

	if (ev->size < l->bytes || (l->filter && !kft_filter_match(l->filter, ev, swap)))
		return 0;
	write_row(e, ev, l->number, lost_before, swap, (struct row *)p);
	p += ROW_WORDS;
	for (const struct source *end = source + l->n_sources; source < end; source++)
		*p++ = read_number(data, source, swap);
	to->len = (size_t)(p - to->data);
	if (likely(!l->n_texts))
		return 1;
	int r = read_texts(e, ev, l, to);

	if (r == 0)
		to->len = at;
	return r;
}

/*
 * Appends a row for a plain event. All listeners use it, whatever it contains, so that no
 * branch depends on its content. A missing field is read as 0.
 */
static inline void read_plain(const struct kft_engine *e, const struct listener *l,
			      const struct kft_event *ev, bool lost_before, bool swap,
			      struct kft_u64_vec *to)
{
	const uint8_t *data = ev->data;
	uint64_t *p = to->data + to->len;
	const struct row row = {
		.ts = ev->ts,
		.pid = (int32_t)read_number(data, &e->pid, swap),
		.listener = l->number,
		.flags = (uint8_t)read_number(data, &e->flags, swap),
		.lost_before = lost_before,
	};

	memcpy(p, &row, sizeof(row));
	p += ROW_WORDS;
	for (unsigned int i = 0; i < PLAIN_FIELDS; i++)
		p[i] = read_number(data, &l->sources[i], swap);
	for (unsigned int i = PLAIN_FIELDS; unlikely(i < l->n_sources); i++)
		p[i] = read_number(data, &l->sources[i], swap);
	to->len += ROW_WORDS + l->n_sources;
}

/*
 * Appends the rows of any event. Its losses are in the first of them. If no kind uses the
 * event, a row without a listener has its losses, or the time of a batch's first event.
 */
static __attribute__((noinline)) int read_any(const struct kft_engine *e,
					      const struct listener *l,
					      const struct kft_event *ev, bool swap,
					      struct kft_u64_vec *to)
{
	bool lost_before = ev->lost_before != 0;
	size_t at = to->len;

	for (const struct listener *end = l ? l + l->n_of_id : l; l < end; l++) {
		int r = read_row(e, l, ev, lost_before, swap, to);

		if (unlikely(r < 0))
			return r;
		lost_before &= !r;
	}
	if (to->len > at || likely(at > 0 && !lost_before))
		return 0;
	write_row(e, ev, 0, lost_before, swap, (struct row *)&to->data[at]);
	to->len = at + ROW_WORDS;
	return 0;
}

static inline int read_event(const struct kft_engine *e, const struct kft_event *ev,
			     bool swap, struct kft_u64_vec *to)
{
	uint32_t first = ev->id < e->n_ids ? e->first[ev->id] : 0;
	const struct listener *l = first ? &e->listeners.data[first - 1] : NULL;
	bool lost_before = ev->lost_before != 0;

	if (!kft_vec_reserve(to, l ? l->room : ROW_WORDS))
		return -ENOMEM;
	__builtin_prefetch(to->data + to->len + PREFETCH_WORDS, 1);
	if (unlikely(!l || ev->size < l->plain_bytes))
		return read_any(e, l, ev, swap, to);
	for (const struct listener *end = l + l->n_of_id; l < end; l++) {
		read_plain(e, l, ev, lost_before, swap, to);
		lost_before = false;
	}
	return 0;
}

/*
 * swap is a constant in each caller and so costs nothing. The feeding thread writes near
 * *to: the local copy avoids writing to that cache line for each event.
 */
static inline int read_events(const struct kft_engine *e, const struct kft_event *evs,
			      size_t n, bool swap, struct kft_u64_vec *to)
{
	struct kft_u64_vec words = *to;
	int r = 0;

	for (size_t i = 0; i < n && !r; i++)
		r = read_event(e, &evs[i], swap, &words);
	*to = words;
	return r;
}

int kft_engine_read(const struct kft_engine *e, const struct kft_event *evs, size_t n,
		    struct kft_rows *to)
{
	return e->swap ? read_events(e, evs, n, true, &to->words)
		       : read_events(e, evs, n, false, &to->words);
}

static int note_loss(struct kft_engine *e, uint32_t cpu)
{
	while (e->cpu_losses.len <= cpu)
		if (!kft_vec_push(&e->cpu_losses, UINT64_C(0)))
			return -ENOMEM;
	e->losses++;
	e->cpu_losses.data[cpu]++;
	return 0;
}

static uint64_t losses_for(const struct kft_engine *e, const struct listener *l,
			   uint32_t cpu)
{
	if (!l->per_cpu)
		return e->losses;
	return cpu < e->cpu_losses.len ? e->cpu_losses.data[cpu] : 0;
}

static void find_texts(struct kft_kind_input *in, const uint64_t *texts)
{
	for (unsigned int i = 0; i < in->n_fields; i++) {
		if (!in->is_text[i])
			continue;
		in->texts[i] = (const char *)texts;
		texts += words_of(in->fields[i]);
	}
}

/* Whether the event is from the one buffer from which its class is used. */
static inline bool hears(struct listener *l, uint16_t buffer)
{
	if (unlikely(!l->has_buffer)) {
		l->has_buffer = true;
		l->buffer = buffer;
	}
	return l->buffer == buffer;
}

/* The fields are borrowed from the row. */
static inline int feed_kind(struct kft_engine *e, const struct listener *l,
			    const uint64_t *fields)
{
	struct kft_kind_input *in = &e->in;

	in->event = l->event;
	in->losses = e->losses ? losses_for(e, l, in->cpu) : 0;
	in->fields = fields;
	in->n_fields = l->n_sources;
	in->has = l->has;
	in->is_text = l->is_text;
	in->class_key = l->class_key;
	if (unlikely(l->n_texts > 0))
		find_texts(in, fields + l->n_sources);
	return l->kind->feed(l->kind, l->state, in, &e->sink);
}

static size_t words_of_texts(const struct listener *l, const uint64_t *fields)
{
	size_t n = 0;

	for (unsigned int i = 0; i < l->n_sources; i++)
		if (l->is_text[i])
			n += words_of(fields[i]);
	return n;
}

/* Feeds the row at *at and moves *at to the next row. */
static inline int feed_row(struct kft_engine *e, uint16_t buffer, const uint64_t **at)
{
	const struct row *row = (const struct row *)*at;
	const uint64_t *fields = *at + ROW_WORDS;
	int r = 0;

	if (unlikely(!e->started && !e->has_span))
		e->in.first_ts = row->ts;
	e->started = true;
	e->in.ts = row->ts;
	e->in.pid = row->pid;
	e->in.flags = row->flags;
	*at = fields;
	if (unlikely(row->lost_before))
		r = note_loss(e, e->in.cpu);
	if (unlikely(!row->listener || r < 0))
		return r;
	struct listener *l = &e->listeners.data[row->listener - 1];

	*at += l->n_sources + (unlikely(l->n_texts) ? words_of_texts(l, fields) : 0);
	return hears(l, buffer) ? feed_kind(e, l, fields) : 0;
}

int kft_engine_feed_rows(struct kft_engine *e, struct kft_rows *rows, uint64_t until)
{
	const uint64_t *p = rows->words.data + rows->at;
	const uint64_t *end = rows->words.data + rows->words.len;
	int r = 0;

	e->in.cpu = rows->cpu;
	while (p < end && *p <= until && !r)
		r = feed_row(e, rows->buffer, &p);
	rows->at = (size_t)(p - rows->words.data);
	return r;
}

/*
 * The next row is chosen without a branch, which CPUs would mispredict, as streams
 * alternate.
 */
int kft_engine_feed_both(struct kft_engine *e, struct kft_rows *a, struct kft_rows *b)
{
	struct kft_rows *const rows[] = {a, b};
	const uint64_t *p[] = {a->words.data + a->at, b->words.data + b->at};
	const uint64_t *const end[] = {a->words.data + a->words.len,
				       b->words.data + b->words.len};
	int r = 0;

	while (p[0] < end[0] && p[1] < end[1] && !r) {
		unsigned int next = *p[1] < *p[0];

		e->in.cpu = rows[next]->cpu;
		r = feed_row(e, rows[next]->buffer, &p[next]);
	}
	a->at = (size_t)(p[0] - a->words.data);
	b->at = (size_t)(p[1] - b->words.data);
	return r;
}

int kft_engine_feed_all(struct kft_engine *e, const struct kft_event *evs, size_t n)
{
	struct kft_rows *rows = &e->rows;

	rows->cpu = evs->cpu;
	rows->buffer = evs->buffer;
	rows->words.len = rows->at = 0;
	int r = kft_engine_read(e, evs, n, rows);

	return r < 0 ? r : kft_engine_feed_rows(e, rows, UINT64_MAX);
}

/* Like kft_engine_feed_all() for one event, without the setup that pays only for many. */
int kft_engine_feed(struct kft_engine *e, const struct kft_event *ev)
{
	struct kft_u64_vec *words = &e->rows.words;

	words->len = 0;
	int r = read_event(e, ev, e->swap, words);
	const uint64_t *p = words->data;

	e->in.cpu = ev->cpu;
	while (!r && p < words->data + words->len)
		r = feed_row(e, ev->buffer, &p);
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
