// SPDX-License-Identifier: LGPL-2.1-or-later
/* Recovers the events of a flight recorder after a crash of the kernel. */
#include "session/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/command_line.h"
#include "base/dir.h"
#include "base/err.h"
#include "tracefs/control/control_file.h"
#include "tracefs/control/persistent.h"
#include "tracefs/control/mount.h"
#include "tracefs/drain/transfer.h"
#include "file/tracedat/live_sink.h"
#include "session/flight.h"

#define SAVED_MAX (sizeof(KFT_FLIGHT_DIR) + KFT_RUNDIR_NAME_MAX + 8)

static void saved_path(const char *name, char *ret, size_t size)
{
	(void)snprintf(ret, size, KFT_FLIGHT_DIR "/%s.crash", name);
}

static int begin(const struct kft_transfer_opts *o, struct kft_err *e)
{
	_cleanup_(kft_transfer_close) struct kft_transfer t = {};

	return kft_transfer_begin(&t, o, e);
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

int kft_crash_prepare(const struct kft_detached *d, struct kft_err *e)
{
	const struct kft_tracedat_opts opts = {.keep_empty = true};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};
	struct kft_transfer_opts how = {
		.host = d->host,
		.instance_fd = d->run.place.fd,
		.notify = d->notify,
	};
	char path[SAVED_MAX + 8];

	kft_flight_make_dir(KFT_FLIGHT_DIR);
	saved_path(d->run.dir.name, path, sizeof(path));
	int r = kft_tracedat_sink_create(path, &opts, &how.sink, e);
	if (r < 0)
		return r;
	kft_add_command_line(&line);
	how.command_line = kft_strbuf_cstr(&line);
	r = begin(&how, e);
	how.sink->ops->destroy(how.sink);
	if (r == 0 && (r = sync_dir()) < 0)
		kft_err_sys(e, r, "cannot write '%s'", path);
	return r;
}

/* Opens the session's instance, if it is persistent. */
static int open_kept(struct kft_host *host, const char *name, int *ret_fd,
		     struct kft_err *e)
{
	char instance[KFT_PLACE_PREFIX_MAX];
	struct kft_ledger ledger = {.host = host};
	struct kft_tracefs_dir place;

	kft_tracefs_dir_instance_name(name, instance, sizeof(instance));
	int r = kft_tracefs_open(host, &ledger.tracefs_fd, e);
	if (r < 0)
		return r;
	r = kft_tracefs_dir_open_instance(&ledger, instance, &place);
	if (r == 0 && !kft_instance_is_kept(place.fd)) {
		kft_tracefs_dir_close(&place);
		r = -ENOENT;
	}
	if (r == -ENOENT) {
		(void)kft_err_set(e, r,
				  "this kernel keeps nothing of session '%s' over a "
				  "reboot",
				  name);
		kft_err_hint(e, "'kft flight persist' shows the requirements");
		return r;
	}
	if (r < 0)
		return kft_err_sys(e, r, "cannot open the tracefs instance '%s'",
				   instance);
	*ret_fd = place.fd;
	return 0;
}

int kft_crash_kept_bytes(struct kft_host *host, const char *name, uint64_t *ret,
			 struct kft_err *e)
{
	_cleanup_close_ int fd = -1;
	uint64_t kb;
	int r = open_kept(host, name, &fd, e);

	if (r < 0)
		return r;
	r = kft_control_file_read_u64(fd, "buffer_total_size_kb", &kb);
	if (r < 0)
		return kft_err_sys(e, r, "cannot read the size of the buffers");
	*ret = kb * 1024;
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

bool kft_crash_survived(struct kft_host *host, const char *name)
{
	_cleanup_close_ int fd = -1;
	char saved[SAVED_MAX];

	if (is_loaded(host, name) || open_kept(host, name, &fd, NULL) < 0)
		return false;
	saved_path(name, saved, sizeof(saved));
	return kft_tracefs_dir_has_entries(fd) || has_pages(saved);
}

/*
 * Appends the pages to the metadata that the session saved when it started. If that is
 * missing, the metadata of this boot is used.
 */
static int move_pages(struct kft_transfer_opts *how, const char *saved, struct kft_err *e)
{
	const struct kft_tracedat_opts opts = {};
	_cleanup_(kft_transfer_close) struct kft_transfer t = {};

	how->resume = access(saved, F_OK) == 0;
	how->without_tasks = true;
	if (!how->resume)
		kft_notify(how->notify,
			   "'%s' is not there: symbols are those of this boot", saved);
	int r = how->resume ? kft_tracedat_sink_resume(saved, &opts, &how->sink, e)
			    : kft_tracedat_sink_create(saved, &opts, &how->sink, e);
	if (r < 0)
		return r;
	r = kft_transfer_begin(&t, how, e);
	if (r == 0)
		r = kft_transfer_move(&t, KFT_TRANSFER_NOW, e);
	how->sink->ops->destroy(how->sink);
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
	_cleanup_close_ int fd = -1;
	char saved[SAVED_MAX];

	if (is_loaded(host, name)) {
		(void)kft_err_set(e, -EBUSY, "session '%s' records again", name);
		kft_err_hint(e, "what it found when it started is in " KFT_FLIGHT_DIR);
		return -EBUSY;
	}
	int r = open_kept(host, name, &fd, e);
	if (r < 0)
		return r;
	saved_path(name, saved, sizeof(saved));
	if (!kft_tracefs_dir_has_entries(fd) && !has_pages(saved)) {
		(void)kft_err_set(e, -ENOENT,
				  "nothing of session '%s' survived the reboot", name);
		kft_err_hint(e, "if something was recorded firmware may have written "
				"there: of another size the memory lies elsewhere");
		return -ENOENT;
	}
	struct kft_transfer_opts how = {
		.host = host, .instance_fd = fd, .notify = notify};
	r = move_pages(&how, saved, e);
	if (r == 0)
		r = kft_tracedat_recover(saved, output, &opts, ret, e);
	if (r < 0)
		return r;
	kft_crash_forget(name);
	r = kft_instance_rest(fd);
	return r < 0 ? kft_err_sys(e, r, "cannot empty the persistent buffer") : 0;
}
