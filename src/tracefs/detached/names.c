// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps the names of tasks over time, for a session that outlives its processes. */
#include "tracefs/detached/names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/io.h"
#include "capture/tasks.h"
#include "tracefs/control/buffer.h"
#include "tracefs/control/cpu_counts.h"
#include "tracefs/control/cpus.h"
#include "tracefs/sources/name_events.h"
#include "tracefs/control/tracefs_dir.h"
#include "tracefs/control/setup.h"
#include "decode/task_names.h"

/* The names at the beginning and those read since, until a sink gets them. */
#define READ_FILE "names"
/* The file of an overwriting session is cut each time that it has grown by this size. */
#define CUT_BYTES	(1U << 20)
#define UNKNOWN		"<...>"
#define STATS_MAX_BYTES 4096
/*
 * The part of the session's buffer size that the instance has: for each process that
 * starts and ends, the session records dozens of events.
 */
#define BUFFER_SHARE	 16
#define BUFFER_MIN_BYTES (UINT64_C(1) << 20)

static void instance_of(const struct kft_tracefs_part *r, char *ret, size_t size)
{
	char session[KFT_PLACE_PREFIX_MAX - 32];

	kft_tracefs_dir_instance_name(r->base.run->dir.name, session, sizeof(session));
	(void)snprintf(ret, size, "%s" KFT_NAME_EVENTS_SUFFIX, session);
}

static bool record(const struct kft_tracefs_part *r, const struct kft_plan *session_plan)
{
	uint64_t bytes = session_plan->buffer_bytes
				 ? session_plan->buffer_bytes
				 : kft_buffer_default_bytes(r->base.run->host);
	const struct kft_plan plan = {
		.clock = session_plan->clock,
		.buffer_bytes = KFT_MAX(bytes / BUFFER_SHARE, BUFFER_MIN_BYTES),
		.overwrite = true,
	};
	char instance[KFT_PLACE_PREFIX_MAX - 16];
	struct kft_tracefs_dir p;

	instance_of(r, instance, sizeof(instance));
	if (kft_tracefs_dir_make_instance(&r->ledger, instance, &p, NULL) < 0)
		return false;
	bool ok = kft_setup(&p, &plan, NULL) == 0 && kft_name_events_enable(p.fd) == 0;
	kft_tracefs_dir_close(&p);
	return ok;
}

void kft_run_names_begin(const struct kft_tracefs_part *r, const struct kft_plan *plan)
{
	_cleanup_(kft_tasks_finish) struct kft_tasks tasks = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf first = {};

	/* The file may be of an earlier run of the session. */
	(void)!kft_rundir_remove_file(&r->base.run->dir, READ_FILE, NULL);
	/*
	 * The events are enabled before the tasks are listed, so that no birth and no new
	 * name is missed in between.
	 */
	if (!record(r, plan) || kft_tasks_begin(&tasks, r->base.run->host) < 0)
		return;
	kft_tasks_names(&tasks, 0, NULL, &first);
	if (kft_strbuf_ok(&first))
		(void)!kft_rundir_write(&r->base.run->dir, READ_FILE, first.buf,
					first.len, NULL);
}

/*
 * Appends records to the file. It holds whole records, also after a process was killed
 * while it wrote one.
 */
static void append(const struct kft_tracefs_part *r, const struct kft_strbuf *records)
{
	_cleanup_close_ int fd = kft_make_file_at(r->base.run->dir.fd, READ_FILE,
						  O_WRONLY);
	struct stat st;

	if (fd < 0 || !kft_strbuf_ok(records) || fstat(fd, &st) < 0)
		return;
	off_t end = st.st_size - st.st_size % KFT_TASK_NAME_BYTES;
	if ((uint64_t)end + records->len > KFT_TASK_NAMES_MAX_BYTES)
		return;
	if (lseek(fd, end, SEEK_SET) != end ||
	    kft_write_all(fd, records->buf, records->len) < 0)
		(void)!ftruncate(fd, end);
}

/* Whether a task with the pid and the name lives now: it is taken for the same task. */
static bool lives_on(const struct kft_tasks *now, const struct kft_task_name *name)
{
	const struct kft_task *task = kft_task_get(&now->table, name->pid);

	return task && task->comm && strcmp(task->comm, name->comm) == 0;
}

/*
 * Ends the names of pids without a living task of that name: other tasks may have had
 * these pids in the gap.
 */
static void forget_dead(const struct kft_tracefs_part *r, const struct kft_tasks *now,
			struct kft_strbuf *records)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_task_table_finish) struct kft_task_table before = {};
	uint64_t last_ns = 0;

	if (kft_read_at(r->base.run->dir.fd, READ_FILE, KFT_TASK_NAMES_MAX_BYTES, &text) <
		    0 ||
	    kft_task_names_parse(text.buf, text.len, &before) < 0)
		return;
	kft_vec_for_each(&before.names, name)
		last_ns = KFT_MAX(last_ns, name->ts);
	for (size_t i = 0; i < before.names.len; i++) {
		struct kft_task_name name = before.names.data[i];
		bool is_last = i + 1 == before.names.len ||
			       before.names.data[i + 1].pid != name.pid;

		if (!is_last || strcmp(name.comm, UNKNOWN) == 0 || lives_on(now, &name))
			continue;
		name = (struct kft_task_name){
			.ts = last_ns + 1, .pid = name.pid, .comm = UNKNOWN};
		kft_task_name_encode(records, &name);
	}
}

