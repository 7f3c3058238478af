// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the threads of a profile with their markers. */
#include <stdio.h>
#include <string.h>

#include "export/firefox/firefox.h"

/* Writes one column of a thread's markers. */
struct column {
	struct kft_export *x;
	struct kft_json j;
	void (*add)(struct kft_json *j, const struct kft_firefox_row *row);
};

static void add_name(struct kft_json *j, const struct kft_firefox_row *row)
{
	kft_json_u64(j, row->name);
}

/* Appends milliseconds with all digits. */
static void add_begin(struct kft_json *j, const struct kft_firefox_row *row)
{
	kft_json_decimal(j, row->begin_ns, 6);
}

static bool is_instant(const struct kft_firefox_row *row)
{
	return row->kind == KFT_FIREFOX_EVENT || row->kind == KFT_FIREFOX_LOST;
}

static void add_end(struct kft_json *j, const struct kft_firefox_row *row)
{
	if (is_instant(row))
		kft_json_null(j);
	else
		kft_json_decimal(j, row->end_ns, 6);
}

static void add_phase(struct kft_json *j, const struct kft_firefox_row *row)
{
	kft_json_u64(j, is_instant(row) ? 0 : 1);
}

static void add_category(struct kft_json *j, const struct kft_firefox_row *row)
{
	kft_json_u64(j, row->kind);
}

static const struct {
	const char *key;
	void (*add)(struct kft_json *j, const struct kft_firefox_row *row);
} columns[] = {
	{"name", add_name},   {"startTime", add_begin},	  {"endTime", add_end},
	{"phase", add_phase}, {"category", add_category},
};

static int take_rows(void *arg, const char *data, size_t len)
{
	struct column *c = arg;
	struct kft_firefox_row row;

	for (size_t at = 0; at + sizeof(row) <= len; at += sizeof(row)) {
		memcpy(&row, data + at, sizeof(row));
		c->add(&c->j, &row);
	}
	return kft_export_drain(c->x);
}

static int take_fields(void *arg, const char *data, size_t len)
{
	struct kft_export *x = arg;

	kft_strbuf_add(&x->sb, data, len);
	return kft_export_drain(x);
}

static int write_markers(struct kft_firefox *f, uint32_t thread)
{
	struct kft_strbuf *sb = &f->x->sb;
	int r = 0;

	kft_strbuf_addf(sb, ",\"markers\":{\"length\":%llu",
			(unsigned long long)f->threads.data[thread].rows);
	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(columns); i++) {
		struct column c = {.x = f->x, .j = {.sb = sb}, .add = columns[i].add};

		kft_strbuf_addf(sb, ",\"%s\":[", columns[i].key);
		r = kft_byte_streams_read(&f->strands, kft_firefox_rows_of(thread),
					  take_rows, &c);
		kft_strbuf_addc(sb, ']');
	}
	kft_strbuf_adds(sb, ",\"data\":[");
	if (r == 0)
		r = kft_byte_streams_read(&f->strands, kft_firefox_fields_of(thread),
					  take_fields, f->x);
	kft_strbuf_adds(sb, "]}");
	return r;
}

static void key_text(struct kft_json *j, const char *key, const char *text)
{
	kft_json_key(j, key);
	kft_json_str(j, text);
}

/* Appends a name from a trace, escaped for display. */
static void key_name(struct kft_json *j, const char *key, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf safe = {};

	kft_strbuf_add_escaped(&safe, name, strlen(name));
	key_text(j, key, kft_strbuf_cstr(&safe));
}

/* CPUs are threads of one artificial process; tasks belong to their own process. */
static void add_owner(struct kft_firefox *f, struct kft_json *j,
		      const struct kft_firefox_thread *thread)
{
	const struct kft_task_table *tasks = &f->x->trace->tasks;
	const struct kft_task *task = thread->is_cpu ? NULL
						     : kft_task_get(tasks, thread->id);
	uint32_t process = task && task->tgid ? task->tgid : thread->id;
	char text[32];

	(void)snprintf(text, sizeof(text), "CPU %u", thread->id);
	key_name(j, "name",
		 thread->is_cpu ? text
				: kft_task_comm_at(tasks, thread->id, thread->first_ns));
	key_name(j, "processName",
		 thread->is_cpu ? "CPUs"
				: kft_task_comm_at(tasks, process, thread->first_ns));
	kft_json_key(j, "isMainThread");
	kft_json_bool(j, !thread->is_cpu && process == thread->id);
	kft_json_key(j, "tid");
	if (thread->is_cpu)
		kft_json_str(j, text);
	else
		kft_json_i64(j, (int32_t)thread->id);
	(void)snprintf(text, sizeof(text), "%d", (int32_t)process);
	key_text(j, "pid", thread->is_cpu ? "CPUs" : text);
}

static int write_thread(struct kft_firefox *f, uint32_t thread)
{
	struct kft_strbuf *sb = &f->x->sb;
	struct kft_json j = {.sb = sb};

	kft_strbuf_adds(sb, thread ? ",\n" : "\n");
	kft_json_begin_object(&j);
	add_owner(f, &j, &f->threads.data[thread]);
	kft_strbuf_adds(sb, ",\"processType\":\"default\",\"processStartupTime\":0,"
			    "\"processShutdownTime\":null,\"registerTime\":0,"
			    "\"unregisterTime\":null,\"pausedRanges\":[],"
			    "\"showMarkersInTimeline\":true,"
			    "\"samples\":{\"length\":0,\"stack\":[],\"time\":[],"
			    "\"weight\":null,\"weightType\":\"samples\"}");
	int r = write_markers(f, thread);

	kft_strbuf_addc(sb, '}');
	return r;
}

int kft_firefox_write(struct kft_firefox *f)
{
	struct kft_json j = {.sb = &f->x->sb};
	int r = 0;

	kft_json_begin_object(&j);
	kft_json_key(&j, "threads");
	kft_json_begin_array(&j);
	for (uint32_t i = 0; r == 0 && i < f->threads.len; i++)
		r = write_thread(f, i);
	kft_json_end_array(&j);
	j.comma = true;
	kft_firefox_add_meta(f, &j);
	kft_json_end_object(&j);
	kft_strbuf_addc(j.sb, '\n');
	return r;
}
