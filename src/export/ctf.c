// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Exports CTF 1.8 like LTTng's kernel traces: with its names of events and fields, and a
 * file for each CPU of each buffer. Values stay in the byte order of the traced machine,
 * so that most are copied unchanged.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/map.h"
#include "export/export_impl.h"
#include "file/ctf/kernel.h"
#include "model/syscall.h"

#define PACKET_BYTES ((size_t)64 * 1024)
#define BATCH_EVENTS 256
#define KINDS_MAX    65536
#define MAGIC	     0xc1fc1fc1
#define LENGTH_OF    "length_of_" /* prefix of the field with a sequence's length */
#define NS_PER_S     UINT64_C(1000000000)
#define RT_PRIO	     100 /* LTTng's priorities are relative to this */

/* The encoding of a field. */
enum how {
	INTEGER,
	PRIORITY, /* an integer, minus RT_PRIO */
	STRING,
	ARRAY, /* a fixed number of elements */
	SEQUENCE, /* a u32 length, then the elements */
};

struct column {
	const struct kft_field *f; /* borrowed */
	enum how how;
	const char *name; /* owned by the arena */
};

/* An event type of the new trace: a class, or one system call of a class. */
struct kind {
	const struct kft_class *cls; /* borrowed; NULL: the trace does not describe it */
	const char *name; /* owned by the arena, like columns */
	struct column *columns;
	size_t n_columns;
};

struct writer {
	struct kft_export *x;
	struct kft_arena arena;
	KFT_VEC(struct kind) kinds;
	struct kft_map
		/* maps class and number of the system call to 1 + index into kinds */
		ids;
	/* Fields that all events have; borrowed, NULL: missing. */
	const struct kft_field *pid;
	const struct kft_field *flags;
	const struct kft_field *preempt_count;
	bool swap; /* the trace's byte order differs from this machine's */
	bool has_raw; /* the trace describes raw_syscalls */
	uint8_t uuid[16];
	/* first stamp of all streams; UINT64_MAX: there are no events */
	uint64_t first_stamp;
	uint64_t base; /* ns that are subtracted from all stamps */
	uint64_t offset; /* of the clock: ns since 1970, or 0 */
	/* State of the current stream: */
	int fd; /* owned */
	uint32_t cpu;
	uint32_t stream_id; /* number of the buffer */
	struct kft_strbuf packet;
	uint64_t first_ts;
	uint64_t last_ts;
	uint64_t lost; /* total of all packets so far */
	uint64_t packets;
};

static void writer_finish(struct writer *w)
{
	kft_closep(&w->fd);
	kft_vec_finish(&w->kinds);
	kft_map_finish(&w->ids);
	kft_arena_finish(&w->arena);
	kft_strbuf_finish(&w->packet);
}

static void put_u32(struct writer *w, uint32_t v)
{
	v = kft_load_u32(&v, w->swap);
	kft_strbuf_add(&w->packet, &v, sizeof(v));
}

static void put_u64(struct writer *w, uint64_t v)
{
	v = kft_load_u64(&v, w->swap);
	kft_strbuf_add(&w->packet, &v, sizeof(v));
}

/* LTTng's names of fields in the scheduler's events. */
static const char *const renamed[][2] = {
	{"pid", "tid"},
	{"prev_pid", "prev_tid"},
	{"next_pid", "next_tid"},
	{"parent_pid", "parent_tid"},
	{"child_pid", "child_tid"},
	{"old_pid", "old_tid"},
};

static bool is_priority(const char *name)
{
	return strcmp(name, "prio") == 0 || strcmp(name, "prev_prio") == 0 ||
	       strcmp(name, "next_prio") == 0 || strcmp(name, "oldprio") == 0 ||
	       strcmp(name, "newprio") == 0;
}

static const char *field_name(const struct kft_class *cls, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(renamed); i++)
		if (strcmp(cls->system, "sched") == 0 && strcmp(renamed[i][0], name) == 0)
			return renamed[i][1];
	return name;
}

