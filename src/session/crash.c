// SPDX-License-Identifier: LGPL-2.1-or-later
/* Recovers the events of a flight recorder after a crash of the kernel. */
#include "session/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/command_line.h"
#include "base/dir.h"
#include "base/err.h"
#include "capture/notify.h"
#include "file/tracedat/live_sink.h"

#define SAVED_MAX (sizeof(KFT_FLIGHT_DIR) + KFT_RUNDIR_NAME_MAX + 8)

static void saved_path(const char *name, char *ret, size_t size)
{
	(void)snprintf(ret, size, KFT_FLIGHT_DIR "/%s.crash", name);
}

void kft_flight_make_dir(const char *dir)
{
	char part[PATH_MAX];

	for (size_t len = 1; len <= strlen(dir) && len < sizeof(part); len++) {
		if (dir[len] && dir[len] != '/')
			continue;
		memcpy(part, dir, len);
		part[len] = '\0';
		(void)mkdir(part, 0755);
	}
}

/*
 * Syncs the directory's file system at once: a crash may come before the kernel's
 * writeback.
 */
static int sync_dir(void)
{
	_cleanup_close_ int fd = open(KFT_FLIGHT_DIR, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 || syncfs(fd) < 0 ? -errno : 0;
}

int kft_crash_prepare(const struct kft_run *r, struct kft_err *e)
{
	const struct kft_tracedat_opts opts = {.keep_empty = true};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};
	struct kft_part_drain how = {.notify = r->notify};
	struct kft_part *lead = kft_run_lead(r);
	char path[SAVED_MAX + 8];

	kft_flight_make_dir(KFT_FLIGHT_DIR);
	saved_path(r->dir.name, path, sizeof(path));
	int n = kft_tracedat_sink_create(path, &opts, &how.sink, e);
	if (n < 0)
		return n;
	kft_add_command_line(&line);
	how.command_line = kft_strbuf_cstr(&line);
	n = kft_part_ops(lead)->drain_begin(lead, &how, e);
	kft_part_ops(lead)->drain_close(lead);
	how.sink->ops->destroy(how.sink);
	if (n == 0 && (n = sync_dir()) < 0)
		kft_err_sys(e, n, "cannot write '%s'", path);
	return n;
}

/* The session as far as it survived: it has no directory. */
struct survivor {
	struct kft_run run;
	struct kft_part *part; /* owned; NULL: nothing survived */
};

static void close_survivor(struct survivor *s)
{
	if (s->part)
		kft_part_ops(s->part)->close(s->part);
}

/* Opens the session's buffers of the first backend that has persistent ones. */
static int open_survivor(struct kft_host *host, const char *name, struct survivor *ret,
			 struct kft_err *e)
{
	int r = -ENOENT;

	*ret = (struct survivor){.run = {.host = host, .dir = {.base_fd = -1, .fd = -1}}};
	(void)snprintf(ret->run.dir.name, sizeof(ret->run.dir.name), "%s", name);
	for (size_t i = 0; kft_backends[i] && r == -ENOENT; i++) {
		const struct kft_detached_ops *ops = kft_backends[i]->detached;

		if (ops && ops->open_survived)
			r = ops->open_survived(&ret->run, &ret->part, e);
	}
	if (r == -ENOENT) {
		(void)kft_err_set(e, r,
				  "this kernel keeps nothing of session '%s' over a "
				  "reboot",
				  name);
		kft_err_hint(e, "'kft flight persist' shows the requirements");
	}
	return r;
}

int kft_crash_kept_bytes(struct kft_host *host, const char *name, uint64_t *ret,
			 struct kft_err *e)
{
	_cleanup_(close_survivor) struct survivor s = {};
	struct kft_part_shape shape;
	int r = open_survivor(host, name, &s, e);

	if (r < 0)
		return r;
	r = kft_part_ops(s.part)->shape(s.part, &shape);
	if (r < 0)
		return kft_err_sys(e, r, "cannot read the size of the buffers");
	*ret = shape.total_bytes;
	return 0;
}

static bool is_loaded(struct kft_host *host, const char *name)
{
	struct kft_rundir dir;

	if (kft_rundir_open(host, name, false, &dir, NULL) < 0)
		return false;
	kft_rundir_close(&dir);
	return true;
}

