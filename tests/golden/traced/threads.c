// SPDX-License-Identifier: GPL-2.0-only
/* Threads that share a mutex; with an argument, one of them executes a program. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&lock);
		(void)!write(1, "t", 1);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *execute(void *arg)
{
	execl("/bin/true", "true", (char *)NULL);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++) {
		pthread_create(&threads[i], NULL, run, NULL);
		pthread_join(threads[i], NULL);
	}
	if (argc > 1) {
		pthread_create(&threads[0], NULL, execute, NULL);
		pthread_join(threads[0], NULL);
	}
	return 0;
}