static bool has_prefix(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool is_taken(const struct kind *k, const char *name)
{
	for (size_t i = 0; i < k->n_columns; i++)
		if (strcmp(k->columns[i].name, name) == 0)
			return true;
	return false;
}

/* Turns a field's name into an identifier, with a number if it is taken. */
static const char *identifier(struct writer *w, const struct kind *k, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (has_prefix(name, LENGTH_OF))
		kft_strbuf_adds(&sb, "field_");
	for (; *name && sb.len < 200; name++) {
		bool is_word = (*name >= 'a' && *name <= 'z') ||
			       (*name >= 'A' && *name <= 'Z') ||
			       (*name >= '0' && *name <= '9');

		kft_strbuf_addc(&sb, is_word ? *name : '_');
	}
	size_t len = sb.len;
	for (unsigned int n = 1; is_taken(k, kft_strbuf_cstr(&sb)); n++) {
		sb.len = len;
		kft_strbuf_addf(&sb, "_%u", n);
	}
	return kft_arena_strdup(&w->arena, kft_strbuf_cstr(&sb));
}

static enum how how_of(const struct kft_class *cls, const struct kft_field *f)
{
	if (f->kind == KFT_FIELD_STRING)
		return STRING;
	if (f->kind == KFT_FIELD_INT)
		return strcmp(cls->system, "sched") == 0 && f->size == 4 &&
				       is_priority(f->name)
			       ? PRIORITY
			       : INTEGER;
	return f->place == KFT_FIELD_INLINE ? ARRAY : SEQUENCE;
}

/* The size of an element; elements that are not integers are written as bytes. */
static uint32_t element_bytes(const struct kft_field *f)
{
	uint32_t n = f->kind == KFT_FIELD_ARRAY ? f->elem_size : 1;

	return n == 2 || n == 4 || n == 8 ? n : 1;
}

static int add_columns(struct writer *w, struct kind *k)
{
	const struct kft_class *cls = k->cls;

	k->columns = kft_arena_alloc(&w->arena,
				     (cls->n_fields + 1) * sizeof(*k->columns));
	if (!k->columns)
		return -ENOMEM;
	for (uint32_t i = cls->n_common; i < cls->n_fields; i++) {
		const struct kft_field *f = &cls->fields[i];
		struct column c = {
			.f = f,
			.how = how_of(cls, f),
			.name = identifier(w, k, field_name(cls, f->name)),
		};

		if (!c.name)
			return -ENOMEM;
		k->columns[k->n_columns++] = c;
	}
	return 0;
}

/*
 * If a trace has raw_syscalls, the kernel's events of single system calls are a second copy of
 * each call: only the first copy gets LTTng's names.
 */
static bool is_copy_of_raw(const struct writer *w, const struct kft_class *cls)
{
	return w->has_raw && strcmp(cls->system, "syscalls") == 0 &&
	       kft_class_field(cls, "__syscall_nr");
}

/* Appends LTTng's name of the event; else the kernel's "system:event". */
static void event_name(const struct writer *w, const struct kft_class *cls,
		       const char *call, struct kft_strbuf *sb)
{
	struct kft_ctf_lttng_name lttng;

	if (call)
		kft_strbuf_addf(sb, "syscall_%s_%s",
				strcmp(cls->name, "sys_enter") == 0 ? "entry" : "exit",
				call);
	else if (!*cls->system)
		kft_strbuf_adds(sb, cls->name);
	else if (!is_copy_of_raw(w, cls) &&
		 kft_ctf_lttng_name(cls->system, cls->name, &lttng))
		kft_strbuf_adds(sb, lttng.name);
	else
		kft_strbuf_addf(sb, "%s:%s", cls->system, cls->name);
}

/* The system call of an event; NULL: the event is not about one. */
static const char *call_of(const struct writer *w, const struct kft_class *cls,
			   const struct kft_event *ev, int64_t *ret_number)
{
	struct kft_trace *t = w->x->trace;
	const struct kft_field *id;
	uint64_t v;

	*ret_number = -1;
	if (!cls || strcmp(cls->system, "raw_syscalls") != 0)
		return NULL;
	id = kft_class_field(cls, "id");
	if (!id || id->kind != KFT_FIELD_INT || !kft_event_int(ev, id, w->swap, &v))
		return NULL;
	const char *name = kft_syscall_name(kft_trace_syscalls(t), (int64_t)v);

	if (name)
		*ret_number = (int64_t)v;
	/*
	 * Readers would take LTTng's own name for these, "unknown", for a
	 * call without description.
	 */
	return name ? name : "other";
}

static int add_kind(struct writer *w, const struct kft_class *cls, const char *call)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
	struct kind k = {.cls = cls};

	if (w->kinds.len >= KINDS_MAX)
		return -E2BIG;
	if (cls)
		event_name(w, cls, call, &name);
	else
		kft_strbuf_adds(&name, "unknown");
	k.name = kft_arena_strdup(&w->arena, kft_strbuf_cstr(&name));
	if (!k.name)
		return -ENOMEM;
	int r = cls ? add_columns(w, &k) : 0;
	return r < 0 ? r : kft_vec_push(&w->kinds, k) ? 0 : -ENOMEM;
}

