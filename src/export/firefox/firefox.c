// SPDX-License-Identifier: LGPL-2.1-or-later
/* Collects the markers of a profile for the Firefox Profiler. */
#include "export/firefox/firefox.h"

#include <errno.h>
#include <string.h>

#include "derive/kinds/kinds.h"
#include "output/value.h"

/* The kinds of intervals to export. */
static const struct {
	const char *name;
	enum kft_firefox_kind kind;
} shown[] = {
	{"task", KFT_FIREFOX_TASK},	    {"irq", KFT_FIREFOX_IRQ},
	{"softirq", KFT_FIREFOX_SOFTIRQ},   {"syscall", KFT_FIREFOX_SYSCALL},
	{"function", KFT_FIREFOX_FUNCTION},
};

struct writer {
	struct kft_firefox f;
	struct kft_engine *engine; /* owned */
	const struct kft_interval_kind *kinds[ARRAY_SIZE(shown)];
	const struct kft_field *pid; /* borrowed; NULL: missing */
	struct kft_map threads; /* maps is_cpu and id to index + 1 */
	struct kft_map classes; /* ids that were seen */
	struct kft_strbuf name;
	struct kft_strbuf fields; /* a comma, and the object of a marker's fields */
};

static void writer_finish(struct writer *w)
{
	w->engine = kft_engine_destroy(w->engine);
	kft_intern_finish(&w->f.names);
	kft_byte_streams_finish(&w->f.strands);
	kft_vec_finish(&w->f.threads);
	kft_vec_finish(&w->f.classes);
	kft_map_finish(&w->threads);
	kft_map_finish(&w->classes);
	kft_strbuf_finish(&w->name);
	kft_strbuf_finish(&w->fields);
}

static int find_thread(struct writer *w, bool is_cpu, uint32_t id, uint64_t ts,
		       uint32_t *ret)
{
	uint64_t *slot = kft_map_put(&w->threads, (uint64_t)is_cpu << 32 | id);
	const struct kft_firefox_thread fresh = {
		.is_cpu = is_cpu, .id = id, .first_ns = ts};

	if (!slot)
		return -ENOMEM;
	if (!*slot) {
		if (!kft_vec_push(&w->f.threads, fresh))
			return -ENOMEM;
		*slot = w->f.threads.len;
	}
	*ret = *slot - 1;
	return 0;
}

/* Adds a marker with its name in w->name and its fields in w->fields. */
static int add(struct writer *w, bool is_cpu, uint32_t id,
	       const struct kft_firefox_row *row)
{
	struct kft_firefox_row whole = *row;
	uint32_t thread;
	int r = find_thread(w, is_cpu, id, row->begin_ns, &thread);

	if (r == 0)
		r = kft_intern(&w->f.names, w->name.buf, w->name.len, &whole.name);
	if (r == 0 && !kft_strbuf_ok(&w->fields))
		r = -ENOMEM;
	if (r < 0)
		return r;
	const char *comma = w->f.threads.data[thread].rows++ ? "," : "";

	r = kft_byte_streams_add(&w->f.strands, kft_firefox_fields_of(thread), comma,
				 strlen(comma));
	if (r == 0)
		r = kft_byte_streams_add(&w->f.strands, kft_firefox_fields_of(thread),
					 w->fields.buf, w->fields.len);
	return r < 0 ? r
		     : kft_byte_streams_add(&w->f.strands, kft_firefox_rows_of(thread),
					    &whole, sizeof(whole));
}

/* Idle tasks, which all have pid 0, are shown at their CPUs. */
static int add_to_task(struct writer *w, int32_t pid, uint32_t cpu,
		       const struct kft_firefox_row *row)
{
	return add(w, !pid, pid ? (uint32_t)pid : cpu, row);
}

static struct kft_json begin_fields(struct writer *w, const char *type, uint32_t cpu)
{
	struct kft_json j = {.sb = &w->fields};

	kft_strbuf_clear(&w->fields);
	kft_json_begin_object(&j);
	kft_json_key(&j, "type");
	kft_json_str(&j, type);
	kft_json_key(&j, "cpu");
	kft_json_u64(&j, cpu);
	return j;
}

static void set_name(struct writer *w, const char *name)
{
	kft_strbuf_clear(&w->name);
	kft_strbuf_add_escaped(&w->name, name, strlen(name));
}

/* Shows a running task also at its CPU, by its name. */
static int add_running(struct writer *w, const struct kft_interval *i,
		       struct kft_firefox_row row)
{
	row.kind = KFT_FIREFOX_ON_CPU;
	struct kft_json j = begin_fields(w, "on CPU", i->cpu);

	kft_json_key(&j, "pid");
	kft_json_i64(&j, i->pid);
	kft_json_end_object(&j);
	set_name(w, kft_task_comm_at(&w->f.x->trace->tasks, i->pid, i->begin_ns));
	return add(w, true, i->cpu, &row);
}

