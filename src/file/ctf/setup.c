// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets up a CTF reader from the metadata: clock, limits, classes. */
#include "file/ctf/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "decode/format.h"
#include "file/ctf/tsdl/parse.h"
#include "file/ctf/json/parse.h"
#include "file/ctf/text.h"

/* Classes with a smaller CTF id are found by index, others in a map. */
#define SMALL_IDS 8192u

#define NS_PER_S     INT64_C(1000000000)
#define OFFSET_S_MAX (INT64_MAX / NS_PER_S)

/*
 * 1973: a clock with a larger offset counts from 1970, as no
 * machine has been up that long.
 */
#define WALL_MIN_NS (100000000 * NS_PER_S)

void kft_ctf_unmap(struct kft_ctf_file *f)
{
	f->map = kft_mapped_destroy(f->map);
}

static void destroy_one(struct kft_ctf_reader *c)
{
	kft_vec_for_each(&c->lanes, l) {
		kft_vec_finish(&(*l)->packets);
		free(*l);
	}
	kft_vec_finish(&c->lanes);
	kft_map_finish(&c->lane_of);
	kft_vec_for_each(&c->channels, ch) {
		kft_map_finish(&ch->by_id);
		free(ch->classes);
	}
	kft_vec_finish(&c->channels);
	kft_vec_finish(&c->classes);
	kft_vec_for_each(&c->files, f)
		kft_ctf_unmap(f);
	kft_vec_finish(&c->files);
	kft_strbuf_finish(&c->texts);
	kft_ctf_meta_finish(&c->meta);
	free(c);
}

static void reader_destroy(struct kft_trace *t)
{
	struct kft_ctf_reader *c = t->reader;

	while (c) {
		struct kft_ctf_reader *next = c->next;

		destroy_one(c);
		c = next;
	}
}

/* Finds the clock of the first integer that is mapped to one. */
static uint16_t find_clock(const struct kft_ctf_node *n)
{
	if (n->type->clock != KFT_CTF_NO_CLOCK)
		return n->type->clock;
	for (uint32_t i = 0; i < n->n_children; i++) {
		uint16_t clock = find_clock(&n->children[i]);

		if (clock != KFT_CTF_NO_CLOCK)
			return clock;
	}
	return KFT_CTF_NO_CLOCK;
}

/* Only test traces have such clocks; sums of their times would wrap to another moment. */
static bool is_far_away(struct kft_trace *t, const struct kft_ctf_clock *clock)
{
	if (clock->offset_s >= -OFFSET_S_MAX && clock->offset_s <= OFFSET_S_MAX)
		return false;
	kft_trace_note(t, 0,
		       "clock '%s' begins %" PRId64 " s after 1970, more than 64 bits of "
		       "nanoseconds hold: times are counted from its own zero",
		       clock->name, clock->offset_s);
	return true;
}

/*
 * Sets the offset of the channel's times. Offsets can be negative; sums wrap
 * at 64 bits, as times do.
 */
static void set_clock(struct kft_ctf_reader *c, struct kft_ctf_channel *ch,
		      const struct kft_ctf_clock *clock)
{
	ch->freq = clock->freq;
	if (is_far_away(c->trace, clock))
		return;
	bool is_before = clock->offset < 0;
	uint64_t cycles = is_before ? -(uint64_t)clock->offset : (uint64_t)clock->offset;
	uint64_t ns = kft_ctf_cycles_ns(cycles, clock->freq);

	ch->offset_ns = (is_before ? -ns : ns) +
			(uint64_t)clock->offset_s * (uint64_t)NS_PER_S;
}

/* The clock's times are given in ns, whatever its unit is. */
static void name_clock(struct kft_trace *t, const char *name)
{
	t->meta.clock = (struct kft_clock){.unit = KFT_CLOCK_NS};
	(void)snprintf(t->meta.clock.name, sizeof(t->meta.clock.name), "%s", name);
}

static void choose_clock(struct kft_ctf_reader *c, struct kft_ctf_channel *ch,
			 const struct kft_ctf_stream_class *s)
{
	const struct kft_ctf_node *header = ch->scopes.roots[KFT_CTF_EVENT_HEADER];
	uint16_t clock = header ? find_clock(header) : KFT_CTF_NO_CLOCK;

	/*
	 * In CTF 2 an integer is only marked as a timestamp; the
	 * stream class names the clock.
	 */
	if (clock != KFT_CTF_NO_CLOCK && c->meta.is_ctf2)
		clock = s->clock;

	ch->freq = NS_PER_S;
	if (clock == KFT_CTF_NO_CLOCK)
		return;
	set_clock(c, ch, &c->meta.clocks.data[clock]);
	const char *name = c->meta.clocks.data[clock].name;
	name_clock(c->trace, name);
	/* The offset is relative to 1970, unless the clock has none. */
	c->trace->meta.wall.is_known = (int64_t)ch->offset_ns >= WALL_MIN_NS;
}