/* The index of the event's type, or -errno. */
static int kind_of(struct writer *w, const struct kft_event *ev)
{
	const struct kft_class *cls = kft_trace_class(w->x->trace, ev->id);
	int64_t number;
	const char *call = call_of(w, cls, ev, &number);
	/* Calls with a name have small numbers. */
	uint64_t *slot = kft_map_put(&w->ids, (uint64_t)(number + 1) << 16 | ev->id);

	if (!slot)
		return -ENOMEM;
	if (!*slot) {
		int r = add_kind(w, cls, call);

		if (r < 0)
			return r;
		*slot = w->kinds.len;
	}
	return (int)(*slot - 1);
}

static void put_string(struct writer *w, const struct kft_event *ev,
		       const struct kft_field *f)
{
	const char *text = "";
	size_t len = 0;

	(void)!kft_event_str(ev, f, w->swap, &text, &len);
	kft_strbuf_add(&w->packet, text, len);
	kft_strbuf_addc(&w->packet, '\0');
}

/* Appends the bytes of a field, with zeros beyond the record's end. */
static void put_bytes(struct writer *w, const struct kft_event *ev,
		      const struct kft_field *f, size_t wanted)
{
	const uint8_t *data = NULL;
	size_t len = 0;

	(void)!kft_event_bytes(ev, f, w->swap, &data, &len);
	len = KFT_MIN(len, wanted);
	kft_strbuf_add(&w->packet, data, len);
	kft_strbuf_fill(&w->packet, '\0', wanted - len);
}

static void put_sequence(struct writer *w, const struct kft_event *ev,
			 const struct kft_field *f)
{
	const uint8_t *data = NULL;
	size_t len = 0;

	(void)!kft_event_bytes(ev, f, w->swap, &data, &len);
	len -= len % element_bytes(f);
	put_u32(w, len / element_bytes(f));
	kft_strbuf_add(&w->packet, data, len);
}

static void put_column(struct writer *w, const struct kft_event *ev,
		       const struct column *c)
{
	uint64_t v;

	switch (c->how) {
	case PRIORITY:
		put_u32(w, kft_event_int(ev, c->f, w->swap, &v) ? v - RT_PRIO : 0);
		break;
	case INTEGER:
		put_bytes(w, ev, c->f, c->f->size);
		break;
	case STRING:
		put_string(w, ev, c->f);
		break;
	case ARRAY:
		put_bytes(w, ev, c->f, c->f->size - c->f->size % element_bytes(c->f));
		break;
	case SEQUENCE:
		put_sequence(w, ev, c->f);
		break;
	}
}

/* Positions in the packet's header of values that are known only at its end. */
#define HEADER_BYTES (4 + 16 + 4 + 6 * 8 + 4)
#define CONTEXT_AT   (4 + 16 + 4)

static void begin_packet(struct writer *w, uint64_t ts)
{
	kft_strbuf_clear(&w->packet);
	put_u32(w, MAGIC);
	kft_strbuf_add(&w->packet, w->uuid, sizeof(w->uuid));
	put_u32(w, w->stream_id);
	kft_strbuf_fill(&w->packet, '\0', 6 * sizeof(uint64_t));
	put_u32(w, w->cpu);
	w->first_ts = ts;
}

