// SPDX-License-Identifier: LGPL-2.1-or-later
/* Forks the program that is followed and lets it wait until it is. */
#include "ptrace/start.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"

/* Functions that are safe after fork(): the child executes the path, so that it calls execve once. */
static _Noreturn void child(const char *path, char *const argv[],
			    const struct kft_call_filter *filter, bool no_new_privs,
			    int go_fd, int error_fd)
{
	extern char **environ;
	struct kft_ptrace_start_error failed = {.step = KFT_START_FILTER};
	char go;
	ssize_t n;

	do {
		n = read(go_fd, &go, 1);
	} while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(0);
	failed.error = filter ? kft_call_filter_install(filter, no_new_privs) : 0;
	if (!failed.error) {
		(void)execve(path, argv, environ);
		failed.step = KFT_START_EXEC;
		failed.error = -errno;
	}
	(void)!write(error_fd, &failed, sizeof(failed));
	_exit(127);
}

/* Searches a program as execvp(3) does; 0, -ENOENT or -EACCES. */
static int find_program(const char *file, char path[static PATH_MAX])
{
	const char *dirs = getenv("PATH");
	int r = -ENOENT;

	if (strchr(file, '/'))
		return snprintf(path, PATH_MAX, "%s", file) < PATH_MAX ? 0
								       : -ENAMETOOLONG;
	for (dirs = dirs ? dirs : "/bin:/usr/bin";; dirs++) {
		size_t len = strcspn(dirs, ":");
		struct stat st;

		if (snprintf(path, PATH_MAX, "%.*s%s%s", (int)len, dirs, len ? "/" : "",
			     file) < PATH_MAX &&
		    stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
			if (faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0)
				return 0;
			r = -EACCES;
		}
		dirs += len;
		if (!*dirs)
			return r;
	}
}

int kft_ptrace_start_fork(char *const argv[], const struct kft_call_filter *filter,
			  bool no_new_privs, void (*const handlers[2])(int),
			  struct kft_ptrace_start *ret, struct kft_err *e)
{
	char path[PATH_MAX];
	int go[2];
	int error[2];
	int r = find_program(argv[0], path);

	if (r < 0)
		return kft_err_sys(e, r, "cannot run '%s'", argv[0]);
	if (pipe2(go, O_CLOEXEC) < 0)
		return kft_err_sys(e, -errno, "cannot start '%s'", argv[0]);
	if (pipe2(error, O_CLOEXEC) < 0) {
		r = -errno;
		(void)close(go[0]);
		(void)close(go[1]);
		return kft_err_sys(e, r, "cannot start '%s'", argv[0]);
	}
	pid_t pid = fork();

	r = pid < 0 ? -errno : 0;
	if (pid == 0) {
		(void)close(go[1]);
		(void)close(error[0]);
		(void)signal(SIGPIPE, handlers[0]);
		(void)signal(SIGXFSZ, handlers[1]);
		child(path, argv, filter, no_new_privs, go[0], error[1]);
	}
	(void)close(go[0]);
	(void)close(error[1]);
	*ret = (struct kft_ptrace_start){
		.pid = pid, .go_fd = go[1], .error_fd = error[0]};
	if (r < 0) {
		kft_ptrace_start_finish(ret);
		return kft_err_sys(e, r, "cannot start '%s'", argv[0]);
	}
	return 0;
}

int kft_ptrace_start_go(struct kft_ptrace_start *s)
{
	int r = kft_write_all(s->go_fd, "", 1);

	kft_closep(&s->go_fd);
	s->go_fd = -1;
	return r;
}

bool kft_ptrace_start_failed(struct kft_ptrace_start *s,
			     struct kft_ptrace_start_error *ret)
{
	ssize_t n = s->error_fd < 0 ? 0 : read(s->error_fd, ret, sizeof(*ret));

	return n == (ssize_t)sizeof(*ret);
}

void kft_ptrace_start_finish(struct kft_ptrace_start *s)
{
	kft_closep(&s->go_fd);
	kft_closep(&s->error_fd);
	s->go_fd = s->error_fd = -1;
}
