// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Exports Chrome's trace event format: every event with its task; as slices the tasks on
 * CPUs, interrupts, states of tasks, system calls and calls of functions; and arrows
 * from wake-ups to the woken tasks.
 */
#include <stdio.h>
#include <string.h>

#include "derive/kinds/kinds.h"
#include "export/export_impl.h"
#include "output/value.h"

/*
 * Artificial processes, with a thread for each CPU or task. Their numbers
 * are above all pids of Linux.
 */
enum group {
	CPUS = 1 << 23,
	INTERRUPTS,
	SOFTIRQS,
	STATES,
	IDLE, /* idle tasks, which all have pid 0 */
};

#define PID_MASK (CPUS - 1) /* larger pids exist only in a broken trace */

static const char *const group_names[] = {"CPUs", "interrupts", "softirqs",
					  "states of tasks", "idle"};

enum kind_of_slice { STATE, IRQ, SOFTIRQ, ON_TASK };

/* The kinds of intervals to export, and their places. */
static const struct {
	const char *name;
	enum kind_of_slice place;
} shown[] = {
	{"task", STATE},      {"irq", IRQ},	     {"softirq", SOFTIRQ},
	{"syscall", ON_TASK}, {"function", ON_TASK},
};

struct writer {
	struct kft_export *x;
	struct kft_json j;
	struct kft_engine *engine; /* owned */
	const struct kft_interval_kind *kinds[ARRAY_SIZE(shown)];
	enum kind_of_slice places[ARRAY_SIZE(shown)];
	size_t n_kinds;
	const struct kft_field *pid; /* borrowed; NULL: missing */
	struct kft_map named; /* maps process and thread to 1 */
	struct kft_strbuf name;
	uint64_t flows;
};

static void writer_finish(struct writer *w)
{
	w->engine = kft_engine_destroy(w->engine);
	kft_map_finish(&w->named);
	kft_strbuf_finish(&w->name);
}

static void key_number(struct writer *w, const char *key, uint64_t v)
{
	kft_json_key(&w->j, key);
	kft_json_exact(&w->j, v);
}

static void key_text(struct writer *w, const char *key, const char *text)
{
	kft_json_key(&w->j, key);
	kft_json_str(&w->j, text);
}

/* Appends microseconds with all digits of the nanoseconds. */
static void key_time(struct writer *w, const char *key, uint64_t ns)
{
	kft_json_key(&w->j, key);
	kft_json_decimal(&w->j, ns, 3);
}

static void begin(struct writer *w, const char *phase, uint64_t ts, uint32_t pid,
		  uint32_t tid)
{
	kft_json_begin_object(&w->j);
	key_text(w, "ph", phase);
	key_time(w, "ts", ts);
	key_number(w, "pid", pid);
	key_number(w, "tid", tid);
}

static void end(struct writer *w)
{
	kft_json_end_object(&w->j);
	kft_strbuf_addc(&w->x->sb, '\n');
}

static void name_it(struct writer *w, const char *what, uint32_t pid, uint32_t tid,
		    const char *name)
{
	kft_json_begin_object(&w->j);
	key_text(w, "ph", "M");
	key_text(w, "name", what);
	key_number(w, "pid", pid);
	key_number(w, "tid", tid);
	kft_json_key(&w->j, "args");
	kft_json_begin_object(&w->j);
	key_text(w, "name", name);
	kft_json_end_object(&w->j);
	end(w);
}

/* True on the first call with these numbers. When memory runs out, names are missing. */
static bool is_new(struct writer *w, uint32_t pid, uint32_t tid)
{
	uint64_t *slot = kft_map_put(&w->named, (uint64_t)pid << 32 | tid);
	bool fresh = slot && !*slot;

	if (fresh)
		*slot = 1;
	return fresh;
}

/* Names a process and its thread before their first use. */
static void introduce(struct writer *w, uint32_t pid, uint32_t tid, uint64_t ts)
{
	const struct kft_task_table *tasks = &w->x->trace->tasks;
	char name[32];

	if (!is_new(w, pid, tid))
		return;
	if (is_new(w, pid, UINT32_MAX))
		name_it(w, "process_name", pid, tid,
			pid >= CPUS ? group_names[pid - CPUS]
				    : kft_task_comm_at(tasks, pid, ts));
	if (pid >= CPUS && pid != STATES) {
		(void)snprintf(name, sizeof(name), "CPU %u", tid);
		name_it(w, "thread_name", pid, tid, name);
	} else {
		name_it(w, "thread_name", pid, tid, kft_task_comm_at(tasks, tid, ts));
	}
}

/* Chooses the process and thread under which a task is shown. */
static void place_task(struct writer *w, uint32_t task, uint32_t cpu, uint64_t ts,
		       uint32_t *ret_pid, uint32_t *ret_tid)
{
	const struct kft_task *known = kft_task_get(&w->x->trace->tasks, task);

	*ret_pid = !task ? (uint32_t)IDLE
			 : (known && known->tgid ? known->tgid : task) & PID_MASK;
	*ret_tid = task ? task & PID_MASK : cpu;
	introduce(w, *ret_pid, *ret_tid, ts);
}

static void slice(struct writer *w, const struct kft_interval *i, uint32_t pid,
		  uint32_t tid, const char *name)
{
	introduce(w, pid, tid, i->begin_ns);
	begin(w, "X", i->begin_ns, pid, tid);
	key_time(w, "dur", kft_interval_ns(i));
	key_text(w, "name", name);
	key_text(w, "cat", i->kind->name);
	if (i->value != KFT_INTERVAL_NO_VALUE && i->kind->value) {
		kft_json_key(&w->j, "args");
		kft_json_begin_object(&w->j);
		kft_json_key(&w->j, i->kind->value);
		kft_json_i64(&w->j, i->value);
		kft_json_end_object(&w->j);
	}
	end(w);
}