static int end_packet(struct writer *w)
{
	const uint64_t bits = w->packet.len * 8;
	const uint64_t context[6] = {w->first_ts, w->last_ts, bits,
				     bits,	  w->packets, w->lost};

	if (!w->packet.len)
		return 0;
	if (!kft_strbuf_ok(&w->packet))
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(context); i++) {
		uint64_t v = kft_load_u64(&context[i], w->swap);

		memcpy(w->packet.buf + CONTEXT_AT + i * sizeof(v), &v, sizeof(v));
	}
	int r = kft_write_all(w->fd, w->packet.buf, w->packet.len);
	kft_strbuf_clear(&w->packet);
	w->packets++;
	return r;
}

static uint64_t stamp_of(const struct writer *w, const struct kft_event *ev)
{
	return ev->ts < w->base ? 0 : ev->ts - w->base;
}

static uint64_t common_value(const struct writer *w, const struct kft_event *ev,
			     const struct kft_field *f)
{
	uint64_t v = 0;

	return f && kft_event_int(ev, f, w->swap, &v) ? v : 0;
}

/* The flags include the interrupt context, from which kft derives the use of a CPU. */
static void put_context(struct writer *w, const struct kft_event *ev)
{
	put_u32(w, (uint32_t)common_value(w, ev, w->pid));
	kft_strbuf_addc(&w->packet, (char)common_value(w, ev, w->flags));
	kft_strbuf_addc(&w->packet, (char)common_value(w, ev, w->preempt_count));
}

/* An unknown number is counted as one, because at least one event was lost. */
static void count_lost(struct writer *w, uint64_t lost)
{
	w->lost += lost == KFT_LOST_UNKNOWN ? 1 : lost;
}

/*
 * Tracers store the counter at the end of a packet, including events lost after the
 * packet's last event. A loss before the first event needs a packet of its own.
 */
static int end_at_loss(struct writer *w, const struct kft_event *ev)
{
	if (!w->packet.len) {
		w->last_ts = KFT_MAX(w->last_ts, stamp_of(w, ev));
		begin_packet(w, w->last_ts);
	}
	count_lost(w, ev->lost_before);
	return end_packet(w);
}

static int add_event(struct writer *w, const struct kft_event *ev)
{
	int kind = kind_of(w, ev);
	int r = 0;

	if (kind < 0)
		return kind;
	if (ev->lost_before)
		r = end_at_loss(w, ev);
	else if (w->packet.len >= PACKET_BYTES)
		r = end_packet(w);
	if (r < 0)
		return r;
	/* If a damaged stream goes back in time, the last stamp is repeated. */
	w->last_ts = KFT_MAX(w->last_ts, stamp_of(w, ev));
	if (!w->packet.len)
		begin_packet(w, w->last_ts);
	put_u32(w, (uint32_t)kind);
	put_u64(w, w->last_ts);
	put_context(w, ev);
	for (size_t i = 0; i < w->kinds.data[kind].n_columns; i++)
		put_column(w, ev, &w->kinds.data[kind].columns[i]);
	w->x->events++;
	return 0;
}

