// SPDX-License-Identifier: LGPL-2.1-or-later
/* Limits events and functions to a plan's processes. */
#include "tracefs/sources/pids.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/dir.h"
#include "base/err.h"
#include "base/io.h"
#include "base/map.h"
#include "base/units.h"

/* Limits the rounds for a process that starts threads faster than they can be listed. */
#define ROUNDS_MAX 32

/*
 * Adds the new threads of a process to known and, as text, to sb. -ESRCH when there is no
 * such process.
 */
static int scan(const struct kft_host *host, pid_t pid, struct kft_map *known,
		struct kft_strbuf *sb)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "proc/%ld/task", (long)pid);
	_cleanup_closedir_ DIR *dir = kft_opendir_at(host->root_fd, path);
	if (!dir)
		return errno == ENOENT ? -ESRCH : -errno;
	const char *name;
	int r = 0;
	while (r == 0 && (name = kft_dir_next(dir))) {
		uint64_t tid;

		if (kft_parse_u64(name, &tid) < 0 || kft_map_get(known, tid))
			continue;
		if (!kft_map_put(known, tid))
			r = -ENOMEM;
		kft_strbuf_addf(sb, "%s\n", name);
	}
	return r;
}

/* Lists the threads of all processes once and writes the new ones; *ret_found is their number. */
static int add_new(const struct kft_tracefs_dir *p, const char *file,
		   const struct kft_plan *plan, struct kft_map *known, size_t *ret_found,
		   struct kft_err *e)
{
	const struct kft_host *host = p->ledger->host;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	size_t before = known->len;

	for (size_t i = 0; i < plan->n_pids; i++) {
		int r = scan(host, plan->pids[i], known, &sb);

		if (r == -ESRCH && before)
			continue; /* it was there in the first round, now it has ended */
		if (r == -ESRCH)
			return kft_err_set(e, r, "no such process: %ld",
					   (long)plan->pids[i]);
		if (r < 0)
			return kft_err_sys(e, r, "cannot list the threads of %ld",
					   (long)plan->pids[i]);
	}
	*ret_found = known->len - before;
	if (!*ret_found)
		return 0;
	if (!kft_strbuf_ok(&sb))
		return kft_err_sys(e, -ENOMEM, "cannot list threads");
	/* Without O_TRUNC the file keeps the threads that it has. */
	int r = kft_write_at(p->fd, file, O_APPEND, sb.buf, sb.len);
	return r < 0 ? kft_err_sys(e, r, "cannot write %s", file) : 0;
}

/*
 * The kernel compares with task ids of the initial pid namespace, outside of all
 * containers (PROC_PID_INIT_INO of include/linux/proc_ns.h). Ids of another namespace
 * would select nothing, or other tasks.
 */
#define INIT_PID_NAMESPACE 0xeffffffcU

bool kft_pids_are_known(const struct kft_host *host)
{
	struct stat st;

	return host->stand_in || fstatat(host->root_fd, "proc/self/ns/pid", &st, 0) < 0 ||
	       st.st_ino == INIT_PID_NAMESPACE;
}

static int check_namespace(const struct kft_host *host, struct kft_err *e)
{
	if (kft_pids_are_known(host))
		return 0;
	kft_err_set(e, -EXDEV, "in a container the kernel's process ids are not known");
	kft_err_hint(e, "record everything (-a), or run kft outside of the container");
	return -EXDEV;
}

static int set(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
	       const char *file, const char *option, struct kft_err *e)
{
	_cleanup_(kft_map_finish) struct kft_map known = {};
	size_t found = 1;
	int r;

	if (!plan->n_pids)
		return 0;
	r = check_namespace(p->ledger->host, e);
	/* Set the option first, so that no child is missed between two rounds. */
	if (r == 0 && plan->follow_children) {
		r = kft_tracefs_dir_set(p, option, "1", e);
		if (r < 0)
			kft_err_sys(e, r, "cannot follow the children of processes");
	}
	if (r == 0)
		r = kft_tracefs_dir_note_empty(p, file, e);
	for (int i = 0; r == 0 && found && i < ROUNDS_MAX; i++)
		r = add_new(p, file, plan, &known, &found, e);
	return r;
}

int kft_pids_set_events(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
			struct kft_err *e)
{
	return set(p, plan, "set_event_pid", "options/event-fork", e);
}

int kft_pids_set_functions(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
			   struct kft_err *e)
{
	return set(p, plan, "set_ftrace_pid", "options/function-fork", e);
}
