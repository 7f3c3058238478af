// SPDX-License-Identifier: GPL-2.0-only
#include "cli/run_session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/io.h"
#include "capture/run/keep.h"

/* Held by the keeper for as long as it lives. */
#define KEEPER_FILE "keeper"

static int lock_keeper(const struct cli_run *r, int *ret_fd)
{
	_cleanup_close_ int fd = openat(r->run.dir.fd, KEEPER_FILE,
					O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return -errno;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

bool cli_run_has_keeper(const struct cli_run *r)
{
	_cleanup_close_ int fd = -1;
	int n = lock_keeper(r, &fd);

	return n == -EWOULDBLOCK;
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

/* The life of a keeper. What it cannot do the next command tries again, and tells. */
static void keep(const char *name)
{
	const struct kft_run_counter counter = {.count = cli_run_count};
	struct cli c = {.out.fd = STDOUT_FILENO};
	struct cli_run r;
	int lock_fd = -1;

	if (cli_run_open(&c, name, &r) < 0)
		return;
	int n = lock_keeper(&r, &lock_fd);
	/* Others have to be able to work on the run while it is waited for. */
	kft_run_close(&r.run);
	r.is_open = false;
	if (n == 0)
		n = kft_run_keep(r.host, name, &r.plan, &counter, -1, &c.err);
	cli_run_close(&r);
	if (n == 1 && cli_run_open(&c, name, &r) == 0) {
		(void)!cli_run_tend(&c, &r);
		cli_run_close(&r);
	}
	kft_closep(&lock_fd);
}

int cli_run_spawn_keeper(struct cli *c, const char *name)
{
	pid_t pid = fork();

	if (pid < 0)
		return kft_err_sys(&c->err, -errno, "cannot start the run's keeper");
	if (pid > 0) {
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		return 0;
	}
	/* Twice, so that it is nobody's child and nobody has to wait for it. */
	leave_terminal();
	if (fork() == 0)
		keep(name);
	_exit(0);
}
