// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Exports Perfetto's trace format: bundles of ftrace events, one CPU each, from
 * which Perfetto makes its tracks of CPUs, tasks, interrupts, system calls and calls
 * of functions. Events with a message type in Perfetto use it, all others are
 * generic. See docs/formats/export.md.
 */
#include <errno.h>
#include <string.h>

#include "decode/trace_lazy.h"
#include "export/protobuf.h"
#include "export/export_impl.h"
#include "output/value.h"

/* A packet is written when its events reach this size. */
#define BUNDLE_BYTES ((size_t)32 * 1024)

/*
 * Limit for distinct functions: more than any kernel has, so beyond
 * it the file is broken.
 */
#define SYMBOLS_MAX (1u << 20)

enum {
	TRACE_PACKET = 1,

	PACKET_FTRACE = 1,
	PACKET_PROCESS_TREE = 2,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_INTERNED = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_SYSTEM_INFO = 45,
	PACKET_FIRST_ON_SEQUENCE = 87,

	SEQUENCE_CLEARED = 1,
	SEQUENCE_NEEDS_STATE = 2,

	INTERNED_KERNEL_SYMBOLS = 26,
	INTERNED_IID = 1,
	INTERNED_STR = 2,

	TREE_PROCESSES = 1,
	TREE_THREADS = 2,
	PROCESS_PID = 1,
	PROCESS_CMDLINE = 3,
	THREAD_TID = 1,
	THREAD_NAME = 2,
	THREAD_TGID = 3,

	SYSTEM_UTSNAME = 1,
	UTSNAME_SYSNAME = 1,
	UTSNAME_VERSION = 2,
	UTSNAME_RELEASE = 3,
	UTSNAME_MACHINE = 4,

	BUNDLE_CPU = 1,
	BUNDLE_EVENT = 2,
	BUNDLE_LOST = 3,

	EVENT_TIMESTAMP = 1,
	EVENT_PID = 2,
	EVENT_COMMON_FLAGS = 5,
	EVENT_GENERIC = 327,

	GENERIC_NAME = 1,
	GENERIC_FIELD = 2,
	FIELD_NAME = 1,
	FIELD_STR = 3,
	FIELD_INT = 4,
	FIELD_UINT = 5,
};

#define NATIVE_FIELDS 7

/*
 * A kernel event with a message type: its field in FtraceEvent, and
 * the fields of the message.
 */
struct native {
	const char *system;
	const char *name;
	uint32_t field;
	struct {
		const char *name;
		uint32_t field;
		bool is_function; /* written as an interned symbol */
	} fields[NATIVE_FIELDS];
};

#define WAKEUP_FIELDS                                                                    \
	{                                                                                \
		{"comm", 1}, {"pid", 2}, {"prio", 3}, {"success", 4}, {"target_cpu", 5}, \
	}
#define ENTRY_FIELDS                    \
	{                               \
		{"depth", 1},           \
		{                       \
			"func", 2, true \
		}                       \
	}

