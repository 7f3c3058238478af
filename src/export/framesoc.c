// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Exports Framesoc's "KPTrace CSV": events and switches of tasks in the order of time,
 * mixed with states, interrupts, softirqs, system calls and calls, each at its end.
 */
#include <string.h>

#include "decode/printfmt/print.h"
#include "derive/kinds/kinds.h"
#include "export/export_impl.h"

/*
 * The importer reads the first eight columns by position; each of
 * the others is a parameter.
 */
#define HEADER "start,end,,,type,producer,previous,cpu,start_ns,end_ns,info\n"

static const char *const shown[] = {"task", "irq", "softirq", "syscall", "function"};

struct writer {
	struct kft_export *x;
	struct kft_printer *printer; /* owned */
	struct kft_engine *engine; /* owned */
	const struct kft_interval_kind *kinds[ARRAY_SIZE(shown)];
	size_t n_kinds;
	const struct kft_field *pid; /* borrowed; NULL: missing */
	struct kft_strbuf text; /* raw text of a cell */
	struct kft_strbuf safe;
};

static void writer_finish(struct writer *w)
{
	w->printer = kft_printer_destroy(w->printer);
	w->engine = kft_engine_destroy(w->engine);
	kft_strbuf_finish(&w->text);
	kft_strbuf_finish(&w->safe);
}

/*
 * Appends w->text. The format has no quotes: bytes that end a cell, or that begin a line
 * separator of Java (U+2028, U+2029), become hexadecimal numbers.
 */
static void add_text(struct writer *w)
{
	const struct kft_strbuf *safe = &w->safe;

	kft_strbuf_clear(&w->safe);
	kft_strbuf_add_escaped(&w->safe, w->text.buf, w->text.len);
	for (size_t i = 0; i < safe->len; i++) {
		const unsigned char c = safe->buf[i];

		if (c == ',' ||
		    (i + 2 < safe->len && memcmp(safe->buf + i, "\xe2\x80", 2) == 0))
			kft_strbuf_addf(&w->x->sb, "\\x%02x", c);
		else
			kft_strbuf_addc(&w->x->sb, (char)c);
	}
}

/* Appends a task. Each task keeps one name, because the name identifies a producer. */
static void add_task(struct writer *w, uint32_t pid, uint32_t cpu)
{
	kft_strbuf_clear(&w->text);
	kft_strbuf_adds(&w->text, kft_task_comm(&w->x->trace->tasks, pid));
	if (pid)
		kft_strbuf_addf(&w->text, "-%d", (int32_t)pid);
	else
		kft_strbuf_addf(&w->text, " CPU %u", cpu);
	add_text(w);
}

static void add_times(struct kft_strbuf *sb, uint64_t begin, const uint64_t *end,
		      uint64_t unit)
{
	kft_strbuf_addu(sb, begin / unit, 1);
	kft_strbuf_addc(sb, ',');
	if (end)
		kft_strbuf_addu(sb, *end / unit, 1);
	kft_strbuf_addc(sb, ',');
}

/*
 * Appends the columns after the producer. All rows of a type need the same
 * parameters, so no cell is empty.
 */
static int end_row(struct writer *w, uint32_t cpu, uint64_t begin, const uint64_t *end)
{
	struct kft_strbuf *sb = &w->x->sb;

	kft_strbuf_addf(sb, ",%u,", cpu);
	add_times(sb, begin, end, 1);
	if (w->text.len)
		add_text(w);
	else
		kft_strbuf_addc(sb, '-');
	kft_strbuf_addc(sb, '\n');
	return kft_export_drain(w->x);
}

/*
 * A type is either event, state or link: a blank in its name separates states and links
 * from events, because names of events have no blanks.
 */
static void begin_row(struct writer *w, uint64_t begin, const uint64_t *end,
		      const char *kind)
{
	add_times(&w->x->sb, begin, end, 1000);
	kft_strbuf_adds(&w->x->sb, ",,");
	kft_strbuf_adds(&w->x->sb, kind);
}