static int create_file(struct writer *w, const char *name, int *ret)
{
	int fd = openat(w->x->fd, name,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return kft_err_sys(w->x->e, -errno, "cannot create '%s/%s'", w->x->path,
				   name);
	*ret = fd;
	return 0;
}

static int write_stream(struct writer *w, struct kft_stream *s, size_t buffer)
{
	_cleanup_free_ struct kft_event *batch = calloc(BATCH_EVENTS, sizeof(*batch));
	uint64_t lost = 0;
	char name[48];
	size_t n;

	(void)snprintf(name, sizeof(name), "channel%zu_%u", buffer, s->cpu);
	w->cpu = s->cpu;
	w->stream_id = (uint32_t)buffer;
	w->last_ts = w->lost = w->packets = 0;
	int r = batch ? create_file(w, name, &w->fd) : -ENOMEM;
	if (r == 0 && kft_scope_start(w->x->scope, s))
		while (r == 0 && (n = kft_scope_fill(w->x->scope, s, batch, BATCH_EVENTS,
						     &lost)) > 0)
			for (size_t i = 0; i < n && r == 0; i++)
				r = add_event(w, &batch[i]);
	s->wanted = NULL;
	if (w->packet.len)
		count_lost(w, s->lost_after);
	if (r == 0)
		r = end_packet(w);
	kft_closep(&w->fd);
	w->fd = -1;
	return r;
}

static void add_quoted(struct kft_strbuf *sb, const char *s, size_t len)
{
	kft_strbuf_addc(sb, '"');
	for (size_t i = 0; i < len && s[i]; i++) {
		if (s[i] == '"' || s[i] == '\\' || (unsigned char)s[i] < ' ' ||
		    (unsigned char)s[i] >= 0x7f)
			kft_strbuf_addc(sb, '_');
		else
			kft_strbuf_addc(sb, s[i]);
	}
	kft_strbuf_addc(sb, '"');
}

static void declare_integer(struct kft_strbuf *sb, uint32_t bytes, bool is_signed,
			    bool is_hex)
{
	kft_strbuf_addf(sb, "integer { size = %u; align = 8; signed = %d; %s} ",
			bytes * 8, is_signed, is_hex ? "base = 16; " : "");
}

static void declare_column(struct kft_strbuf *sb, const struct column *c)
{
	const struct kft_field *f = c->f;
	const uint32_t element = element_bytes(f);

	kft_strbuf_adds(sb, "\t\t");
	switch (c->how) {
	case INTEGER:
	case PRIORITY:
		declare_integer(sb, f->size, f->is_signed, f->is_pointer);
		kft_strbuf_addf(sb, "_%s;\n", c->name);
		break;
	case STRING:
		kft_strbuf_addf(sb, "string _%s;\n", c->name);
		break;
	case ARRAY:
		declare_integer(sb, element, f->is_signed, false);
		kft_strbuf_addf(sb, "_%s[%u];\n", c->name, f->size / element);
		break;
	case SEQUENCE:
		kft_strbuf_addf(sb, "uint32_t _" LENGTH_OF "%s;\n\t\t", c->name);
		declare_integer(sb, element, f->is_signed, false);
		kft_strbuf_addf(sb, "_%s[_" LENGTH_OF "%s];\n", c->name, c->name);
		break;
	}
}

static void declare_kind(struct kft_strbuf *sb, const struct kind *k, size_t id,
			 size_t stream_id)
{
	kft_strbuf_adds(sb, "event {\n\tname = ");
	add_quoted(sb, k->name, strlen(k->name));
	kft_strbuf_addf(sb, ";\n\tid = %zu;\n\tstream_id = %zu;\n\tfields := struct {\n",
			id, stream_id);
	for (size_t i = 0; i < k->n_columns; i++)
		declare_column(sb, &k->columns[i]);
	kft_strbuf_adds(sb, "\t};\n};\n\n");
}

static void declare_env(struct kft_strbuf *sb, const struct kft_export *x)
{
	const struct kft_export_uname u = kft_export_uname(x);

	/* Readers recognise a kernel trace by the tracer's name. */
	kft_strbuf_adds(sb, "env {\n\tdomain = \"kernel\";\n\tsysname = ");
	add_quoted(sb, u.sysname.data, u.sysname.len);
	kft_strbuf_adds(sb, ";\n\thostname = ");
	add_quoted(sb, u.host.data, u.host.len);
	kft_strbuf_adds(sb, ";\n\tkernel_release = ");
	add_quoted(sb, u.release.data, u.release.len);
	kft_strbuf_adds(sb, ";\n\tkernel_version = ");
	add_quoted(sb, u.version.data, u.version.len);
	kft_strbuf_adds(sb, ";\n\tmachine = ");
	add_quoted(sb, u.machine.data, u.machine.len);
	kft_strbuf_adds(sb, ";\n\tarchitecture_bit_width = ");
	kft_strbuf_addu(sb, x->trace->meta.long_size * 8, 1);
	kft_strbuf_adds(sb, ";\n\ttracer_name = \"lttng-modules\";\n\ttracer_major = 2;\n"
			    "\ttracer_minor = 13;\n\ttracer_patchlevel = 0;\n"
			    "\twritten_by = \"kft " KFT_VERSION "\";\n};\n\n");
}

static void declare_uuid(struct kft_strbuf *sb, const uint8_t *uuid)
{
	kft_strbuf_adds(sb, "\tuuid = \"");
	for (size_t i = 0; i < 16; i++)
		kft_strbuf_addf(sb, "%s%02x",
				i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
				uuid[i]);
	kft_strbuf_adds(sb, "\";\n");
}

static void declare_trace(struct kft_strbuf *sb, const struct writer *w)
{
	kft_strbuf_addf(sb,
			"/* CTF 1.8 */\n\n"
			"typealias integer { size = 32; align = 8; signed = false; } := "
			"uint32_t;\n"
			"typealias integer { size = 64; align = 8; signed = false; } := "
			"uint64_t;\n\n"
			"trace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = %s;\n",
			w->x->trace->meta.big_endian ? "be" : "le");
	declare_uuid(sb, w->uuid);
	kft_strbuf_adds(sb,
			"\tpacket.header := struct {\n\t\tuint32_t magic;\n"
			"\t\tinteger { size = 8; align = 8; signed = false; } uuid[16];\n"
			"\t\tuint32_t stream_id;\n\t};\n};\n\n");
	declare_env(sb, w->x);
	kft_strbuf_addf(sb,
			"clock {\n\tname = \"monotonic\";\n\tfreq = 1000000000;\n"
			"\toffset = %" PRIu64 ";\n};\n\n",
			w->offset);
	kft_strbuf_adds(sb, "typealias integer { size = 64; align = 8; signed = false; "
			    "map = clock.monotonic.value; } := uint64_clock_t;\n\n");
}

/*
 * Declares a stream for each buffer: packets of one stream and CPU
 * must not overlap in time.
 */
static void declare_stream(struct kft_strbuf *sb, const struct writer *w, size_t id)
{
	kft_strbuf_addf(sb, "stream {\n\tid = %zu;\n", id);
	kft_strbuf_adds(
		sb,
		"\tpacket.context := struct {\n"
		"\t\tuint64_clock_t timestamp_begin;\n"
		"\t\tuint64_clock_t timestamp_end;\n"
		"\t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n"
		"\t\tuint64_t packet_seq_num;\n\t\tuint64_t events_discarded;\n"
		"\t\tuint32_t cpu_id;\n\t};\n"
		"\tevent.header := struct {\n\t\tuint32_t id;\n"
		"\t\tuint64_clock_t timestamp;\n\t};\n"
		"\tevent.context := struct {\n"
		"\t\tinteger { size = 32; align = 8; signed = true; } _tid;\n"
		"\t\tinteger { size = 8; align = 8; signed = false; } _common_flags;\n"
		"\t\tinteger { size = 8; align = 8; signed = false; } _common_preempt_count;\n"
		"\t};\n"
		"};\n\n");
	for (size_t i = 0; i < w->kinds.len; i++)
		declare_kind(sb, &w->kinds.data[i], i, id);
}

/* Written last: without metadata, the directory of a failed export is not a trace. */
static int write_metadata(struct writer *w)
{
	struct kft_strbuf *sb = &w->x->sb;

	declare_trace(sb, w);
	for (size_t i = 0; i < KFT_MAX(w->x->trace->buffers.len, (size_t)1); i++)
		declare_stream(sb, w, i);
	int r = create_file(w, "metadata", &w->fd);
	if (r == 0)
		r = kft_strbuf_ok(sb) ? kft_write_all(w->fd, sb->buf, sb->len) : -ENOMEM;
	kft_strbuf_clear(sb);
	return r;
}

static void add_u64(struct kft_strbuf *sb, uint64_t v)
{
	kft_strbuf_add(sb, &v, sizeof(v));
}

/* Hashes the first events: two traces may have the same metadata. */
static void identify_stream(struct writer *w, struct kft_stream *s)
{
	struct kft_strbuf *sb = &w->packet;
	struct kft_event ev;
	uint64_t lost = 0;

	add_u64(sb, s->cpu);
	if (kft_scope_start(w->x->scope, s) &&
	    kft_scope_fill(w->x->scope, s, &ev, 1, &lost) > 0) {
		add_u64(sb, ev.ts);
		add_u64(sb, ev.id);
		w->first_stamp = KFT_MIN(w->first_stamp, ev.ts);
	}
	s->wanted = NULL;
}

static void identify_scope(struct kft_strbuf *sb, const struct kft_scope *scope)
{
	add_u64(sb, scope->since);
	add_u64(sb, scope->until);
	for (size_t i = 0; i < scope->n_pids; i++)
		add_u64(sb, scope->pids[i]);
}

/*
 * Makes the UUID, by which readers distinguish traces. It is derived from the trace and
 * the exported range, so that the same export always gives the same bytes.
 */
static int make_uuid(struct writer *w)
{
	const struct kft_meta *m = &w->x->trace->meta;
	struct kft_strbuf *sb = &w->packet;
	uint64_t half[2];

	add_u64(sb, m->trace_id);
	add_u64(sb, m->wall.is_known ? m->wall.add : 0);
	kft_strbuf_add(sb, m->uname.data, m->uname.len);
	kft_strbuf_add(sb, m->command.data, m->command.len);
	kft_strbuf_add(sb, m->cmdlines.data, m->cmdlines.len);
	identify_scope(sb, w->x->scope);
	for (size_t i = 0; i < w->x->trace->buffers.len; i++)
		kft_vec_for_each(&w->x->trace->buffers.data[i].streams, s)
			if (kft_scope_has_cpu(w->x->scope, (*s)->cpu))
				identify_stream(w, *s);
	if (!kft_strbuf_ok(sb))
		return -ENOMEM;
	half[0] = kft_hash_bytes(sb->buf, sb->len);
	add_u64(sb, half[0]);
	half[1] = kft_hash_bytes(sb->buf, sb->len);
	memcpy(w->uuid, half, sizeof(w->uuid));
	w->uuid[6] = (w->uuid[6] & 0x0f) | 0x80; /* version 8: custom */
	w->uuid[8] = (w->uuid[8] & 0x3f) | 0x80;
	kft_strbuf_clear(sb);
	return kft_strbuf_ok(sb) ? 0 : -ENOMEM;
}

/*
 * Sets the clock's offset, which turns a stamp into a time of day. If the stamps are
 * times of day, the seconds of the first become the offset: readers assume that a clock
 * with a small offset does not know the date.
 */
static void set_clock(struct writer *w)
{
	const struct kft_meta *m = &w->x->trace->meta;

	if (!m->wall.is_known || m->clock.unit != KFT_CLOCK_NS ||
	    w->first_stamp == UINT64_MAX || m->wall.add > INT64_MAX)
		return;
	if (!m->wall.add)
		w->base = w->first_stamp - w->first_stamp % NS_PER_S;
	w->offset = m->wall.add + w->base;
}

static int write_ctf(struct kft_export *x)
{
	_cleanup_(writer_finish) struct writer w = {
		.x = x,
		.fd = -1,
		.first_stamp = UINT64_MAX,
		.swap = x->trace->swap,
		.pid = kft_trace_common_field(x->trace, "common_pid"),
		.flags = kft_trace_common_field(x->trace, "common_flags"),
		.preempt_count = kft_trace_common_field(x->trace, "common_preempt_count"),
		.has_raw = kft_class_table_find(&x->trace->classes, "raw_syscalls",
						"sys_enter"),
	};
	int r = make_uuid(&w);

	set_clock(&w);
	for (size_t i = 0; r == 0 && i < x->trace->buffers.len; i++)
		kft_vec_for_each(&x->trace->buffers.data[i].streams, s)
			if (r == 0 && kft_scope_has_cpu(x->scope, (*s)->cpu))
				r = write_stream(&w, *s, i);
	if (r == 0)
		r = write_metadata(&w);
	return r < 0 ? kft_export_failed(x, r) : 0;
}

const struct kft_export_format kft_export_ctf = {
	.summary = "CTF 1.8 with LTTng's names of the kernel's events, a directory",
	.viewer = "babeltrace2, Trace Compass",
	.shape = KFT_EXPORT_DIRECTORY,
	.write = write_ctf,
};
