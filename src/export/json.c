// SPDX-License-Identifier: LGPL-2.1-or-later
/* Exports newline-delimited JSON: events like `kft report --style json`, or intervals. */
#include "export/export_impl.h"
#include "output/json.h"
#include "output/report/report.h"

struct writer {
	struct kft_export *x;
	struct kft_report *report; /* owned */
	struct kft_strbuf name; /* name of an interval's key */
};

static void writer_finish(struct writer *w)
{
	w->report = kft_report_destroy(w->report);
	kft_strbuf_finish(&w->name);
}

static int add_event(void *arg, const struct kft_event *ev)
{
	struct writer *w = arg;

	kft_report_event(w->report, ev, &w->x->sb);
	return kft_export_drain(w->x);
}

static int write_events(struct writer *w)
{
	const struct kft_report_opts opts = {.trace = w->x->trace};
	int r = kft_report_create(&kft_report_json, &opts, &w->report);

	if (r < 0)
		return kft_export_failed(w->x, r);
	r = kft_export_each(w->x, add_event, w);
	if (r == 0)
		kft_report_end(w->report, &w->x->sb);
	return r;
}

static void add_optional(struct kft_json *j, const char *key, int64_t v, bool is_known)
{
	kft_json_key(j, key);
	if (is_known)
		kft_json_i64(j, v);
	else
		kft_json_null(j);
}

static void add_exact(struct kft_json *j, const char *key, uint64_t v)
{
	kft_json_key(j, key);
	kft_json_exact(j, v);
}

static void add_flag(struct kft_json *j, const char *key, bool is_set)
{
	if (!is_set)
		return;
	kft_json_key(j, key);
	kft_json_bool(j, true);
}

static int add_interval(void *arg, const struct kft_interval *i)
{
	struct writer *w = arg;
	struct kft_json j = {.sb = &w->x->sb};

	kft_export_interval_name(w->x, i, &w->name);
	kft_json_begin_object(&j);
	kft_json_key(&j, "kind");
	kft_json_str(&j, i->kind->name);
	kft_json_key(&j, "name");
	kft_json_strn(&j, w->name.buf, w->name.len);
	kft_json_key(&j, "key");
	if (kft_interval_key_is_number(i->kind, i->key))
		kft_json_u64(&j, i->key);
	else
		kft_json_null(&j);
	add_exact(&j, "begin", i->begin_ns);
	add_exact(&j, "end", i->end_ns);
	add_exact(&j, "cpu", i->cpu);
	add_exact(&j, "end_cpu", i->end_cpu);
	add_optional(&j, "pid", i->pid, true);
	kft_json_key(&j, "comm");
	kft_json_str(&j, kft_task_comm_at(&w->x->trace->tasks, i->pid, i->begin_ns));
	add_optional(&j, "value", i->value, i->value != KFT_INTERVAL_NO_VALUE);
	add_optional(&j, "cause_pid", i->cause.pid, i->cause.pid >= 0);
	add_exact(&j, "depth", i->depth);
	add_flag(&j, "begun_before", i->flags & KFT_INTERVAL_BEGUN_BEFORE);
	add_flag(&j, "not_ended", i->flags & KFT_INTERVAL_NOT_ENDED);
	add_flag(&j, "losses", i->flags & KFT_INTERVAL_LOSSES);
	kft_json_end_object(&j);
	kft_strbuf_addc(&w->x->sb, '\n');
	return kft_export_drain(w->x);
}

static int write_json(struct kft_export *x)
{
	_cleanup_(writer_finish) struct writer w = {.x = x};

	return x->n_kinds ? kft_export_intervals(x, add_interval, &w) : write_events(&w);
}

const struct kft_export_format kft_export_json = {
	.summary = "an object a line, of events or intervals",
	.viewer = "jq, programs",
	.is_text = true,
	.has_intervals = true,
	.write = write_json,
};
