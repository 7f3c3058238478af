// SPDX-License-Identifier: LGPL-2.1-or-later
/* Collects the names of tasks from the kernel's table and /proc. */
#include "capture/tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/dir.h"
#include "base/io.h"
#include "base/scan.h"
#include "base/units.h"
#include "decode/cmdlines.h"
#include "decode/task_names.h"

/* Enough for about half a million tasks. */
#define TABLE_MAX_BYTES (64U << 20)
#define SAVED_MAX_BYTES (256U << 20)
#define COMM_MAX_BYTES	256

void kft_tasks_finish(struct kft_tasks *t)
{
	kft_task_table_finish(&t->table);
	kft_map_finish(&t->old_lines);
	kft_strbuf_finish(&t->saved_comms);
	kft_strbuf_finish(&t->saved_tgids);
}

/* A full table must not end a recording, because names are only for display. */
static int forgive(struct kft_tasks *t, int r)
{
	if (r == -ENOMEM && t->table.arena.total_bytes > TABLE_MAX_BYTES / 2) {
		t->full = true;
		return 0;
	}
	return r;
}

static int set_comm(struct kft_tasks *t, uint32_t pid, const char *comm, size_t len)
{
	while (len && comm[len - 1] == '\n')
		len--;
	return forgive(t, kft_task_set_comm(&t->table, pid, comm, len));
}

static int set_tgid(struct kft_tasks *t, uint32_t pid, uint32_t tgid)
{
	return forgive(t, kft_task_set_tgid(&t->table, pid, tgid));
}

static bool parse_pid(const char *s, uint32_t *ret)
{
	uint64_t v;

	if (kft_parse_u64(s, &v) < 0 || v == 0 || v > INT32_MAX)
		return false;
	*ret = v;
	return true;
}

/* PF_KTHREAD of include/linux/sched.h, among the flags of /proc/PID/stat. */
static bool is_kernel_thread(const char *stat)
{
	const uint64_t pf_kthread = 0x00200000;
	const char *p = strrchr(stat, ')');
	uint64_t flags;

	/* ") STATE PPID PGRP SESSION TTY_NR TPGID FLAGS" */
	for (unsigned int i = 0; i < 7; i++)
		if (!p || !kft_scan_word(&p, NULL, NULL))
			return false;
	return kft_scan_u64(&p, &flags) && (flags & pf_kthread);
}

/* Marks a kernel thread. Each of them is a process of its own, so tid is its tgid. */
static int scan_kernel(struct kft_tasks *t, int task_fd, uint32_t tid)
{
	char path[32];
	char stat[512];

	(void)snprintf(path, sizeof(path), "%u/stat", tid);
	_cleanup_close_ int fd = openat(task_fd, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, stat, sizeof(stat) - 1);
	if (n < 0)
		return 0;
	stat[n] = '\0';
	return is_kernel_thread(stat) ? forgive(t, kft_task_set_kernel(&t->table, tid))
				      : 0;
}

static int scan_thread(struct kft_tasks *t, int task_fd, uint32_t tid, uint32_t tgid)
{
	char path[32];
	char comm[COMM_MAX_BYTES];

	(void)snprintf(path, sizeof(path), "%u/comm", tid);
	_cleanup_close_ int fd = openat(task_fd, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, comm, sizeof(comm));
	if (n < 0)
		return 0; /* it has ended */
	int r = set_comm(t, tid, comm, n);
	if (r == 0 && tid == tgid)
		r = scan_kernel(t, task_fd, tid);
	return r < 0 ? r : set_tgid(t, tid, tgid);
}

static int scan_process(struct kft_tasks *t, int proc_fd, uint32_t tgid)
{
	char path[32];

	(void)snprintf(path, sizeof(path), "%u/task", tgid);
	_cleanup_closedir_ DIR *dir = kft_opendir_at(proc_fd, path);
	const char *name;
	if (!dir)
		return 0;
	int r = 0;
	while (r == 0 && (name = kft_dir_next(dir))) {
		uint32_t tid;

		if (parse_pid(name, &tid))
			r = scan_thread(t, dirfd(dir), tid, tgid);
	}
	return r;
}

static int scan_proc(struct kft_tasks *t, const struct kft_host *host)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(host->root_fd, "proc");
	const char *name;

	if (!dir)
		return 0;
	int r = 0;
	while (r == 0 && (name = kft_dir_next(dir))) {
		uint32_t pid;

		if (parse_pid(name, &pid))
			r = scan_process(t, dirfd(dir), pid);
	}
	return r;
}

/* Takes a line "pid comm" or "pid tgid" and ignores all others. */
static int take_line(struct kft_tasks *t, char *line, bool is_tgid)
{
	char *blank = strchr(line, ' ');
	uint32_t pid;
	uint32_t tgid;

	if (!blank)
		return 0;
	*blank = '\0';
	bool ok = parse_pid(line, &pid);
	*blank = ' ';
	if (!ok)
		return 0;
	if (!is_tgid)
		return set_comm(t, pid, blank + 1, strlen(blank + 1));
	return parse_pid(blank + 1, &tgid) ? set_tgid(t, pid, tgid) : 0;
}