/* clang-format off */
static const struct native natives[] = {
	{"ftrace", "print", 3, {{"ip", 1}, {"buf", 2}}},
	{"sched", "sched_switch", 4,
	 {{"prev_comm", 1}, {"prev_pid", 2}, {"prev_prio", 3}, {"prev_state", 4},
	  {"next_comm", 5}, {"next_pid", 6}, {"next_prio", 7}}},
	{"power", "cpu_frequency", 11, {{"state", 1}, {"cpu_id", 2}}},
	{"power", "cpu_idle", 13, {{"state", 1}, {"cpu_id", 2}}},
	{"sched", "sched_wakeup", 17, WAKEUP_FIELDS},
	{"sched", "sched_waking", 20, WAKEUP_FIELDS},
	{"irq", "softirq_entry", 24, {{"vec", 1}}},
	{"irq", "softirq_exit", 25, {{"vec", 1}}},
	{"irq", "softirq_raise", 26, {{"vec", 1}}},
	{"irq", "irq_handler_entry", 36, {{"irq", 1}, {"name", 2}}},
	{"irq", "irq_handler_exit", 37, {{"irq", 1}, {"ret", 2}}},
	{"sched", "sched_wakeup_new", 114, WAKEUP_FIELDS},
	{"task", "task_newtask", 235,
	 {{"pid", 1}, {"comm", 2}, {"clone_flags", 3}, {"oom_score_adj", 4}}},
	{"task", "task_rename", 236,
	 {{"pid", 1}, {"oldcomm", 2}, {"newcomm", 3}, {"oom_score_adj", 4}}},
	{"sched", "sched_process_exec", 237, {{"filename", 1}, {"pid", 2}, {"old_pid", 3}}},
	{"sched", "sched_process_exit", 238, {{"comm", 1}, {"pid", 2}, {"prio", 4}}},
	{"sched", "sched_process_fork", 239,
	 {{"parent_comm", 1}, {"parent_pid", 2}, {"child_comm", 3}, {"child_pid", 4}}},
	{"sched", "sched_process_free", 240, {{"comm", 1}, {"pid", 2}, {"prio", 3}}},
	{"raw_syscalls", "sys_enter", 329, {{"id", 1}, {"args", 2}}},
	{"raw_syscalls", "sys_exit", 330, {{"id", 1}, {"ret", 2}}},
	{"ftrace", "funcgraph_entry", 437, ENTRY_FIELDS},
	{"ftrace", "fgraph_retaddr_entry", 437, ENTRY_FIELDS},
	{"ftrace", "funcgraph_exit", 438,
	 {{"calltime", 1}, {"depth", 2}, {"func", 3, true}, {"overrun", 4}, {"rettime", 5}}},
};
/* clang-format on */

/* Data that is looked up once for each class. */
struct plan {
	const struct kft_class *cls; /* borrowed; NULL: the trace does not describe it */
	const struct native *native; /* NULL: a generic event */
	const struct kft_field *fields[NATIVE_FIELDS]; /* borrowed; NULL: missing */
};

/* The events of a CPU that are not written yet. */
struct bundle {
	struct kft_strbuf events;
	bool lost;
};

struct writer {
	struct kft_export *x;
	struct plan *plans[65536]; /* owned, by id; NULL: not seen yet */
	struct bundle *bundles; /* owned, by CPU */
	size_t n_bundles;
	struct kft_map symbols; /* maps an address to its interned id */
	struct kft_strbuf new_symbols; /* InternedData that is not written yet */
	struct kft_map known; /* maps tasks that were written to 1 */
	const struct kft_field *pid; /* borrowed, like the next; NULL: missing */
	const struct kft_field *flags;
	struct kft_strbuf text;
	bool is_started;
};

static void writer_finish(struct writer *w)
{
	for (size_t i = 0; i < ARRAY_SIZE(w->plans); i++)
		free(w->plans[i]);
	for (size_t i = 0; i < w->n_bundles; i++)
		kft_strbuf_finish(&w->bundles[i].events);
	free(w->bundles);
	kft_map_finish(&w->symbols);
	kft_map_finish(&w->known);
	kft_strbuf_finish(&w->new_symbols);
	kft_strbuf_finish(&w->text);
}

/*
 * Begins a packet. All have the same sequence number, so that they
 * can share interned data.
 */
static size_t begin_packet(struct writer *w)
{
	struct kft_strbuf *sb = &w->x->sb;
	size_t packet = kft_pb_begin(sb, TRACE_PACKET);

	kft_pb_number(sb, PACKET_SEQUENCE, 1);
	kft_pb_number(sb, PACKET_SEQUENCE_FLAGS,
		      w->is_started ? SEQUENCE_NEEDS_STATE : SEQUENCE_CLEARED);
	if (!w->is_started)
		kft_pb_number(sb, PACKET_FIRST_ON_SEQUENCE, 1);
	w->is_started = true;
	return packet;
}

