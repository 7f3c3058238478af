// SPDX-License-Identifier: LGPL-2.1-or-later
/* Starts the process that waits with a session. */
#include "session/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/io.h"
#include "capture/run/keep.h"

/* Held by the keeper for as long as it lives. */
#define KEEPER_FILE "keeper"

static int lock_keeper(const struct kft_detached *d, int *ret_fd)
{
	_cleanup_close_ int fd = openat(d->run.dir.fd, KEEPER_FILE,
					O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return -errno;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

pid_t kft_detached_keeper(const struct kft_detached *d)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_close_ int fd = -1;
	long pid;

	if (lock_keeper(d, &fd) != -EWOULDBLOCK ||
	    kft_rundir_read(&d->run.dir, KEEPER_FILE, &text, NULL) < 0 ||
	    sscanf(kft_strbuf_cstr(&text), "%ld", &pid) != 1)
		return 0;
	return (pid_t)pid;
}

static void leave_terminal(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)setsid();
	(void)signal(SIGHUP, SIG_IGN);
	(void)!chdir("/");
	for (int i = STDIN_FILENO; fd >= 0 && i <= STDERR_FILENO; i++)
		(void)dup2(fd, i);
	kft_closep(&fd);
}

/*
 * The life of a keeper. What it cannot do the next command tries again, and tells. ready_fd is
 * closed when others can see that it keeps the session.
 */
static void keep(const char *name, int ready_fd)
{
	const struct kft_run_counter counter = {.count = kft_detached_count};
	struct kft_detached d;
	int lock_fd = -1;

	if (kft_detached_open(name, NULL, &d, NULL) < 0)
		return;
	int n = lock_keeper(&d, &lock_fd);
	if (n == 0)
		(void)!ftruncate(lock_fd, 0);
	if (n == 0)
		(void)dprintf(lock_fd, "%ld\n", (long)getpid());
	/* Others have to be able to work on the run while it is waited for. */
	kft_run_close(&d.run);
	d.is_open = false;
	kft_closep(&ready_fd);
	if (n == 0)
		n = kft_run_keep(d.host, name, &d.plan, &counter, -1, NULL);
	kft_detached_close(&d);
	if (n == 1 && kft_detached_open(name, NULL, &d, NULL) == 0) {
		(void)!kft_detached_tend(&d, NULL);
		kft_detached_close(&d);
	}
	kft_closep(&lock_fd);
}

static void wait_until_ready(pid_t pid, int ready_fd)
{
	char none;

	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	while (read(ready_fd, &none, 1) < 0 && errno == EINTR)
		;
}

int kft_detached_spawn_keeper(const char *name, struct kft_err *e)
{
	int ready[2];

	if (pipe2(ready, O_CLOEXEC) < 0)
		return kft_err_sys(e, -errno, "cannot start the run's keeper");
	pid_t pid = fork();
	if (pid == 0) {
		kft_closep(&ready[0]);
		/* Twice, so that it is nobody's child and nobody has to wait for it. */
		leave_terminal();
		if (fork() == 0)
			keep(name, ready[1]);
		_exit(0);
	}
	int r = pid < 0 ? kft_err_sys(e, -errno, "cannot start the run's keeper") : 0;
	kft_closep(&ready[1]);
	if (r == 0)
		wait_until_ready(pid, ready[0]);
	kft_closep(&ready[0]);
	return r;
}