static int add_interval(void *arg, const struct kft_interval *i)
{
	struct writer *w = arg;
	struct kft_firefox_row row = {.begin_ns = i->begin_ns,
				      .end_ns = i->begin_ns + kft_interval_ns(i)};
	size_t k = 0;

	while (w->kinds[k] != i->kind)
		k++;
	row.kind = shown[k].kind;
	kft_export_interval_name(w->f.x, i, &w->name);
	struct kft_json j = begin_fields(w, i->kind->name, i->cpu);

	if (i->value != KFT_INTERVAL_NO_VALUE && i->kind->value) {
		kft_json_key(&j, "value");
		kft_json_i64(&j, i->value);
	}
	if (i->cause.pid >= 0) {
		kft_json_key(&j, "cause");
		kft_json_i64(&j, i->cause.pid);
	}
	kft_json_end_object(&j);
	int r = i->kind->per_cpu ? add(w, true, i->cpu, &row)
				 : add_to_task(w, i->pid, i->cpu, &row);

	if (r == 0 && row.kind == KFT_FIREFOX_TASK &&
	    strcmp(kft_strbuf_cstr(&w->name), "running") == 0)
		r = add_running(w, i, row);
	return r;
}

static int add_loss(struct writer *w, const struct kft_event *ev)
{
	const struct kft_firefox_row row = {
		.begin_ns = ev->ts, .end_ns = ev->ts, .kind = KFT_FIREFOX_LOST};
	struct kft_json j = begin_fields(w, "lost", ev->cpu);

	if (ev->lost_before != KFT_LOST_UNKNOWN) {
		kft_json_key(&j, "value");
		kft_json_exact(&j, ev->lost_before);
	}
	kft_json_end_object(&j);
	set_name(w, "events lost");
	return add(w, true, ev->cpu, &row);
}

static int see_class(struct writer *w, uint16_t id)
{
	uint64_t *slot = kft_map_put(&w->classes, id);

	if (!slot || (!*slot && !kft_vec_push(&w->f.classes, id)))
		return -ENOMEM;
	*slot = 1;
	return 0;
}

/*
 * Adds fields as text, because the profiler would print numbers with thousands
 * separators. The prefix of their names avoids conflicts with the profiler's own fields.
 */
static void add_fields(struct writer *w, const struct kft_event *ev,
		       const struct kft_class *cls, struct kft_json *j)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf key = {};

	for (uint32_t i = cls ? cls->n_common : 0; cls && i < cls->n_fields; i++) {
		kft_strbuf_clear(&key);
		kft_firefox_field_key(&key, &cls->fields[i]);
		kft_json_key_escaped(j, key.buf, key.len);
		kft_strbuf_clear(&w->name);
		kft_value_add_text(&w->name, ev, &cls->fields[i], w->f.x->trace->swap);
		kft_json_strn(j, w->name.buf, w->name.len);
	}
}

static int add_event(void *arg, const struct kft_event *ev)
{
	struct writer *w = arg;
	struct kft_trace *t = w->f.x->trace;
	const struct kft_class *cls = kft_trace_class(t, ev->id);
	const struct kft_firefox_row row = {
		.begin_ns = ev->ts, .end_ns = ev->ts, .kind = KFT_FIREFOX_EVENT};
	uint64_t pid = 0;
	int r = ev->lost_before ? add_loss(w, ev) : 0;

	if (r == 0)
		r = see_class(w, ev->id);
	if (w->pid)
		(void)!kft_event_int(ev, w->pid, t->swap, &pid);
	kft_strbuf_clear(&w->name);
	kft_firefox_class_name(&w->name, cls);
	struct kft_json j = begin_fields(w, kft_strbuf_cstr(&w->name), ev->cpu);

	add_fields(w, ev, cls, &j);
	kft_json_end_object(&j);
	set_name(w, cls ? cls->name : "unknown");
	if (r == 0)
		r = add_to_task(w, (int32_t)pid, ev->cpu, &row);
	return r < 0 ? r : kft_engine_feed(w->engine, ev);
}

static int start(struct writer *w)
{
	const struct kft_interval_sink sink = {add_interval, w};

	for (size_t i = 0; i < ARRAY_SIZE(shown); i++)
		w->kinds[i] = kft_interval_kind_find(shown[i].name);
	w->pid = kft_trace_common_field(w->f.x->trace, "common_pid");
	return kft_export_engine(w->f.x, w->kinds, ARRAY_SIZE(shown), &sink, &w->engine);
}

static int write_firefox(struct kft_export *x)
{
	_cleanup_(writer_finish) struct writer w = {.f = {.x = x, .strands.fd = -1}};
	int r = start(&w);

	if (r == 0)
		r = kft_export_each(x, add_event, &w);
	if (r == 0)
		r = kft_engine_flush(w.engine);
	if (r == 0)
		r = kft_firefox_write(&w.f);
	return r < 0 ? kft_export_failed(x, r) : 0;
}

const struct kft_export_format kft_export_firefox = {
	.summary = "markers of tasks and CPUs: events, states, interrupts, calls",
	.viewer = "Firefox Profiler (profiler.firefox.com)",
	.is_text = true,
	.write = write_firefox,
};