static void write_utsname(struct writer *w)
{
	const struct kft_export_uname u = kft_export_uname(w->x);
	struct kft_strbuf *sb = &w->x->sb;

	kft_pb_text(sb, UTSNAME_SYSNAME, u.sysname.data, u.sysname.len);
	kft_pb_text(sb, UTSNAME_VERSION, u.version.data, u.version.len);
	kft_pb_text(sb, UTSNAME_RELEASE, u.release.data, u.release.len);
	kft_pb_text(sb, UTSNAME_MACHINE, u.machine.data, u.machine.len);
}

/*
 * Writes the first packet, with the kernel's version: it defines the
 * states in sched_switch.
 */
static void write_start(struct writer *w)
{
	struct kft_strbuf *sb = &w->x->sb;
	size_t packet = begin_packet(w);
	size_t info = kft_pb_begin(sb, PACKET_SYSTEM_INFO);
	size_t utsname = kft_pb_begin(sb, SYSTEM_UTSNAME);

	if (w->x->trace->meta.uname.len)
		write_utsname(w);
	kft_pb_end(sb, utsname);
	kft_pb_end(sb, info);
	kft_pb_end(sb, packet);
}

static void write_bundle(struct writer *w, uint32_t cpu)
{
	struct bundle *b = &w->bundles[cpu];
	struct kft_strbuf *sb = &w->x->sb;

	if (!b->events.len)
		return;
	size_t packet = begin_packet(w);
	if (w->new_symbols.len)
		kft_pb_bytes(sb, PACKET_INTERNED, w->new_symbols.buf, w->new_symbols.len);
	kft_strbuf_clear(&w->new_symbols);
	size_t bundle = kft_pb_begin(sb, PACKET_FTRACE);
	kft_pb_number(sb, BUNDLE_CPU, cpu);
	if (b->lost)
		kft_pb_number(sb, BUNDLE_LOST, 1);
	kft_strbuf_add(sb, b->events.buf, b->events.len);
	sb->failed |= b->events.failed | w->new_symbols.failed;
	kft_pb_end(sb, bundle);
	kft_pb_end(sb, packet);
	kft_strbuf_clear(&b->events);
	b->lost = false;
}

static struct bundle *get_bundle(struct writer *w, uint32_t cpu)
{
	if (cpu >= w->n_bundles) {
		struct bundle *more = reallocarray(w->bundles, (size_t)cpu + 1,
						   sizeof(*more));

		if (!more)
			return NULL;
		memset(more + w->n_bundles, 0, (cpu + 1 - w->n_bundles) * sizeof(*more));
		w->bundles = more;
		w->n_bundles = (size_t)cpu + 1;
	}
	return &w->bundles[cpu];
}

/* Writes a task's process; a task without a known process becomes a process of its own. */
static void introduce(struct writer *w, uint32_t task, uint64_t ts)
{
	uint64_t *slot = kft_map_put(&w->known, task);
	struct kft_strbuf *sb = &w->x->sb;

	if (!slot || *slot || !task)
		return;
	*slot = 1;
	const struct kft_task_table *tasks = &w->x->trace->tasks;
	const struct kft_task *known = kft_task_get(tasks, task);
	uint32_t tgid = known && known->tgid ? known->tgid : task;
	const char *name = kft_task_comm_at(tasks, task, ts);
	const char *group = kft_task_comm_at(tasks, tgid, ts);

	size_t packet = begin_packet(w);
	kft_pb_number(sb, PACKET_TIMESTAMP, ts);
	size_t tree = kft_pb_begin(sb, PACKET_PROCESS_TREE);
	size_t process = kft_pb_begin(sb, TREE_PROCESSES);
	kft_pb_number(sb, PROCESS_PID, tgid);
	kft_pb_text(sb, PROCESS_CMDLINE, group, strlen(group));
	kft_pb_end(sb, process);
	size_t thread = kft_pb_begin(sb, TREE_THREADS);
	kft_pb_number(sb, THREAD_TID, task);
	kft_pb_text(sb, THREAD_NAME, name, strlen(name));
	kft_pb_number(sb, THREAD_TGID, tgid);
	kft_pb_end(sb, thread);
	kft_pb_end(sb, tree);
	kft_pb_end(sb, packet);
}