static int add_interval(void *arg, const struct kft_interval *i)
{
	struct writer *w = arg;
	struct kft_strbuf *sb = &w->x->sb;
	uint64_t end = i->begin_ns + kft_interval_ns(i);

	begin_row(w, i->begin_ns, &end, i->kind->name);
	kft_strbuf_addc(sb, ' ');
	kft_export_interval_name(w->x, i, &w->text);
	add_text(w);
	kft_strbuf_addc(sb, ',');
	if (i->kind->per_cpu)
		kft_strbuf_addf(sb, "CPU %u", i->cpu);
	else
		add_task(w, i->pid, i->cpu);
	kft_strbuf_addc(sb, ',');
	kft_strbuf_clear(&w->text);
	if (i->value != KFT_INTERVAL_NO_VALUE && i->kind->value) {
		kft_strbuf_addf(&w->text, "%s=", i->kind->value);
		kft_strbuf_addi(&w->text, i->value);
	}
	return end_row(w, i->cpu, i->begin_ns, &end);
}

/* Appends a link from the previous task to the next one. */
static int add_switch(struct writer *w, const struct kft_event *ev,
		      const struct kft_class *cls)
{
	const struct kft_field *prev = cls ? kft_class_field(cls, "prev_pid") : NULL;
	const struct kft_field *next = cls ? kft_class_field(cls, "next_pid") : NULL;
	const bool swap = w->x->trace->swap;
	uint64_t from;
	uint64_t to;

	if (!prev || !next || strcmp(cls->name, "sched_switch") != 0 ||
	    !kft_event_int(ev, prev, swap, &from) || !kft_event_int(ev, next, swap, &to))
		return 0;
	begin_row(w, ev->ts, NULL, "context switch,");
	add_task(w, to, ev->cpu);
	kft_strbuf_addc(&w->x->sb, ',');
	add_task(w, from, ev->cpu);
	kft_strbuf_clear(&w->text);
	return end_row(w, ev->cpu, ev->ts, NULL);
}

static int add_event(void *arg, const struct kft_event *ev)
{
	struct writer *w = arg;
	struct kft_strbuf *sb = &w->x->sb;
	const struct kft_class *cls = kft_trace_class(w->x->trace, ev->id);
	uint64_t pid;

	begin_row(w, ev->ts, NULL, "");
	kft_strbuf_clear(&w->text);
	kft_strbuf_addf(&w->text, "%s:%s", cls ? cls->system : "",
			cls ? cls->name : "unknown");
	add_text(w);
	kft_strbuf_addc(sb, ',');
	if (w->pid && kft_event_int(ev, w->pid, w->x->trace->swap, &pid))
		add_task(w, pid, ev->cpu);
	else
		kft_strbuf_addf(sb, "CPU %u", ev->cpu);
	kft_strbuf_addc(sb, ',');
	kft_strbuf_clear(&w->text);
	kft_printer_info(w->printer, ev, &w->text);
	int r = end_row(w, ev->cpu, ev->ts, NULL);

	if (r == 0)
		r = add_switch(w, ev, cls);
	return r < 0 ? r : kft_engine_feed(w->engine, ev);
}

static int write_framesoc(struct kft_export *x)
{
	_cleanup_(writer_finish) struct writer w = {.x = x};
	const struct kft_interval_sink sink = {add_interval, &w};

	for (size_t i = 0; i < ARRAY_SIZE(shown); i++)
		w.kinds[w.n_kinds++] = kft_interval_kind_find(shown[i]);
	w.pid = kft_trace_common_field(x->trace, "common_pid");
	int r = kft_printer_create(x->trace, &w.printer);

	if (r == 0)
		r = kft_export_engine(x, w.kinds, w.n_kinds, &sink, &w.engine);
	kft_strbuf_adds(&x->sb, HEADER);
	if (r == 0)
		r = kft_export_each(x, add_event, &w);
	if (r == 0)
		r = kft_engine_flush(w.engine);
	return r < 0 ? kft_export_failed(x, r) : 0;
}

const struct kft_export_format kft_export_framesoc = {
	.summary = "KPTrace's events and states as rows of CSV",
	.viewer = "Framesoc (its importer of KPTrace CSV)",
	.is_text = true,
	.write = write_framesoc,
};
