// SPDX-License-Identifier: LGPL-2.1-or-later
/* Executes commands when conditions are met. */
#include "watch/execute.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/err.h"

/*
 * Restores the signals that kft ignores or blocks, as for a process started by a shell.
 */
static void reset_signals(void)
{
	static const int ignored[] = {SIGHUP, SIGPIPE, SIGXFSZ};
	sigset_t none;

	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		(void)signal(ignored[i], SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/*
 * Drops set-user-id rights; capabilities of kft's file are not inherited over execve(2).
 */
static bool drop_rights(void)
{
	return setregid(getgid(), getgid()) == 0 && setreuid(getuid(), getuid()) == 0;
}

static void become(const struct kft_watch_done *w, const char *command)
{
	reset_signals();
	(void)setenv("KFT_SESSION", w->session, 1);
	(void)setenv("KFT_SNAPSHOT", w->last_file, 1);
	if (!drop_rights())
		return;
	(void)!chdir(w->opts->dir);
	(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
}

int kft_watch_execute(const struct kft_watch_done *w, const char *command,
		      struct kft_err *e)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		/*
		 * Forks twice, so that init reaps the command: the
		 * watcher must not wait for it.
		 */
		pid = fork();
		if (pid == 0)
			become(w, command);
		_exit(pid < 0);
	}
	int r = pid < 0 ? -errno : 0;
	if (pid > 0 && waitpid(pid, &status, 0) < 0)
		r = -errno;
	if (r == 0 && status)
		r = -EAGAIN;
	return r < 0 ? kft_err_sys(e, r, "cannot execute '%.100s'", command) : 0;
}
