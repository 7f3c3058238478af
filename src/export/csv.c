// SPDX-License-Identifier: LGPL-2.1-or-later
/* Exports comma separated values (RFC 4180): a row for each event or each interval. */
#include "decode/printfmt/print.h"
#include "export/export_impl.h"
#include "output/csv.h"
#include "output/value.h"

struct writer {
	struct kft_export *x;
	struct kft_printer *printer; /* owned */
	const struct kft_field *pid; /* borrowed; NULL: missing */
	struct kft_strbuf text; /* text of one column */
};

static void writer_finish(struct writer *w)
{
	w->printer = kft_printer_destroy(w->printer);
	kft_strbuf_finish(&w->text);
}

/* Appends text escaped for a terminal: without line breaks, as valid UTF-8. */
static void add_escaped(struct writer *w, const char *s, size_t len)
{
	kft_strbuf_clear(&w->text);
	kft_strbuf_add_escaped(&w->text, s, len);
	kft_csv_add_quoted(&w->x->sb, w->text.buf, w->text.len);
}

static void add_name(struct writer *w, const char *s)
{
	add_escaped(w, s, strlen(s));
	kft_strbuf_addc(&w->x->sb, ',');
}

/*
 * Appends values in the JSON of kft report: quoted text cannot be
 * confused with names or numbers.
 */
static void add_fields(struct writer *w, const struct kft_event *ev,
		       const struct kft_class *cls)
{
	struct kft_json j = {.sb = &w->text};

	kft_strbuf_clear(&w->text);
	kft_value_add_json_fields(&j, ev, cls, w->x->trace->swap);
	kft_csv_add_quoted(&w->x->sb, w->text.buf, w->text.len);
}

static void add_task(struct writer *w, const struct kft_event *ev)
{
	struct kft_strbuf *sb = &w->x->sb;
	uint64_t pid;

	if (!w->pid || !kft_event_int(ev, w->pid, w->x->trace->swap, &pid)) {
		kft_strbuf_addc(sb, ',');
		kft_strbuf_addc(sb, ',');
		return;
	}
	add_name(w, kft_task_comm_at(&w->x->trace->tasks, pid, ev->ts));
	kft_strbuf_addi(sb, (int32_t)pid);
	kft_strbuf_addc(sb, ',');
}

static void add_lost(struct kft_strbuf *sb, uint64_t lost)
{
	if (lost == KFT_LOST_UNKNOWN)
		kft_strbuf_addc(sb, '?');
	else
		kft_strbuf_addu(sb, lost, 1);
}

static int add_event(void *arg, const struct kft_event *ev)
{
	struct writer *w = arg;
	struct kft_trace *t = w->x->trace;
	struct kft_strbuf *sb = &w->x->sb;
	const struct kft_class *cls = kft_trace_class(t, ev->id);

	kft_strbuf_addu(sb, ev->ts, 1);
	kft_strbuf_addc(sb, ',');
	add_name(w, t->buffers.data[ev->buffer].name);
	kft_strbuf_addu(sb, ev->cpu, 1);
	kft_strbuf_addc(sb, ',');
	add_task(w, ev);
	add_name(w, cls ? cls->system : "");
	add_name(w, cls ? cls->name : "");
	add_lost(sb, ev->lost_before);
	kft_strbuf_addc(sb, ',');
	add_fields(w, ev, cls);
	kft_strbuf_addc(sb, ',');
	kft_strbuf_clear(&w->text);
	kft_printer_info(w->printer, ev, &w->text);
	kft_csv_add_quoted(sb, w->text.buf, w->text.len);
	kft_strbuf_addc(sb, '\n');
	return kft_export_drain(w->x);
}

static int write_events(struct writer *w)
{
	int r = kft_printer_create(w->x->trace, &w->printer);

	if (r < 0)
		return kft_export_failed(w->x, r);
	w->pid = kft_trace_common_field(w->x->trace, "common_pid");
	kft_strbuf_adds(&w->x->sb, "ts,buffer,cpu,comm,pid,system,event,lost_before,"
				   "fields,info\n");
	return kft_export_each(w->x, add_event, w);
}

static void add_number(struct kft_strbuf *sb, int64_t v, bool is_known)
{
	if (is_known)
		kft_strbuf_addi(sb, v);
	kft_strbuf_addc(sb, ',');
}

static int add_interval(void *arg, const struct kft_interval *i)
{
	struct writer *w = arg;
	struct kft_strbuf *sb = &w->x->sb;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};

	add_name(w, i->kind->name);
	kft_export_interval_name(w->x, i, &name);
	add_name(w, kft_strbuf_cstr(&name));
	if (kft_interval_key_is_number(i->kind, i->key))
		kft_strbuf_addu(sb, i->key, 1);
	kft_strbuf_addc(sb, ',');
	kft_strbuf_addu(sb, i->begin_ns, 1);
	kft_strbuf_addc(sb, ',');
	kft_strbuf_addu(sb, i->end_ns, 1);
	kft_strbuf_addc(sb, ',');
	add_number(sb, i->cpu, true);
	add_number(sb, i->end_cpu, true);
	add_number(sb, i->pid, true);
	add_name(w, kft_task_comm_at(&w->x->trace->tasks, i->pid, i->begin_ns));
	add_number(sb, i->value, i->value != KFT_INTERVAL_NO_VALUE);
	add_number(sb, i->cause.pid, i->cause.pid >= 0);
	add_number(sb, i->depth, true);
	add_number(sb, !!(i->flags & KFT_INTERVAL_BEGUN_BEFORE), true);
	add_number(sb, !!(i->flags & KFT_INTERVAL_NOT_ENDED), true);
	kft_strbuf_addi(sb, !!(i->flags & KFT_INTERVAL_LOSSES));
	kft_strbuf_addc(sb, '\n');
	return kft_export_drain(w->x);
}

static int write_csv(struct kft_export *x)
{
	_cleanup_(writer_finish) struct writer w = {.x = x};

	if (!x->n_kinds)
		return write_events(&w);
	kft_strbuf_adds(&x->sb, "kind,name,key,begin,end,cpu,end_cpu,pid,comm,value,"
				"cause_pid,depth,begun_before,not_ended,losses\n");
	return kft_export_intervals(x, add_interval, &w);
}

const struct kft_export_format kft_export_csv = {
	.summary = "a row for each event or interval",
	.viewer = "spreadsheets, pandas, R",
	.is_text = true,
	.has_intervals = true,
	.write = write_csv,
};
