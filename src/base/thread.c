// SPDX-License-Identifier: LGPL-2.1-or-later
/* Starts threads that receive no signals. */
#include "base/thread.h"

#include <sched.h>
#include <signal.h>

int kft_thread_start(pthread_t *ret, size_t stack_bytes, void *(*run)(void *), void *arg)
{
	pthread_attr_t attr;
	sigset_t all;
	sigset_t old;

	(void)pthread_attr_init(&attr);
	if (stack_bytes)
		(void)pthread_attr_setstacksize(&attr, stack_bytes);
	(void)sigfillset(&all);
	/*
	 * SIGBUS of a truncated mapped file comes to the thread itself: its handler lets
	 * the thread go on (base/mapped.h).
	 */
	(void)sigdelset(&all, SIGBUS);
	(void)pthread_sigmask(SIG_SETMASK, &all, &old);
	int r = pthread_create(ret, &attr, run, arg);

	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	(void)pthread_attr_destroy(&attr);
	return -r;
}

unsigned int kft_threads_usable(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) < 0 ? 1 : CPU_COUNT(&cpus);
}