static int add_channel(struct kft_ctf_reader *c, struct kft_ctf_nodes *nodes,
		       const struct kft_ctf_scopes *packet,
		       const struct kft_ctf_stream_class *s, struct kft_err *e)
{
	struct kft_ctf_channel ch = {.id = s->id, .scopes = *packet};
	int r = kft_ctf_scopes_add(nodes, &ch.scopes, KFT_CTF_PACKET_CONTEXT,
				   s->packet_context, e);

	if (r == 0)
		r = kft_ctf_scopes_add(nodes, &ch.scopes, KFT_CTF_EVENT_HEADER,
				       s->event_header, e);
	if (r == 0)
		r = kft_ctf_scopes_add(nodes, &ch.scopes, KFT_CTF_STREAM_EVENT_CONTEXT,
				       s->event_context, e);
	if (r < 0)
		return r;
	ch.header = kft_ctf_header_plan(ch.scopes.roots[KFT_CTF_EVENT_HEADER]);
	choose_clock(c, &ch, s);
	c->n_slots = KFT_MAX(c->n_slots, (uint32_t)ch.scopes.n_slots);
	return kft_vec_push(&c->channels, ch) ? 0 : -ENOMEM;
}

static int add_channels(struct kft_ctf_reader *c, struct kft_ctf_nodes *nodes,
			struct kft_err *e)
{
	struct kft_ctf_scopes packet;

	kft_ctf_scopes_init(&packet);
	int r = kft_ctf_scopes_add(nodes, &packet, KFT_CTF_PACKET_HEADER,
				   c->meta.packet_header, e);
	kft_vec_for_each(&c->meta.streams, s) {
		if (r == 0)
			r = add_channel(c, nodes, &packet, s, e);
	}
	return r;
}

static struct kft_ctf_channel *find_channel(struct kft_ctf_reader *c, uint64_t id)
{
	kft_vec_for_each(&c->channels, ch)
		if (ch->id == id)
			return ch;
	return NULL;
}

static int register_class(struct kft_ctf_channel *ch, struct kft_ctf_class *cls)
{
	uint64_t *slot;

	if (!ch->classes)
		ch->classes = calloc(SMALL_IDS, sizeof(struct kft_ctf_class *));
	if (!ch->classes)
		return -ENOMEM;
	if (cls->ctf_id < SMALL_IDS) {
		ch->n_classes = SMALL_IDS;
		ch->classes[cls->ctf_id] = cls;
		return 0;
	}
	if (cls->ctf_id == KFT_MAP_NO_KEY)
		return -EINVAL;
	slot = kft_map_put(&ch->by_id, cls->ctf_id);
	if (!slot)
		return -ENOMEM;
	*slot = (uintptr_t)cls;
	return 0;
}

/*
 * Position of a class's format in the texts; an offset, as the
 * texts move while they grow.
 */
struct text_place {
	size_t offset;
	size_t len;
	char system[KFT_CTF_NAME_MAX];
};

struct classes_maker {
	struct kft_ctf_class_maker maker;
	KFT_VEC(struct text_place) places;
	struct kft_map by_hash; /* hash of a format's text -> 1 + index into places */
};

/* A format text without its ID line. */
struct unnumbered {
	const char *head; /* "name: NAME\n" */
	size_t head_len;
	const char *body; /* "\nformat: ..." */
	size_t body_len;
};

static struct unnumbered take_number_out(const struct kft_ctf_reader *c,
					 const struct text_place *p)
{
	static const char format[] = "\nformat:";
	const char *text = c->texts.buf + p->offset;
	const char *newline = memchr(text, '\n', p->len);
	const char *body = memmem(text, p->len, format, strlen(format));

	return (struct unnumbered){text, (size_t)(newline - text), body,
				   (size_t)(text + p->len - body)};
}

static bool is_same(const struct unnumbered *a, const struct unnumbered *b)
{
	return a->head_len == b->head_len && a->body_len == b->body_len &&
	       memcmp(a->head, b->head, a->head_len) == 0 &&
	       memcmp(a->body, b->body, a->body_len) == 0;
}

/*
 * Events of one name may have several classes: one in each channel, or one for each
 * system call. Other parts of kft look an event up by its name, so classes with
 * equal texts share one id.
 */
static int add_place(struct kft_ctf_reader *c, struct classes_maker *m,
		     const struct text_place *place, struct kft_ctf_class *cls)
{
	const struct unnumbered new = take_number_out(c, place);
	uint64_t hash = kft_hash_bytes(new.body, new.body_len) ^
			kft_hash_bytes(new.head, new.head_len);
	uint64_t *slot = kft_map_put(&m->by_hash, hash == KFT_MAP_NO_KEY ? 0 : hash);

	if (!slot)
		return -ENOMEM;
	if (*slot) {
		const struct text_place *p = &m->places.data[*slot - 1];
		const struct unnumbered old = take_number_out(c, p);

		if (strcmp(p->system, place->system) == 0 && is_same(&old, &new)) {
			cls->id = (uint16_t)(c->first_id + *slot);
			c->texts.len = place->offset;
			return 0;
		}
	}
	*slot = m->places.len + 1;
	return kft_vec_push(&m->places, *place) ? 0 : -ENOMEM;
}

