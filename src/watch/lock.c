// SPDX-License-Identifier: LGPL-2.1-or-later
/* The lock of a session's watcher. */
#include "watch/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "session/detached.h"

#define LOCK_FILE "watcher"

static int write_pid(int fd)
{
	char pid[24];
	int n = snprintf(pid, sizeof(pid), "%d\n", (int)getpid());

	return ftruncate(fd, 0) < 0 ? -errno : kft_pwrite_all(fd, pid, (size_t)n, 0);
}

int kft_watch_lock_take(const char *session, int *ret_fd, struct kft_err *e)
{
	struct kft_detached d;
	int r = kft_detached_open(session, NULL, &d, e);

	if (r < 0)
		return r;
	_cleanup_close_ int fd = kft_make_file_at(d.run.dir.fd, LOCK_FILE, O_RDWR);
	r = fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 ? -errno : write_pid(fd);
	kft_detached_close(&d);
	if (r == -EWOULDBLOCK)
		return kft_err_set(e, -EBUSY, "session '%s' has a watcher", session);
	if (r < 0)
		return kft_err_sys(e, r, "cannot watch session '%s'", session);
	*ret_fd = TAKE_FD(fd);
	return 0;
}

bool kft_watch_lock_holds(const struct kft_rundir *dir, int fd)
{
	struct stat mine;
	struct stat there;

	return fstat(fd, &mine) == 0 && fstatat(dir->fd, LOCK_FILE, &there, 0) == 0 &&
	       mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

pid_t kft_watch_lock_holder(const struct kft_rundir *dir, int *ret_fd)
{
	_cleanup_close_ int fd = openat(dir->fd, LOCK_FILE, O_RDWR | O_CLOEXEC);
	char text[24] = "";

	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0 ||
	    pread(fd, text, sizeof(text) - 1, 0) <= 0)
		return 0;
	long pid = strtol(text, NULL, 10);
	if (pid <= 1)
		return 0;
	*ret_fd = TAKE_FD(fd);
	return (pid_t)pid;
}

bool kft_watch_lock_is_held(const struct kft_rundir *dir)
{
	_cleanup_close_ int fd = -1;

	return kft_watch_lock_holder(dir, &fd) > 0;
}
