// SPDX-License-Identifier: LGPL-2.1-or-later
/* Starts the process that waits with a session. */
#include "session/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/signalfd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/scan.h"
#include "capture/caps.h"
#include "session/run/retention.h"
#include "session/background.h"
#include "session/flight.h"

/* The keeper holds the lock of this file for as long as it lives. */
#define KEEPER_FILE "keeper"

static int lock_keeper(const struct kft_detached *d, int *ret_fd)
{
	_cleanup_close_ int fd = kft_make_file_at(d->run.dir.fd, KEEPER_FILE, O_RDWR);

	if (fd < 0)
		return fd;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return -errno;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int kft_detached_lock_keeper(const struct kft_detached *d, int *ret_fd)
{
	int n = lock_keeper(d, ret_fd);

	if (n < 0)
		return n;
	(void)!ftruncate(*ret_fd, 0);
	(void)dprintf(*ret_fd, "%ld\n", (long)getpid());
	return 0;
}

pid_t kft_detached_keeper(const struct kft_detached *d)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_close_ int fd = -1;
	uint32_t pid;

	if (lock_keeper(d, &fd) != -EWOULDBLOCK ||
	    kft_rundir_read(&d->run.dir, KEEPER_FILE, &text, NULL) < 0)
		return 0;
	const char *p = kft_strbuf_cstr(&text);

	return kft_scan_u32(&p, &pid) && pid <= INT32_MAX ? (pid_t)pid : 0;
}

/* Opens the session that is kept; -ENOENT when it is a later one of that name. */
static int open_kept(const char *name, int dir_fd, struct kft_detached *ret)
{
	int n = kft_detached_open(name, NULL, ret, NULL);

	if (n < 0 || kft_rundir_is(&ret->run.dir, dir_fd))
		return n;
	kft_detached_close(ret);
	return -ENOENT;
}

static void snapshot(const char *name, int dir_fd, const char *dir)
{
	struct kft_tracedat_recovered done;
	struct kft_err e = {};
	char file[PATH_MAX];
	struct kft_detached d;

	if (open_kept(name, dir_fd, &d) < 0)
		return;
	kft_flight_make_dir(dir);
	int n = kft_flight_file(dir, name, NULL, file, sizeof(file));
	if (n == 0)
		n = kft_detached_snapshot(&d, file, "SIGUSR1", &done, &e);
	/* The keeper has no terminal, so a marker in the trace reports the failure. */
	if (n < 0)
		kft_flight_mark(&d, "kft: no snapshot: ", e.msg);
	kft_detached_close(&d);
}

/*
 * Returns a signalfd for SIGUSR1. It is made before the keeper's pid is known, so that no
 * signal is lost.
 */
static int open_usr1(void)
{
	sigset_t usr1;

	(void)sigemptyset(&usr1);
	(void)sigaddset(&usr1, SIGUSR1);
	(void)sigprocmask(SIG_BLOCK, &usr1, NULL);
	return signalfd(-1, &usr1, SFD_CLOEXEC | SFD_NONBLOCK);
}

/*
 * Keeps the session with kft_run_retention(); each SIGUSR1 from usr1_fd takes a snapshot into
 * dir.
 */
static int keep_signalled(const struct kft_detached *d, const char *name, int dir_fd,
			  int usr1_fd, const char *dir)
{
	const struct kft_run_counter counter = {.count = kft_detached_count};
	struct signalfd_siginfo unused;

	for (;;) {
		int n = kft_run_retention(d->host, name, dir_fd, &d->plan, &counter,
					  usr1_fd, NULL);

		if (n != 0)
			return n;
		if (read(usr1_fd, &unused, sizeof(unused)) == sizeof(unused))
			snapshot(name, dir_fd, dir);
	}
}

struct keeping {
	const char *name;
	const char *snapshot_dir;
};

static int open_directory(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Opens the directory of the session's file: that of the output, if it streams. */
static int open_raw_dir(const struct kft_detached *d)
{
	char path[KFT_DETACHED_PATH_MAX];

	kft_detached_raw_path(&d->run, path);
	char *slash = strrchr(path, '/');
	if (slash)
		slash[slash == path] = '\0';
	return open_directory(slash ? path : ".");
}

/*
 * A keeper may live for weeks, so it drops the capabilities that it does not need. It
 * needs CAP_SYSLOG to read addresses of functions when the session ends, CAP_SYS_RESOURCE
 * for a big pipe for each CPU and CAP_SYS_NICE to be fast when a buffer is nearly full.
 * It keeps CAP_DAC_OVERRIDE if it may not write to its directories without it. It goes on
 * when the kernel refuses.
 */
static void drop_privileges(const struct kft_detached *d, const char *snapshot_dir)
{
	const uint64_t keep = UINT64_C(1) << CAP_SYSLOG |
			      UINT64_C(1) << CAP_SYS_RESOURCE |
			      UINT64_C(1) << CAP_SYS_NICE;
	int dirfds[KFT_BACKENDS_MAX + 3] = {d->run.dir.fd, open_raw_dir(d)};
	size_t n = 2;

	for (size_t i = 0; i < d->run.n_parts; i++) {
		const struct kft_part *p = d->run.parts[i];

		dirfds[n] = kft_part_ops(p)->work_dirfd(p);
		n += dirfds[n] >= 0;
	}
	if (snapshot_dir) {
		kft_flight_make_dir(snapshot_dir);
		dirfds[n++] = open_directory(snapshot_dir);
	}
	(void)!kft_caps_drop(keep, dirfds, n, NULL);
	kft_closep(&dirfds[1]);
	if (snapshot_dir)
		kft_closep(&dirfds[n - 1]);
}

/*
 * Runs as the keeper. If it fails, the next command tries again and reports the failure.
 * ready_fd is closed when other processes can see that it keeps the session.
 */
static void keep(const void *arg, int ready_fd)
{
	const struct keeping *k = arg;
	_cleanup_close_ int usr1_fd = k->snapshot_dir ? open_usr1() : -1;
	struct kft_detached d;
	int lock_fd = -1;

	if (kft_detached_open(k->name, NULL, &d, NULL) < 0)
		return;
	_cleanup_close_ int dir_fd = kft_rundir_remember(&d.run.dir);
	int n = dir_fd < 0 ? dir_fd : kft_detached_lock_keeper(&d, &lock_fd);
	drop_privileges(&d, k->snapshot_dir);
	/* Releases the run's lock: other commands work on the run while the keeper waits. */
	kft_run_close(&d.run);
	d.is_open = false;
	kft_closep(&ready_fd);
	if (n == 0)
		n = keep_signalled(&d, k->name, dir_fd, usr1_fd, k->snapshot_dir);
	kft_detached_close(&d);
	if (n == 1 && open_kept(k->name, dir_fd, &d) == 0) {
		(void)!kft_detached_refresh(&d, NULL);
		kft_detached_close(&d);
	}
	kft_closep(&lock_fd);
}

int kft_detached_spawn_keeper(const char *name, const char *snapshot_dir,
			      struct kft_err *e)
{
	const struct keeping keeping = {name, snapshot_dir};
	char none;
	int r = kft_background(keep, &keeping, &none, sizeof(none));

	return r < 0 ? kft_err_sys(e, r, "cannot start the run's keeper") : 0;
}
