// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Exports an SQLite database: events, intervals and tasks, in the schema
 * of docs/formats/export.md.
 */
#include <errno.h>

#include "base/err.h"
#include "derive/kinds/kinds.h"
#include "export/export_impl.h"

#if HAVE_SQLITE

#include <sqlite3.h>
#include <string.h>

#include "output/value.h"

static const char schema[] =
	"PRAGMA journal_mode=OFF;"
	"PRAGMA synchronous=OFF;"
	"PRAGMA locking_mode=EXCLUSIVE;"
	"CREATE TABLE trace(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
	"CREATE TABLE kinds(id INTEGER PRIMARY KEY, system TEXT, name TEXT);"
	"CREATE TABLE tasks(pid INTEGER PRIMARY KEY, tgid INTEGER, comm TEXT);"
	"CREATE TABLE events(id INTEGER PRIMARY KEY, ts INTEGER, buffer TEXT, cpu INTEGER,"
	" pid INTEGER, comm TEXT, kind INTEGER REFERENCES kinds(id), lost_before INTEGER,"
	" fields TEXT);"
	"CREATE TABLE intervals(id INTEGER PRIMARY KEY, kind TEXT, name TEXT, key INTEGER,"
	" begin_ts INTEGER, end_ts INTEGER, cpu INTEGER, end_cpu INTEGER, pid INTEGER,"
	" comm TEXT, value INTEGER, cause_pid INTEGER, depth INTEGER, begun_before INTEGER,"
	" not_ended INTEGER, losses INTEGER);"
	"CREATE VIEW named_events AS SELECT e.id, ts, buffer, cpu, pid, comm, system, name,"
	" lost_before, fields FROM events e JOIN kinds k ON e.kind = k.id;"
	"BEGIN;";

static const char indexes[] = "CREATE INDEX events_ts ON events(ts);"
			      "CREATE INDEX events_kind ON events(kind, ts);"
			      "CREATE INDEX events_pid ON events(pid, ts);"
			      "CREATE INDEX intervals_kind ON intervals(kind, begin_ts);"
			      "CREATE INDEX intervals_pid ON intervals(pid, begin_ts);"
			      "COMMIT;";

struct writer {
	struct kft_export *x;
	sqlite3 *db; /* owned, like the statements */
	sqlite3_stmt *event;
	sqlite3_stmt *interval;
	const struct kft_field *pid; /* borrowed; NULL: missing */
	struct kft_map kinds; /* maps ids that were written to 1 */
	struct kft_strbuf text;
};

static void writer_finish(struct writer *w)
{
	(void)sqlite3_finalize(w->event);
	(void)sqlite3_finalize(w->interval);
	(void)sqlite3_close(w->db);
	kft_map_finish(&w->kinds);
	kft_strbuf_finish(&w->text);
}

static int failed(struct writer *w)
{
	return kft_err_set(w->x->e, -EIO, "cannot write '%s': %s", w->x->path,
			   sqlite3_errmsg(w->db));
}