static const struct native *find_native(const struct kft_class *cls)
{
	for (size_t i = 0; i < ARRAY_SIZE(natives); i++)
		if (strcmp(natives[i].name, cls->name) == 0 &&
		    strcmp(natives[i].system, cls->system) == 0)
			return &natives[i];
	return NULL;
}

static const struct plan *get_plan(struct writer *w, uint16_t id)
{
	if (w->plans[id])
		return w->plans[id];
	struct plan *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	w->plans[id] = p;
	p->cls = kft_trace_class(w->x->trace, id);
	p->native = p->cls ? find_native(p->cls) : NULL;
	for (size_t i = 0; p->native && i < NATIVE_FIELDS; i++)
		if (p->native->fields[i].name)
			p->fields[i] = kft_class_field(p->cls, p->native->fields[i].name);
	return p;
}

/* The interned id of a function's name; 0 beyond SYMBOLS_MAX. */
static uint64_t symbol(struct writer *w, uint64_t addr)
{
	struct kft_strbuf *sb = &w->new_symbols;
	uint64_t *slot = addr == KFT_MAP_NO_KEY || w->symbols.len >= SYMBOLS_MAX
				 ? kft_map_get(&w->symbols, addr)
				 : kft_map_put(&w->symbols, addr);

	if (!slot || *slot)
		return slot ? *slot : 0;
	*slot = w->symbols.len;
	kft_strbuf_clear(&w->text);
	kft_key_function(w->x->trace, addr, &w->text);
	size_t place = kft_pb_begin(sb, INTERNED_KERNEL_SYMBOLS);
	kft_pb_number(sb, INTERNED_IID, *slot);
	kft_pb_text(sb, INTERNED_STR, w->text.buf, w->text.len);
	kft_pb_end(sb, place);
	return *slot;
}

/* Appends the elements of an array of integers. */
static void add_elements(struct writer *w, struct kft_strbuf *sb, uint32_t number,
			 const struct kft_event *ev, const struct kft_field *f)
{
	const uint8_t *data;
	size_t len;

	if (!kft_event_bytes(ev, f, w->x->trace->swap, &data, &len))
		return;
	for (size_t i = 0; f->elem_size && i < len / f->elem_size; i++) {
		const struct kft_event part = {.data = data + i * f->elem_size,
					       .size = f->elem_size};
		const struct kft_field element = {.size = f->elem_size,
						  .is_signed = f->is_signed};
		uint64_t v;

		if (kft_event_int(&part, &element, w->x->trace->swap, &v))
			kft_pb_number(sb, number, v);
	}
}

static void add_native(struct writer *w, struct kft_strbuf *sb,
		       const struct kft_event *ev, const struct plan *p)
{
	const bool swap = w->x->trace->swap;
	size_t message = kft_pb_begin(sb, p->native->field);

	for (size_t i = 0; i < NATIVE_FIELDS; i++) {
		const struct kft_field *f = p->fields[i];
		const uint32_t number = p->native->fields[i].field;
		const char *text;
		size_t len;
		uint64_t v;

		if (!f)
			continue;
		if (f->kind == KFT_FIELD_INT && kft_event_int(ev, f, swap, &v))
			kft_pb_number(sb, number,
				      p->native->fields[i].is_function ? symbol(w, v)
								       : v);
		else if (f->kind == KFT_FIELD_STRING &&
			 kft_event_str(ev, f, swap, &text, &len))
			kft_pb_text(sb, number, text, len);
		else if (f->kind == KFT_FIELD_ARRAY)
			add_elements(w, sb, number, ev, f);
	}
	kft_pb_end(sb, message);
}

