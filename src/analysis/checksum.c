// SPDX-License-Identifier: LGPL-2.1-or-later
/* Computes a checksum of the contents of a trace's events. */
#include "analysis/checksum.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

/* docs/formats/checksum.md */
#define FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define MISSING \
	UINT64_C(0x6d697373696e67) /* for a field that the record is too short for */

#define IDS (UINT16_MAX + 1)

/* How a field is decoded: its kind, place and size reduced to one choice. */
enum how {
	HOW_INT,
	HOW_STRING, /* this and the following ones have no fixed length */
	HOW_ARRAY,
	HOW_BYTES,
};

/*
 * How to load a field. An integer is cut out of the eight bytes at `at` with shifts, whatever
 * its size and sign: branches on these would be mispredicted too often.
 */
struct step {
	uint32_t at;
	uint8_t up; /* left shift that drops the bits above the integer */
	uint8_t down; /* right shift that drops the bits below it */
	enum how how;
	uint64_t sign; /* the sign bit of a signed integer, or 0 */
	const struct kft_field *field; /* borrowed from the class */
};

/* A compiled event class. The steps of integers at fixed offsets come first. */
struct program {
	uint64_t seed; /* hash of the class's system and name */
	uint32_t fixed_bytes; /* shortest record with all of the integers; at least 8 */
	uint32_t n_fixed;
	uint32_t n_steps;
	struct step steps[];
};

struct state {
	struct kft_trace *trace; /* borrowed */
	struct program **programs; /* owned, each too; by id; NULL: not compiled yet */
	uint64_t *buffers; /* owned: hashes of the buffers' names */
	size_t n_buffers;
	struct kft_checksum result;
};

/* kft_trace_class() parses a class on first use, and several threads feed streams. */
static pthread_mutex_t class_lock = PTHREAD_MUTEX_INITIALIZER;

static inline uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * FACTOR;
	return h ^ h >> 32;
}

/* Mixes eight bytes at a time as a little-endian number. The last are padded with zeroes. */
static uint64_t mix_bytes(uint64_t h, const void *data, size_t len)
{
	const uint8_t *p = data;
	uint64_t last = 0;

	h = mix(h, len);
	for (; len >= sizeof(last); len -= sizeof(last), p += sizeof(last))
		h = mix(h, kft_load_u64(p, KFT_HOST_BIG_ENDIAN));
	for (size_t i = 0; i < len; i++)
		last |= (uint64_t)p[i] << 8 * i;
	return len ? mix(h, last) : h;
}

static uint64_t mix_text(uint64_t h, const char *text)
{
	return mix_bytes(h, text, strlen(text));
}

/* Two more rounds, so that every bit of the input affects all bits of the result. */
static uint64_t finish_mix(uint64_t h)
{
	return mix(mix(h, 0), h >> 29);
}

static enum how how_of(const struct kft_field *f)
{
	bool whole = f->kind == KFT_FIELD_INT && f->place == KFT_FIELD_INLINE;

	if (whole && (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8))
		return HOW_INT;
	if (f->kind == KFT_FIELD_STRING)
		return HOW_STRING;
	return f->kind == KFT_FIELD_ARRAY && f->elem_size > 1 ? HOW_ARRAY : HOW_BYTES;
}

/* common_type is left out: the id of an event type differs between kernels. */
static bool is_counted(const struct kft_field *f)
{
	return !f->is_common || strcmp(f->name, "common_type") != 0;
}

static void place_int(struct step *s, uint32_t fixed_bytes, bool big_endian)
{
	const struct kft_field *f = s->field;
	uint32_t last = fixed_bytes - sizeof(uint64_t);

	s->at = KFT_MIN(f->offset, last);
	uint32_t before = f->offset - s->at;

	s->up = 8 * (big_endian ? before : 8 - before - f->size);
	s->down = 64 - 8 * f->size;
	s->sign = f->is_signed ? UINT64_C(1) << (8 * f->size - 1) : 0;
}

static void add_steps(struct program *p, const struct kft_class *c, bool fixed)
{
	for (uint32_t i = 0; i < c->n_fields; i++) {
		const struct kft_field *f = &c->fields[i];
		enum how how = how_of(f);

		if (!is_counted(f) || (how < HOW_STRING) != fixed)
			continue;
		p->steps[p->n_steps++] = (struct step){.how = how, .field = f};
		if (fixed)
			p->fixed_bytes = KFT_MAX(p->fixed_bytes, f->offset + f->size);
	}
	if (fixed)
		p->n_fixed = p->n_steps;
}

/* Without a description of the class, its records are hashed as bytes. */
static struct program *compile(const struct kft_class *c, uint16_t id, bool big_endian)
{
	size_t n = c ? c->n_fields : 0;
	struct program *p = calloc(1, sizeof(*p) + n * sizeof(p->steps[0]));

	if (!p)
		return NULL;
	if (!c) {
		p->seed = mix(0, id);
		return p;
	}
	p->seed = mix_text(mix_text(0, c->system), c->name);
	p->fixed_bytes = sizeof(uint64_t);
	add_steps(p, c, true);
	for (uint32_t i = 0; i < p->n_fixed; i++)
		place_int(&p->steps[i], p->fixed_bytes, big_endian);
	add_steps(p, c, false);
	return p;
}