static int execute(struct writer *w, const char *sql)
{
	return sqlite3_exec(w->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : failed(w);
}

static int prepare(struct writer *w, const char *sql, sqlite3_stmt **ret)
{
	return sqlite3_prepare_v2(w->db, sql, -1, ret, NULL) == SQLITE_OK ? 0 : failed(w);
}

/* Inserts the bound row, and clears the bindings for the next one. */
static int insert(struct writer *w, sqlite3_stmt *row)
{
	if (sqlite3_step(row) != SQLITE_DONE)
		return failed(w);
	(void)sqlite3_reset(row);
	(void)sqlite3_clear_bindings(row);
	return 0;
}

/* Binds text as UTF-8, escaped for a terminal. */
static void bind_text(struct writer *w, sqlite3_stmt *row, int column, const char *text,
		      size_t len)
{
	kft_strbuf_clear(&w->text);
	kft_strbuf_add_escaped(&w->text, text, len);
	(void)sqlite3_bind_text(row, column, kft_strbuf_cstr(&w->text), w->text.len,
				SQLITE_TRANSIENT);
}

static void bind_name(struct writer *w, sqlite3_stmt *row, int column, const char *text)
{
	bind_text(w, row, column, text, strlen(text));
}

static int add_kind(struct writer *w, uint16_t id, const struct kft_class *cls)
{
	uint64_t *slot = kft_map_put(&w->kinds, id);
	sqlite3_stmt *row = NULL;

	if (!slot)
		return -ENOMEM;
	if (*slot)
		return 0;
	*slot = 1;
	int r = prepare(w, "INSERT INTO kinds VALUES(?,?,?)", &row);
	if (r == 0) {
		(void)sqlite3_bind_int(row, 1, id);
		bind_name(w, row, 2, cls ? cls->system : "");
		bind_name(w, row, 3, cls ? cls->name : "");
		r = insert(w, row);
	}
	(void)sqlite3_finalize(row);
	return r;
}

static void bind_fields(struct writer *w, const struct kft_event *ev,
			const struct kft_class *cls)
{
	struct kft_json j = {.sb = &w->text};

	kft_strbuf_clear(&w->text);
	kft_value_add_json_fields(&j, ev, cls, w->x->trace->swap);
	(void)sqlite3_bind_text(w->event, 8, kft_strbuf_cstr(&w->text), w->text.len,
				SQLITE_TRANSIENT);
}

static int add_event(void *arg, const struct kft_event *ev)
{
	struct writer *w = arg;
	struct kft_trace *t = w->x->trace;
	const struct kft_class *cls = kft_trace_class(t, ev->id);
	uint64_t pid;
	int r = add_kind(w, ev->id, cls);

	if (r < 0)
		return r;
	(void)sqlite3_bind_int64(w->event, 1, ev->ts);
	bind_name(w, w->event, 2, t->buffers.data[ev->buffer].name);
	(void)sqlite3_bind_int(w->event, 3, ev->cpu);
	if (w->pid && kft_event_int(ev, w->pid, t->swap, &pid)) {
		(void)sqlite3_bind_int(w->event, 4, (int32_t)pid);
		bind_name(w, w->event, 5, kft_task_comm_at(&t->tasks, pid, ev->ts));
	}
	(void)sqlite3_bind_int(w->event, 6, ev->id);
	if (ev->lost_before != KFT_LOST_UNKNOWN)
		(void)sqlite3_bind_int64(w->event, 7, ev->lost_before);
	bind_fields(w, ev, cls);
	return insert(w, w->event);
}

static int add_interval(void *arg, const struct kft_interval *i)
{
	struct writer *w = arg;
	sqlite3_stmt *row = w->interval;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};

	kft_export_interval_name(w->x, i, &name);
	bind_name(w, row, 1, i->kind->name);
	bind_text(w, row, 2, name.buf, name.len);
	if (kft_interval_key_is_number(i->kind, i->key))
		(void)sqlite3_bind_int64(row, 3, i->key);
	(void)sqlite3_bind_int64(row, 4, i->begin_ns);
	(void)sqlite3_bind_int64(row, 5, i->end_ns);
	(void)sqlite3_bind_int(row, 6, i->cpu);
	(void)sqlite3_bind_int(row, 7, i->end_cpu);
	(void)sqlite3_bind_int(row, 8, i->pid);
	bind_name(w, row, 9, kft_task_comm_at(&w->x->trace->tasks, i->pid, i->begin_ns));
	if (i->value != KFT_INTERVAL_NO_VALUE)
		(void)sqlite3_bind_int64(row, 10, i->value);
	if (i->cause.pid >= 0)
		(void)sqlite3_bind_int(row, 11, i->cause.pid);
	(void)sqlite3_bind_int(row, 12, i->depth);
	(void)sqlite3_bind_int(row, 13, !!(i->flags & KFT_INTERVAL_BEGUN_BEFORE));
	(void)sqlite3_bind_int(row, 14, !!(i->flags & KFT_INTERVAL_NOT_ENDED));
	(void)sqlite3_bind_int(row, 15, !!(i->flags & KFT_INTERVAL_LOSSES));
	return insert(w, row);
}

static int add_about(struct writer *w, sqlite3_stmt *row, const char *key,
		     const char *text, size_t len)
{
	if (!len)
		return 0;
	bind_name(w, row, 1, key);
	bind_text(w, row, 2, text, len);
	return insert(w, row);
}

