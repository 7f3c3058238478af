// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes system calls, and prints the seconds of CPU and wall time that they took:
 *
 *	load CALLS [CALLS-PER-SECOND [signals]]
 *
 * With a rate it sleeps in between, a thousand times a second. With "signals" each call sends a
 * signal, which nobody waits for: an event beside those of calls.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void sleep_until(double wall)
{
	struct timespec t = {.tv_sec = (time_t)wall};

	t.tv_nsec = (long)((wall - t.tv_sec) * 1e9);
	(void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

int main(int argc, char **argv)
{
	long calls = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	long rate = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	long some = rate ? rate / 1000 : calls;
	bool signals = argc > 3;
	pid_t own = getpid();
	double start = seconds(CLOCK_MONOTONIC);

	if (calls <= 0 || some <= 0)
		return 2;
	for (long done = 0; done < calls; done += some) {
		for (long i = 0; i < some; i++)
			(void)syscall(signals ? SYS_kill : SYS_getppid, own, SIGURG);
		if (rate)
			sleep_until(start + (double)(done + some) / rate);
	}
	printf("%.6f %.6f\n", seconds(CLOCK_PROCESS_CPUTIME_ID),
	       seconds(CLOCK_MONOTONIC) - start);
	return 0;
}
