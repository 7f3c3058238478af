// SPDX-License-Identifier: LGPL-2.1-or-later
/* Starts processes in the background. */
#include "session/background.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/io.h"

/*
 * Closes all descriptors from first on. Otherwise the daemon would hold pipes and locks
 * of the program that started kft for as long as it lives. close_range() came with Linux
 * 5.9.
 */
static void close_from(int first)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, first, ~0U, 0) == 0)
		return;
#endif
	for (int fd = sysconf(_SC_OPEN_MAX); fd-- > first;)
		(void)close(fd);
}

/*
 * Closes all descriptors but the standard ones and answer_fd, and returns the new number
 * of the latter.
 */
static int close_inherited(int answer_fd)
{
	const int kept = STDERR_FILENO + 1;

	if (answer_fd != kept)
		(void)dup2(answer_fd, kept);
	close_from(kept + 1);
	return kept;
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

/* Reads up to size bytes, fewer if the process ends its answer. */
static int read_answer(int fd, char *answer, size_t size)
{
	size_t got = 0;
	ssize_t n;

	while (got < size) {
		n = read(fd, answer + got, size - got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	return (int)got;
}

int kft_background(kft_background_fn *life, const void *arg, void *ret_answer,
		   size_t answer_bytes)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	pid_t pid = fork();
	int r = pid < 0 ? -errno : 0;
	if (pid == 0) {
		int answer_fd = close_inherited(fds[1]);

		leave_terminal();
		/* The second fork makes it an orphan, so that kft need not wait for it. */
		if (fork() == 0)
			life(arg, answer_fd);
		_exit(0);
	}
	kft_closep(&fds[1]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (pid > 0)
		r = read_answer(fds[0], ret_answer, answer_bytes);
	kft_closep(&fds[0]);
	return r;
}