static void add_field(struct writer *w, struct kft_strbuf *sb, const struct kft_event *ev,
		      const struct kft_field *f)
{
	const bool swap = w->x->trace->swap;
	size_t place = kft_pb_begin(sb, GENERIC_FIELD);
	uint64_t v;

	kft_pb_text(sb, FIELD_NAME, f->name, strlen(f->name));
	if (f->kind == KFT_FIELD_INT && kft_event_int(ev, f, swap, &v)) {
		kft_pb_number(sb, f->is_signed ? FIELD_INT : FIELD_UINT, v);
	} else {
		kft_strbuf_clear(&w->text);
		kft_value_add_text(&w->text, ev, f, swap);
		kft_pb_bytes(sb, FIELD_STR, w->text.buf, w->text.len);
	}
	kft_pb_end(sb, place);
}

static void add_generic(struct writer *w, struct kft_strbuf *sb,
			const struct kft_event *ev, const struct kft_class *cls)
{
	const char *buffer = w->x->trace->buffers.data[ev->buffer].name;
	size_t message = kft_pb_begin(sb, EVENT_GENERIC);
	const char *name = cls ? cls->name : "unknown";

	kft_pb_text(sb, GENERIC_NAME, name, strlen(name));
	for (uint32_t i = cls ? cls->n_common : 0; cls && i < cls->n_fields; i++)
		add_field(w, sb, ev, &cls->fields[i]);
	if (buffer[0]) {
		size_t place = kft_pb_begin(sb, GENERIC_FIELD);

		kft_pb_bytes(sb, FIELD_NAME, "buffer", 6);
		kft_pb_text(sb, FIELD_STR, buffer, strlen(buffer));
		kft_pb_end(sb, place);
	}
	kft_pb_end(sb, message);
}

/*
 * Events of other buffers are written as generic ones: Perfetto would count a switch
 * twice that is in two buffers.
 */
static int add_event(void *arg, const struct kft_event *ev)
{
	struct writer *w = arg;
	const struct plan *p = get_plan(w, ev->id);
	struct bundle *b = get_bundle(w, ev->cpu);
	uint64_t v;

	if (!p || !b)
		return -ENOMEM;
	if (ev->lost_before) {
		write_bundle(w, ev->cpu);
		b->lost = true;
	}
	size_t event = kft_pb_begin(&b->events, BUNDLE_EVENT);

	kft_pb_number(&b->events, EVENT_TIMESTAMP, ev->ts);
	if (w->pid && kft_event_int(ev, w->pid, w->x->trace->swap, &v)) {
		introduce(w, v, ev->ts);
		kft_pb_number(&b->events, EVENT_PID, (uint32_t)v);
	}
	if (w->flags && kft_event_int(ev, w->flags, w->x->trace->swap, &v))
		kft_pb_number(&b->events, EVENT_COMMON_FLAGS, v);
	if (p->native && !w->x->trace->buffers.data[ev->buffer].name[0])
		add_native(w, &b->events, ev, p);
	else
		add_generic(w, &b->events, ev, p->cls);
	kft_pb_end(&b->events, event);
	if (b->events.len >= BUNDLE_BYTES)
		write_bundle(w, ev->cpu);
	return kft_export_drain(w->x);
}

static int write_events(struct writer *w)
{
	w->pid = kft_trace_common_field(w->x->trace, "common_pid");
	w->flags = kft_trace_common_field(w->x->trace, "common_flags");
	(void)kft_trace_symbols(w->x->trace);
	write_start(w);
	int r = kft_export_each(w->x, add_event, w);

	for (size_t i = 0; r == 0 && i < w->n_bundles; i++) {
		write_bundle(w, i);
		r = kft_export_drain(w->x);
	}
	return r;
}

static int write_perfetto(struct kft_export *x)
{
	struct writer *w = calloc(1, sizeof(*w));

	if (!w)
		return kft_export_failed(x, -ENOMEM);
	w->x = x;
	int r = write_events(w);

	writer_finish(w);
	free(w);
	return r;
}

const struct kft_export_format kft_export_perfetto = {
	.summary = "Perfetto's own trace, of any size",
	.viewer = "ui.perfetto.dev, trace_processor",
	.write = write_perfetto,
};
