// SPDX-License-Identifier: LGPL-2.1-or-later
/* Forks the program that is recorded and releases it when recording has begun. */
#include "capture/command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/io.h"

/* Uses only functions that are safe after fork() in a program with threads. */
static _Noreturn void child(char *const argv[], int go_fd, int error_fd)
{
	char go;
	ssize_t n;

	do {
		n = read(go_fd, &go, 1);
	} while (n < 0 && errno == EINTR);
	/* kft has ended, or has closed the pipe without releasing the child. */
	if (n != 1)
		_exit(0);
	(void)execvp(argv[0], argv);
	int r = -errno;
	(void)!write(error_fd, &r, sizeof(r));
	_exit(127);
}

static void close_fd(int *fd)
{
	kft_closep(fd);
	*fd = -1;
}

/* Searches a program like execvp(3). Returns 0, -EACCES or -ENOENT. */
static int look_up(const char *file)
{
	const char *path = getenv("PATH");
	int r = -ENOENT;

	if (strchr(file, '/'))
		return faccessat(AT_FDCWD, file, X_OK, AT_EACCESS) < 0 ? -errno : 0;
	/* glibc's execvp(3) uses this without a PATH. */
	if (!path)
		path = "/bin:/usr/bin";
	for (;;) {
		char candidate[PATH_MAX];
		size_t len = strcspn(path, ":");
		int n = snprintf(candidate, sizeof(candidate), "%.*s%s%s", (int)len, path,
				 len ? "/" : "", file);

		if (n < (int)sizeof(candidate)) {
			if (faccessat(AT_FDCWD, candidate, X_OK, AT_EACCESS) == 0)
				return 0;
			if (errno == EACCES)
				r = -EACCES;
		}
		if (!path[len])
			return r;
		path += len + 1;
	}
}

int kft_command_fork(char *const argv[], struct kft_command *ret, struct kft_err *e)
{
	int go[2];
	int error[2];
	int found = look_up(argv[0]);

	if (found < 0)
		return kft_err_sys(e, found, "cannot run '%s'", argv[0]);

	if (pipe2(go, O_CLOEXEC) < 0)
		return kft_err_sys(e, -errno, "cannot start '%s'", argv[0]);
	if (pipe2(error, O_CLOEXEC) < 0) {
		int r = -errno;

		(void)close(go[0]);
		(void)close(go[1]);
		return kft_err_sys(e, r, "cannot start '%s'", argv[0]);
	}
	pid_t pid = fork();
	int r = pid < 0 ? -errno : 0;
	if (pid == 0) {
		/* An open write end in the child would hide the end of kft from its read(). */
		(void)close(go[1]);
		child(argv, go[0], error[1]);
	}
	(void)close(go[0]);
	(void)close(error[1]);
	if (r < 0) {
		(void)close(go[1]);
		(void)close(error[0]);
		return kft_err_sys(e, r, "cannot start '%s'", argv[0]);
	}
	*ret = (struct kft_command){
		.pid = pid,
		.go_fd = go[1],
		.error_fd = error[0],
		.pid_fd = syscall(SYS_pidfd_open, pid, 0),
	};
	return 0;
}

/* Stores the status. Returns false while the program runs. */
static bool reap(struct kft_command *c, int flags)
{
	pid_t r;

	do {
		r = waitpid(c->pid, &c->status, flags);
	} while (r < 0 && errno == EINTR);
	/* ECHILD: SIGCHLD is ignored, or other code of this process has taken the status. */
	if (r < 0)
		c->status = 0;
	c->ended = r != 0;
	return c->ended;
}

int kft_command_release(struct kft_command *c, struct kft_err *e)
{
	int failed = 0;
	ssize_t n;
	int r = kft_write_all(c->go_fd, "", 1);

	close_fd(&c->go_fd);
	if (r < 0)
		return kft_err_sys(e, r, "cannot start the command");
	/* exec closes the child's end of the pipe, so read() returns even on success. */
	do {
		n = read(c->error_fd, &failed, sizeof(failed));
	} while (n < 0 && errno == EINTR);
	close_fd(&c->error_fd);
	if (n == sizeof(failed)) {
		(void)reap(c, 0);
		return kft_err_sys(e, failed, "cannot run the command");
	}
	return 0;
}

bool kft_command_ended(struct kft_command *c)
{
	return c->ended || c->pid <= 0 || reap(c, WNOHANG);
}

int kft_command_exit_code(const struct kft_command *c)
{
	if (WIFSIGNALED(c->status))
		return 128 + WTERMSIG(c->status);
	return WEXITSTATUS(c->status);
}

void kft_command_end(struct kft_command *c, bool leave)
{
	bool released = c->go_fd < 0;

	if (c->pid <= 0)
		return;
	close_fd(&c->go_fd);
	if (!kft_command_ended(c) && !(released && leave)) {
		if (released)
			(void)kill(c->pid, SIGTERM);
		(void)reap(c, 0);
	}
	close_fd(&c->error_fd);
	close_fd(&c->pid_fd);
	c->pid = 0;
}