static int make_class(struct kft_ctf_reader *c, struct classes_maker *m,
		      const struct kft_ctf_event_class *ev, struct kft_err *e)
{
	struct kft_ctf_channel *ch = find_channel(c, ev->stream_id);
	struct text_place place = {.offset = c->texts.len};
	struct kft_ctf_kernel_name name;
	struct kft_ctf_class *cls;

	if (!ch)
		return kft_err_set(e, -EINVAL, "it is of no stream that is described");
	size_t id = c->first_id + m->places.len + 1;
	if (id > UINT16_MAX)
		return kft_err_set(e, -EFBIG, "too many event types");
	m->maker.payload_align = ch->header.end_align;
	int r = kft_ctf_class_make(&m->maker, &ch->scopes, ev, id, &c->texts, &cls, &name,
				   e);
	if (r < 0)
		return r;
	if (c->texts.len > KFT_CTF_FORMATS_MAX)
		return kft_err_set(e, -EFBIG, "the formats of all events are too big");
	memcpy(place.system, name.system, sizeof(place.system));
	place.len = c->texts.len - place.offset;
	c->n_slots = KFT_MAX(c->n_slots, (uint32_t)cls->scopes.n_slots);
	ch->lacks_pid |= !cls->has_pid;
	ch->pid_by_switch |= cls->next_pid_at != 0 && !cls->has_pid;
	if (add_place(c, m, &place, cls) < 0 || !kft_vec_push(&c->classes, cls))
		return -ENOMEM;
	return register_class(ch, cls);
}

static int add_texts(struct kft_ctf_reader *c, const struct classes_maker *m)
{
	struct kft_class_table *classes = &c->trace->classes;
	int r = 0;

	kft_vec_for_each(&m->places, p) {
		const char *text = c->texts.buf + p->offset;

		if (r == 0)
			r = kft_class_table_add(classes, p->system, text, p->len);
	}
	return r;
}

static int make_classes(struct kft_ctf_reader *c, struct kft_err *e)
{
	struct classes_maker m = {.maker.nodes.meta = &c->meta};
	const char *tracer = kft_ctf_env_get(&c->meta, "tracer_name");
	int r = 0;

	m.maker.is_lttng = tracer && strcmp(tracer, "lttng-modules") == 0;
	r = add_channels(c, &m.maker.nodes, e);
	kft_vec_for_each(&c->meta.events, ev) {
		if (r < 0)
			break;
		r = make_class(c, &m, ev, e);
		if (r < 0)
			r = kft_err_wrap(e, r, "metadata: event '%.*s'", 64, ev->name);
	}
	/*
	 * Trees of events may give other integers of the header a slot; the fast header
	 * readers do not set them.
	 */
	kft_vec_for_each(&c->channels, ch)
		ch->header = kft_ctf_header_plan(ch->scopes.roots[KFT_CTF_EVENT_HEADER]);
	if (r == 0)
		r = add_texts(c, &m);
	kft_vec_finish(&m.places);
	kft_map_finish(&m.by_hash);
	return r;
}

int kft_ctf_setup(struct kft_ctf_reader *c, const uint8_t *data, size_t len,
		  struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	bool cut = false;

	if (len > KFT_CTF_TEXT_MAX)
		return kft_err_set(e, -EFBIG, "the metadata is too big");
	int r = kft_ctf_text(data, len, &text, &cut, e);
	if (r < 0)
		return r;
	if (cut)
		kft_trace_note(c->trace, 0,
			       "the metadata is cut short; event types up to there are "
			       "read");
	bool is_json = kft_ctf_is_json(kft_strbuf_cstr(&text), text.len);
	r = (is_json ? kft_ctf_parse2 : kft_ctf_parse)(text.buf, text.len, &c->meta, e);
	if (r < 0)
		return kft_err_wrap(e, r, "metadata");
	return make_classes(c, e);
}

static struct kft_ctf_reader *create_one(struct kft_trace *t)
{
	struct kft_ctf_reader *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->trace = t;
	c->n_slots = KFT_CTF_N_ROLES;
	/* Ids are indices into the table's texts, see kft_ctf_load_tasks(). */
	c->first_id = t->classes.texts.len;
	return c;
}

int kft_ctf_add_reader(struct kft_trace *t, const char *label,
		       struct kft_ctf_reader **ret)
{
	struct kft_ctf_reader *last = t->reader;

	while (last->next)
		last = last->next;
	last->next = create_one(t);
	if (!last->next)
		return -ENOMEM;
	*ret = last->next;
	(*ret)->label = label;
	return 0;
}

int kft_ctf_create(struct kft_trace **ret)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;

	if (kft_trace_create(&t) < 0)
		return -ENOMEM;
	t->reader = create_one(t);
	if (!t->reader)
		return -ENOMEM;
	t->destroy = reader_destroy;
	t->load_tasks = kft_ctf_load_tasks;
	t->classes.parse = kft_format_parse;
	/* Records are made by kft, in this machine's byte order and with 64-bit longs. */
	t->classes.long_size = 8;
	t->meta.long_size = 8;
	t->meta.big_endian = KFT_HOST_BIG_ENDIAN;
	t->meta.page_size = 4096;
	name_clock(t, "ctf");
	*ret = TAKE(t);
	return 0;
}