static void flow_end(struct writer *w, const char *phase, uint64_t ts, uint32_t cpu)
{
	introduce(w, CPUS, cpu, ts);
	begin(w, phase, ts, CPUS, cpu);
	key_number(w, "id", w->flows);
	key_text(w, "name", "wake-up");
	key_text(w, "cat", "wake-up");
	if (phase[0] == 'f')
		key_text(w, "bp", "e");
	end(w);
}

/* Appends an arrow from the wake-up to the CPU where the task runs next. */
static void flow(struct writer *w, const struct kft_interval *i)
{
	if (i->flags & (KFT_INTERVAL_BEGUN_BEFORE | KFT_INTERVAL_NOT_ENDED))
		return;
	w->flows++;
	flow_end(w, "s", i->begin_ns, i->cause.cpu);
	flow_end(w, "f", i->end_ns, i->end_cpu);
}

static void state(struct writer *w, const struct kft_interval *i)
{
	const char *name = kft_strbuf_cstr(&w->name);

	slice(w, i, STATES, i->pid & PID_MASK, name);
	if (strcmp(name, "running") == 0)
		slice(w, i, CPUS, i->cpu,
		      kft_task_comm_at(&w->x->trace->tasks, i->pid, i->begin_ns));
	else if (strcmp(name, "waiting") == 0 && i->cause.pid >= 0)
		flow(w, i);
}

static int add_interval(void *arg, const struct kft_interval *i)
{
	struct writer *w = arg;
	uint32_t pid;
	uint32_t tid;
	size_t k = 0;

	while (w->kinds[k] != i->kind)
		k++;
	kft_export_interval_name(w->x, i, &w->name);
	switch (w->places[k]) {
	case STATE:
		state(w, i);
		break;
	case IRQ:
		slice(w, i, INTERRUPTS, i->cpu, kft_strbuf_cstr(&w->name));
		break;
	case SOFTIRQ:
		slice(w, i, SOFTIRQS, i->cpu, kft_strbuf_cstr(&w->name));
		break;
	case ON_TASK:
		place_task(w, i->pid, i->cpu, i->begin_ns, &pid, &tid);
		slice(w, i, pid, tid, kft_strbuf_cstr(&w->name));
		break;
	}
	return kft_export_drain(w->x);
}

static void add_loss(struct writer *w, const struct kft_event *ev)
{
	introduce(w, CPUS, ev->cpu, ev->ts);
	begin(w, "i", ev->ts, CPUS, ev->cpu);
	key_text(w, "s", "t");
	key_text(w, "name", "events lost");
	key_text(w, "cat", "lost");
	kft_json_key(&w->j, "args");
	kft_json_begin_object(&w->j);
	kft_json_key(&w->j, "lost");
	if (ev->lost_before == KFT_LOST_UNKNOWN)
		kft_json_null(&w->j);
	else
		kft_json_exact(&w->j, ev->lost_before);
	kft_json_end_object(&w->j);
	end(w);
}

static void add_args(struct writer *w, const struct kft_event *ev,
		     const struct kft_class *cls)
{
	const struct kft_trace *t = w->x->trace;
	const char *buffer = t->buffers.data[ev->buffer].name;

	kft_json_key(&w->j, "args");
	kft_value_add_json_fields(&w->j, ev, cls, t->swap);
	key_number(w, "cpu", ev->cpu);
	if (buffer[0])
		key_text(w, "buffer", buffer);
}

static int add_event(void *arg, const struct kft_event *ev)
{
	struct writer *w = arg;
	const struct kft_class *cls = kft_trace_class(w->x->trace, ev->id);
	uint64_t task = 0;
	uint32_t pid;
	uint32_t tid;

	if (ev->lost_before)
		add_loss(w, ev);
	if (w->pid)
		(void)!kft_event_int(ev, w->pid, w->x->trace->swap, &task);
	place_task(w, task, ev->cpu, ev->ts, &pid, &tid);
	begin(w, "i", ev->ts, pid, tid);
	key_text(w, "s", "t");
	key_text(w, "name", cls ? cls->name : "unknown");
	key_text(w, "cat", cls ? cls->system : "");
	add_args(w, ev, cls);
	end(w);
	int r = kft_export_drain(w->x);

	return r < 0 ? r : kft_engine_feed(w->engine, ev);
}

static int start(struct writer *w)
{
	const struct kft_interval_sink sink = {add_interval, w};

	for (size_t i = 0; i < ARRAY_SIZE(shown); i++) {
		w->kinds[w->n_kinds] = kft_interval_kind_find(shown[i].name);
		w->places[w->n_kinds] = shown[i].place;
		w->n_kinds += w->kinds[w->n_kinds] != NULL;
	}
	w->pid = kft_trace_common_field(w->x->trace, "common_pid");
	return kft_export_engine(w->x, w->kinds, w->n_kinds, &sink, &w->engine);
}

static int write_chrome(struct kft_export *x)
{
	_cleanup_(writer_finish) struct writer w = {.x = x, .j = {.sb = &x->sb}};
	int r = start(&w);

	if (r < 0)
		return kft_export_failed(x, r);
	kft_strbuf_adds(&x->sb, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	r = kft_export_each(x, add_event, &w);
	if (r == 0)
		r = kft_engine_flush(w.engine);
	if (r < 0)
		return kft_export_failed(x, r);
	kft_strbuf_adds(&x->sb, "]}\n");
	return 0;
}

const struct kft_export_format kft_export_chrome = {
	.summary = "Chrome's trace events: tasks, CPUs, interrupts, calls, wake-ups",
	.viewer = "Perfetto, chrome://tracing, speedscope",
	.is_text = true,
	.write = write_chrome,
};
