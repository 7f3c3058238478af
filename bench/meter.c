// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command and prints, on descriptor 3, its seconds of wall and CPU time and its
 * largest resident size in bytes:
 *
 *	meter COMMAND ... 3>FILE
 *
 * A small program of its own, because a child's peak memory counts what it was before
 * exec: a copy of the one that started it.
 */
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct rusage u;
	double start = now();
	int status;
	pid_t pid;

	if (argc < 2 || posix_spawnp(&pid, argv[1], NULL, NULL, argv + 1, environ) != 0)
		return 127;
	if (wait4(pid, &status, 0, &u) != pid)
		return 126;
	(void)dprintf(3, "%.6f %.6f %.0f\n", now() - start,
		      seconds(u.ru_utime) + seconds(u.ru_stime), u.ru_maxrss * 1024.0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