/* With `old`, takes and remembers all lines; without, takes lines that are not remembered. */
static int take_lines(struct kft_tasks *t, const char *text, bool is_tgid, bool old)
{
	_cleanup_free_ char *copy = strdup(text);
	char *save = NULL;

	if (!copy)
		return -ENOMEM;
	for (char *line = strtok_r(copy, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		/* The shift avoids KFT_MAP_NO_KEY, which the map cannot hold. */
		uint64_t key = kft_hash_bytes(line, strlen(line)) >> 1;

		if (!old && kft_map_get(&t->old_lines, key))
			continue;
		if (old && !kft_map_put(&t->old_lines, key))
			return -ENOMEM;
		int r = take_line(t, line, is_tgid);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Leaves ret empty if the kernel does not have the file (saved_tgids came with 4.13). */
static int read_saved(const struct kft_host *host, const char *path,
		      struct kft_strbuf *ret)
{
	int r = kft_read_at(host->tracefs_fd, path, SAVED_MAX_BYTES, ret);

	if (r < 0)
		kft_strbuf_clear(ret);
	return kft_strbuf_ok(ret) ? 0 : -ENOMEM;
}

/* Reads one of the kernel's tables and takes its lines if it has changed since `before`. */
static int look(struct kft_tasks *t, const struct kft_host *host, const char *path,
		struct kft_strbuf *before, bool first, bool *ret_changed)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int r = read_saved(host, path, &text);

	if (r < 0 || (text.len == before->len &&
		      (!text.len || memcmp(text.buf, before->buf, text.len) == 0)))
		return r;
	*ret_changed = true;
	r = take_lines(t, kft_strbuf_cstr(&text), before == &t->saved_tgids, first);
	kft_strbuf_finish(before);
	*before = text;
	text = (struct kft_strbuf){};
	return r;
}

static int look_at_both(struct kft_tasks *t, const struct kft_host *host, bool first,
			bool *ret_changed)
{
	int r = look(t, host, "saved_cmdlines", &t->saved_comms, first, ret_changed);

	return r < 0 ? r
		     : look(t, host, "saved_tgids", &t->saved_tgids, first, ret_changed);
}

int kft_tasks_living(struct kft_tasks *t, const struct kft_host *host)
{
	t->table.arena.limit_bytes = TABLE_MAX_BYTES;
	return scan_proc(t, host);
}

int kft_tasks_begin(struct kft_tasks *t, const struct kft_host *host)
{
	bool changed;

	t->table.arena.limit_bytes = TABLE_MAX_BYTES;
	int r = look_at_both(t, host, true, &changed);
	return r < 0 ? r : scan_proc(t, host);
}

int kft_tasks_refresh(struct kft_tasks *t, const struct kft_host *host, bool *ret_changed)
{
	bool changed = false;
	int r = look_at_both(t, host, false, &changed);

	if (r == 0)
		*ret_changed = changed;
	return r;
}

int kft_tasks_take_names(struct kft_tasks *t, const struct kft_task_table *names)
{
	int r = 0;

	for (size_t i = 0; i < names->names.len && r == 0; i++) {
		const struct kft_task_name *name = &names->names.data[i];
		bool is_last = i + 1 == names->names.len || name[1].pid != name->pid;

		if (is_last)
			r = set_comm(t, name->pid, name->comm, strlen(name->comm));
	}
	return r;
}

/* Replaces newlines, because a name must stay on one line. */
static void add_comm(struct kft_strbuf *sb, const char *comm)
{
	for (; *comm; comm++)
		kft_strbuf_addc(sb, *comm == '\n' ? '?' : *comm);
}

void kft_tasks_text(const struct kft_tasks *t, struct kft_strbuf *cmdlines,
		    struct kft_strbuf *tgids)
{
	const struct kft_map *m = &t->table.by_pid;

	for (size_t i = 0; m->slots && i <= m->mask; i++) {
		if (m->slots[i].key == KFT_MAP_NO_KEY || !m->slots[i].value)
			continue;
		const struct kft_task *task =
			(const struct kft_task *)(uintptr_t)m->slots[i].value;
		if (task->comm && kft_cmdlines_can_say(task->comm)) {
			kft_strbuf_addu(cmdlines, task->pid, 1);
			kft_strbuf_addc(cmdlines, ' ');
			add_comm(cmdlines, task->comm);
			kft_strbuf_addc(cmdlines, '\n');
		}
		if (task->tgid)
			kft_strbuf_addf(tgids, "%u %u\n", task->pid, task->tgid);
	}
}

void kft_tasks_names(const struct kft_tasks *t, uint64_t since_ns,
		     const struct kft_map *except, struct kft_strbuf *records)
{
	const struct kft_map *m = &t->table.by_pid;

	for (size_t i = 0; m->slots && i <= m->mask; i++) {
		if (m->slots[i].key == KFT_MAP_NO_KEY || !m->slots[i].value)
			continue;
		const struct kft_task *task =
			(const struct kft_task *)(uintptr_t)m->slots[i].value;
		struct kft_task_name name = {
			.ts = since_ns, .pid = task->pid, .is_kernel = task->is_kernel};

		if (!task->comm || (except && kft_map_get(except, task->pid)))
			continue;
		memcpy(name.comm, task->comm, strnlen(task->comm, sizeof(name.comm) - 1));
		kft_task_name_encode(records, &name);
	}
}
