// SPDX-License-Identifier: GPL-2.0-only
/* Shows long output through a pager. */
#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"

/*
 * Same as git: quit if the text fits the screen, show colours, leave
 * the text on the screen.
 */
#define LESS_OPTIONS "FRX"

bool cli_no_pager;

static struct {
	pid_t pid; /* 0: not running */
	int stderr_fd; /* owned: the terminal; -1: standard error is unchanged */
} pager = {.stderr_fd = -1};

static const char *command(void)
{
	const char *name = getenv("KFT_PAGER");

	if (!name)
		name = getenv("PAGER");
	if (!name)
		name = "command -v less >/dev/null && exec less; exec cat";
	return *name && strcmp(name, "cat") != 0 ? name : NULL;
}

static _Noreturn void child(const char *name, int in)
{
	(void)signal(SIGPIPE, SIG_DFL);
	(void)signal(SIGXFSZ, SIG_DFL);
	if (dup2(in, STDIN_FILENO) == STDIN_FILENO)
		(void)execl("/bin/sh", "sh", "-c", name, (char *)NULL);
	_exit(127);
}

/*
 * Notes and errors go through the pager too, as they would
 * otherwise overwrite its screen.
 */
static void redirect_stderr(int to)
{
	if (!isatty(STDERR_FILENO))
		return;
	pager.stderr_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (pager.stderr_fd >= 0)
		(void)dup2(to, STDERR_FILENO);
}

/* On failure, the output goes to the terminal directly. */
static void start(struct cli_out *out)
{
	const char *name = command();
	int fds[2];

	if (!name || pipe2(fds, O_CLOEXEC) < 0)
		return;
	(void)setenv("LESS", LESS_OPTIONS, false);
	pager.pid = fork();
	if (pager.pid == 0)
		child(name, fds[0]);
	(void)close(fds[0]);
	if (pager.pid < 0) {
		(void)close(fds[1]);
		pager.pid = 0;
		return;
	}
	/* Interrupt keys are for the pager: its end also ends the output. */
	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGQUIT, SIG_IGN);
	out->fd = fds[1];
	redirect_stderr(out->fd);
}

void cli_pager_prepare(struct cli_out *out)
{
	const char *term = getenv("TERM");

	if (!cli_no_pager && isatty(out->fd) && (!term || strcmp(term, "dumb") != 0))
		out->start = start;
}

bool cli_pager_is_there(void)
{
	return pager.pid;
}

void cli_pager_end(struct cli_out *out)
{
	if (pager.stderr_fd >= 0) {
		(void)dup2(pager.stderr_fd, STDERR_FILENO);
		kft_closep(&pager.stderr_fd);
	}
	kft_closep(&out->fd);
	while (waitpid(pager.pid, NULL, 0) < 0 && errno == EINTR)
		;
	pager.pid = 0;
}
