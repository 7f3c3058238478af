// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that stutters, for docs/tour.md. A player draws 50 frames per second, and a thread saves
 * its library now and then. Each frame needs the lock of the library, which the thread holds until
 * the disk has the data.
 *
 *	cc -O2 -pthread -o player samples/player.c && ./player
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FRAMES	 100
#define FRAME_NS 20000000L
#define WORK_NS	 2000000L
#define SAVE_NS	 450000000L
#define LIBRARY	 ((size_t)32 << 20) /* bytes */

static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;
static char *library;

static long now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

static void sleep_until(long ns)
{
	struct timespec at = {ns / 1000000000L, ns % 1000000000L};

	(void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void save(void)
{
	int fd = open("player.library", O_WRONLY | O_CREAT, 0600);

	(void)pthread_mutex_lock(&library_lock);
	if (write(fd, library, LIBRARY) < 0 || fdatasync(fd) < 0)
		perror("player.library");
	(void)pthread_mutex_unlock(&library_lock);
	(void)close(fd);
}

static void *saver(void *unused)
{
	(void)unused;
	(void)pthread_setname_np(pthread_self(), "saver");
	for (long next = now_ns() + SAVE_NS;; next += SAVE_NS) {
		sleep_until(next);
		save();
	}
	return NULL;
}

static void draw_frame(void)
{
	(void)pthread_mutex_lock(&library_lock);
	for (long end = now_ns() + WORK_NS; now_ns() < end;)
		library[end % LIBRARY]++;
	(void)pthread_mutex_unlock(&library_lock);
}

/* Draws the frames. Returns how many were late. */
static int play(long *worst_ns)
{
	int late = 0;

	for (long i = 0, next = now_ns(); i < FRAMES; i++) {
		next += FRAME_NS;
		sleep_until(next);
		draw_frame();
		long took = now_ns() - next;

		late += took > FRAME_NS;
		*worst_ns = took > *worst_ns ? took : *worst_ns;
		/* Frames whose time is over are not drawn. */
		next += took / FRAME_NS * FRAME_NS;
	}
	return late;
}

int main(void)
{
	pthread_t thread;
	long worst_ns = 0;

	library = malloc(LIBRARY);
	if (!library)
		return 1;
	memset(library, 1, LIBRARY);
	if (pthread_create(&thread, NULL, saver, NULL))
		return 1;
	int late = play(&worst_ns);

	printf("%d of %d frames were late, the worst took %ld ms\n", late, FRAMES,
	       worst_ns / 1000000);
	return 0;
}