/*
 * Events before hole_ns were overwritten unread. Events of other CPUs from that time do
 * not help: a later change of the name may be among the lost ones. Tasks that live now
 * and have no event since had their names at hole_ns already. In the gap other pids have
 * no name, rather than that of another task.
 */
static void fill_hole(const struct kft_tracefs_part *r, uint64_t hole_ns,
		      struct kft_strbuf *records)
{
	_cleanup_(kft_task_table_finish) struct kft_task_table all = {};
	_cleanup_(kft_tasks_finish) struct kft_tasks now = {};
	struct kft_map since = {};
	bool ok = kft_strbuf_ok(records) &&
		  kft_task_names_parse(records->buf, records->len, &all) == 0 &&
		  kft_tasks_living(&now, r->base.run->host) == 0;

	if (ok)
		kft_strbuf_clear(records);
	for (size_t i = 0; ok && i < all.names.len; i++) {
		if (all.names.data[i].ts < hole_ns)
			continue;
		kft_task_name_encode(records, &all.names.data[i]);
		ok = kft_map_put(&since, all.names.data[i].pid);
	}
	if (ok) {
		forget_dead(r, &now, records);
		kft_tasks_names(&now, hole_ns, &since, records);
	}
	kft_map_finish(&since);
}

/* Returns the time from which a flight recorder's buffers have events; 0: unknown. */
static uint64_t first_ns(const struct kft_tracefs_part *r)
{
	struct kft_cpus cpus = {};
	uint64_t first = UINT64_MAX;

	if (kft_cpus_list(r->place.fd, &cpus) < 0)
		first = 0;
	kft_vec_for_each(&cpus, cpu) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
		struct kft_cpu_counts c;
		char path[64];

		(void)snprintf(path, sizeof(path), "per_cpu/cpu%u/stats", *cpu);
		if (kft_read_at(r->place.fd, path, STATS_MAX_BYTES, &sb) < 0 ||
		    kft_cpu_counts_parse(kft_strbuf_cstr(&sb), &c) < 0)
			continue;
		first = KFT_MIN(first, c.entries ? c.oldest : c.now);
	}
	kft_vec_finish(&cpus);
	return first == UINT64_MAX ? 0 : first;
}

/*
 * Removes the names that were replaced before since_ns, and so before every event that an
 * overwriting session still has.
 */
static void cut(const struct kft_tracefs_part *r, uint64_t since_ns)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf all = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf left = {};

	if (kft_read_at(r->base.run->dir.fd, READ_FILE, KFT_TASK_NAMES_MAX_BYTES, &all) ==
		    0 &&
	    kft_task_names_since(all.buf, all.len, since_ns, &left) == 0)
		(void)!kft_rundir_write(&r->base.run->dir, READ_FILE, left.buf, left.len,
					NULL);
}

static uint64_t file_bytes(const struct kft_tracefs_part *r)
{
	struct stat st;

	return fstatat(r->base.run->dir.fd, READ_FILE, &st, AT_SYMLINK_NOFOLLOW) == 0
		       ? st.st_size
		       : 0;
}

/* Moves new names to the file. Returns how many are missing since the session began. */
static uint64_t read_new(const struct kft_tracefs_part *r)
{
	_cleanup_(kft_name_events_close) struct kft_name_events n = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf records = {};
	char instance[KFT_PLACE_PREFIX_MAX - 16];
	struct kft_tracefs_dir p;

	instance_of(r, instance, sizeof(instance));
	if (kft_tracefs_dir_open_instance(&r->ledger, instance, &p) < 0)
		return 0;
	uint64_t lost = 0;
	if (kft_name_events_open(&n, r->base.run->host, p.fd) == 0)
		lost = kft_name_events_read(&n, &records) + kft_name_events_lost(&n);
	if (n.hole_ns)
		fill_hole(r, n.hole_ns, &records);
	uint64_t before = file_bytes(r);
	if (records.len)
		append(r, &records);
	if (r->base.run->rec.options.overwrite &&
	    file_bytes(r) / CUT_BYTES > before / CUT_BYTES)
		cut(r, first_ns(r));
	kft_name_events_close(&n);
	kft_tracefs_dir_close(&p);
	return lost;
}

void kft_run_names_read(const struct kft_tracefs_part *r)
{
	(void)read_new(r);
}

void kft_run_names_move(const struct kft_tracefs_part *r, struct kft_sink *sink,
			const struct kft_notify *notify)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf records = {};
	uint64_t lost = read_new(r);

	if (lost)
		kft_notify(notify, "%llu names of tasks are missing: too many were born",
			   (unsigned long long)lost);
	if (sink->ops->names &&
	    kft_read_at(r->base.run->dir.fd, READ_FILE, KFT_TASK_NAMES_MAX_BYTES,
			&records) == 0 &&
	    records.len)
		sink->ops->names(sink, records.buf, records.len);
	(void)!kft_rundir_remove_file(&r->base.run->dir, READ_FILE, NULL);
}