/* Whether a recovery that was killed has moved pages to disk. */
static bool has_pages(const char *saved)
{
	char path[SAVED_MAX + 8];
	const char *name;
	struct stat st;

	(void)snprintf(path, sizeof(path), "%s.parts", saved);
	_cleanup_closedir_ DIR *dir = kft_opendir_at(AT_FDCWD, path);
	while (dir && (name = kft_dir_next(dir)))
		if (strncmp(name, "cpu", 3) == 0 &&
		    fstatat(dirfd(dir), name, &st, 0) == 0 && st.st_size > 0)
			return true;
	return false;
}

static bool has_records(const struct survivor *s)
{
	struct kft_cpu_counts counts;

	return kft_part_ops(s->part)->counts(s->part, &counts) == 0 && counts.entries;
}

bool kft_crash_survived(struct kft_host *host, const char *name)
{
	_cleanup_(close_survivor) struct survivor s = {};
	char saved[SAVED_MAX];

	if (is_loaded(host, name) || open_survivor(host, name, &s, NULL) < 0)
		return false;
	saved_path(name, saved, sizeof(saved));
	return has_records(&s) || has_pages(saved);
}

/*
 * Appends the pages to the metadata that the session saved when it started. If that is
 * missing, the metadata of this boot is used.
 */
static int move_pages(struct survivor *s, const struct kft_notify *notify,
		      const char *saved, struct kft_err *e)
{
	const struct kft_tracedat_opts opts = {};
	struct kft_part_drain how = {.notify = notify};
	const struct kft_detached_ops *ops = kft_part_ops(s->part);
	struct kft_progress unused = {};

	how.resume = access(saved, F_OK) == 0;
	s->run.without_tasks = true;
	if (!how.resume)
		kft_notify(notify, "'%s' is not there: symbols are those of this boot",
			   saved);
	int r = how.resume ? kft_tracedat_sink_resume(saved, &opts, &how.sink, e)
			   : kft_tracedat_sink_create(saved, &opts, &how.sink, e);
	if (r < 0)
		return r;
	r = ops->drain_begin(s->part, &how, e);
	if (r == 0)
		r = ops->drain_move(s->part, &unused, e);
	ops->drain_close(s->part);
	how.sink->ops->destroy(how.sink);
	return r;
}

void kft_crash_forget(const char *name)
{
	char saved[SAVED_MAX];
	char path[SAVED_MAX + 8];
	const char *part;

	saved_path(name, saved, sizeof(saved));
	(void)snprintf(path, sizeof(path), "%s.parts", saved);
	_cleanup_closedir_ DIR *dir = kft_opendir_at(AT_FDCWD, path);
	while (dir && (part = kft_dir_next(dir)))
		(void)unlinkat(dirfd(dir), part, 0);
	(void)rmdir(path);
	(void)unlink(saved);
}

int kft_crash_recover(struct kft_host *host, const char *name, const char *output,
		      const struct kft_notify *notify, struct kft_tracedat_recovered *ret,
		      struct kft_err *e)
{
	const struct kft_tracedat_opts opts = {.overwrites = true};
	_cleanup_(close_survivor) struct survivor s = {};
	char saved[SAVED_MAX];

	if (is_loaded(host, name)) {
		(void)kft_err_set(e, -EBUSY, "session '%s' records again", name);
		kft_err_hint(e, "what it found when it started is in " KFT_FLIGHT_DIR);
		return -EBUSY;
	}
	int r = open_survivor(host, name, &s, e);
	if (r < 0)
		return r;
	saved_path(name, saved, sizeof(saved));
	if (!has_records(&s) && !has_pages(saved)) {
		(void)kft_err_set(e, -ENOENT,
				  "nothing of session '%s' survived the reboot", name);
		kft_err_hint(e, "if something was recorded firmware may have written "
				"there: of another size the memory lies elsewhere");
		return -ENOENT;
	}
	r = move_pages(&s, notify, saved, e);
	if (r == 0)
		r = kft_tracedat_recover(saved, output, &opts, ret, e);
	if (r < 0)
		return r;
	kft_crash_forget(name);
	r = kft_part_ops(s.part)->empty(s.part);
	return r < 0 ? kft_err_sys(e, r, "cannot empty the persistent buffer") : 0;
}