static int write_about(struct writer *w)
{
	const struct kft_meta *m = &w->x->trace->meta;
	sqlite3_stmt *row = NULL;
	int r = prepare(w, "INSERT INTO trace VALUES(?,?)", &row);

	if (r == 0)
		r = add_about(w, row, "clock", m->clock.name, strlen(m->clock.name));
	if (r == 0)
		r = add_about(w, row, "unit",
			      m->clock.unit == KFT_CLOCK_NS ? "ns" : "count",
			      m->clock.unit == KFT_CLOCK_NS ? 2 : 5);
	if (r == 0)
		r = add_about(w, row, "kernel", m->uname.data, m->uname.len);
	if (r == 0)
		r = add_about(w, row, "recorded_by", m->version.data, m->version.len);
	if (r == 0)
		r = add_about(w, row, "command", m->command.data, m->command.len);
	(void)sqlite3_finalize(row);
	return r;
}

static int write_tasks(struct writer *w)
{
	const struct kft_map *tasks = &w->x->trace->tasks.by_pid;
	sqlite3_stmt *row = NULL;
	int r = prepare(w, "INSERT OR IGNORE INTO tasks VALUES(?,?,?)", &row);

	for (size_t i = 0; r == 0 && tasks->slots && i <= tasks->mask; i++) {
		const struct kft_task *task =
			(const void *)(uintptr_t)tasks->slots[i].value;

		/* A slot without a task means that memory ran out for it. */
		if (tasks->slots[i].key == KFT_MAP_NO_KEY || !task)
			continue;
		(void)sqlite3_bind_int(row, 1, (int32_t)task->pid);
		if (task->tgid)
			(void)sqlite3_bind_int(row, 2, (int32_t)task->tgid);
		if (task->comm)
			bind_name(w, row, 3, task->comm);
		r = insert(w, row);
	}
	(void)sqlite3_finalize(row);
	return r;
}

static int write_intervals(struct writer *w)
{
	struct kft_export *x = w->x;

	if (!x->n_kinds) {
		x->kinds = kft_interval_kinds;
		while (kft_interval_kinds[x->n_kinds])
			x->n_kinds++;
	}
	return kft_export_intervals(x, add_interval, w);
}

static int open_database(struct writer *w)
{
	int code = sqlite3_open_v2(w->x->made_at, &w->db,
				   SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, NULL);
	int r = code == SQLITE_OK ? execute(w, schema) : failed(w);

	if (r == 0)
		r = prepare(w,
			    "INSERT INTO events(ts,buffer,cpu,pid,comm,kind,lost_before,"
			    "fields) VALUES(?,?,?,?,?,?,?,?)",
			    &w->event);
	if (r == 0)
		r = prepare(w,
			    "INSERT INTO intervals(kind,name,key,begin_ts,end_ts,cpu,"
			    "end_cpu,pid,comm,value,cause_pid,depth,begun_before,"
			    "not_ended,losses) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
			    &w->interval);
	return r;
}

static int write_sqlite(struct kft_export *x)
{
	_cleanup_(writer_finish) struct writer w = {.x = x};
	int r = open_database(&w);

	w.pid = kft_trace_common_field(x->trace, "common_pid");
	if (r == 0)
		r = write_about(&w);
	if (r == 0)
		r = write_tasks(&w);
	if (r == 0)
		r = kft_export_each(x, add_event, &w);
	if (r == 0)
		r = write_intervals(&w);
	return r < 0 ? kft_export_failed(x, r) : execute(&w, indexes);
}

#else

static int write_sqlite(struct kft_export *x)
{
	return kft_err_set(x->e, -ENOTSUP, "this kft was built without sqlite");
}

#endif

const struct kft_export_format kft_export_sqlite = {
	.summary = HAVE_SQLITE ? "a database of events, intervals and tasks"
			       : "not in this kft, which was built without sqlite",
	.viewer = "sqlite3, Datasette, any SQL",
	.shape = KFT_EXPORT_NAMED,
	.has_intervals = true,
	.write = write_sqlite,
};