static struct program *find_program(struct state *s, uint16_t id)
{
	if (likely(s->programs[id]))
		return s->programs[id];
	(void)pthread_mutex_lock(&class_lock);
	const struct kft_class *c = kft_trace_class(s->trace, id);
	(void)pthread_mutex_unlock(&class_lock);
	s->programs[id] = compile(c, id, s->trace->swap != KFT_HOST_BIG_ENDIAN);
	return s->programs[id];
}

static inline __attribute__((always_inline)) uint64_t
load(const uint8_t *data, const struct step *step, bool swap)
{
	uint64_t v = kft_load_u64(data + step->at, swap) << step->up >> step->down;

	/* Sign extension. */
	return (v ^ step->sign) - step->sign;
}

static uint64_t mix_array(uint64_t h, const struct kft_field *f, const uint8_t *data,
			  size_t len, bool swap)
{
	struct kft_event one = {.size = f->elem_size};
	struct kft_field elem = {.size = f->elem_size, .is_signed = f->is_signed};
	uint64_t v;

	h = mix(h, len / f->elem_size);
	for (; len >= f->elem_size; len -= f->elem_size, data += f->elem_size) {
		one.data = data;
		h = mix(h, kft_event_int(&one, &elem, swap, &v) ? v : MISSING);
	}
	return h;
}

/* Mixes a field of variable length, or an integer of a truncated record. */
static uint64_t mix_slowly(uint64_t h, const struct kft_event *ev,
			   const struct step *step, bool swap)
{
	const struct kft_field *f = step->field;
	const uint8_t *data;
	const char *text;
	size_t len;
	uint64_t v;

	if (step->how < HOW_STRING)
		return mix(h, kft_event_int(ev, f, swap, &v) ? v : MISSING);
	if (step->how == HOW_STRING)
		return kft_event_str(ev, f, swap, &text, &len) ? mix_bytes(h, text, len)
							       : mix(h, MISSING);
	if (!kft_event_bytes(ev, f, swap, &data, &len))
		return mix(h, MISSING);
	return step->how == HOW_ARRAY ? mix_array(h, f, data, len, swap)
				      : mix_bytes(h, data, len);
}

static inline __attribute__((always_inline)) uint64_t
mix_event(uint64_t h, const struct program *p, const struct kft_event *ev, bool swap)
{
	uint32_t i = 0;

	if (likely(ev->size >= p->fixed_bytes))
		for (; i < p->n_fixed; i++)
			h = mix(h, load(ev->data, &p->steps[i], swap));
	for (; i < p->n_steps; i++)
		h = mix_slowly(h, ev, &p->steps[i], swap);
	return p->n_steps ? h : mix_bytes(h, ev->data, ev->size);
}

static inline __attribute__((always_inline)) int
feed_all(struct state *s, const struct kft_event *evs, size_t n, bool swap)
{
	uint64_t place = mix(s->buffers[evs->buffer], evs->cpu);

	for (size_t i = 0; i < n; i++) {
		const struct kft_event *ev = &evs[i];
		const struct program *p = find_program(s, ev->id);

		if (unlikely(!p))
			return -ENOMEM;
		uint64_t h = mix(place ^ p->seed, ev->ts);
		s->result.sum += finish_mix(mix_event(h, p, ev, swap));
		s->result.fields += p->n_steps;
	}
	s->result.events += n;
	return 0;
}

static int feed(void *arg, const struct kft_event *evs, size_t n)
{
	struct state *s = arg;

	return s->trace->swap ? feed_all(s, evs, n, true) : feed_all(s, evs, n, false);
}

static int join(void *arg, const void *arg_later)
{
	const struct state *later = arg_later;
	struct state *s = arg;

	s->result.events += later->result.events;
	s->result.fields += later->result.fields;
	s->result.sum += later->result.sum;
	return 0;
}

static void destroy(void *arg)
{
	struct state *s = arg;

	for (size_t i = 0; s->programs && i < IDS; i++)
		free(s->programs[i]);
	free(s->programs);
	free(s->buffers);
	free(s);
}

static int create(struct kft_trace *t, const void *arg, void **ret_state)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->trace = t;
	/* calloc() does not touch the pages of ids that the trace does not use. */
	s->programs = calloc(IDS, sizeof(struct program *));
	s->buffers = calloc(t->buffers.len + 1, sizeof(*s->buffers));
	if (!s->programs || !s->buffers) {
		destroy(s);
		return -ENOMEM;
	}
	for (size_t i = 0; i < t->buffers.len; i++)
		s->buffers[i] = mix_text(0, t->buffers.data[i].name);
	*ret_state = s;
	return 0;
}

static const struct kft_analysis analysis = {
	.by_stream = true,
	.create = create,
	.feed = feed,
	.join = join,
	.destroy = destroy,
};

int kft_checksum_run(struct kft_trace *t, const struct kft_analysis_opts *opts,
		     struct kft_checksum *ret, struct kft_err *e)
{
	void *state;
	int r = kft_analysis_run(&analysis, t, opts, &state, e);

	if (r < 0)
		return r;
	*ret = ((struct state *)state)->result;
	destroy(state);
	return 0;
}
