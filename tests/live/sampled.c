// SPDX-License-Identifier: GPL-2.0-only
/*
 * Spends known shares of its time in functions: of ten parts six in hot_six, three in hot_three,
 * one in hot_one, which another function calls. usage: sampled ROUNDS [THREADS]
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/* Some microseconds: many calls lie between two samples. */
#define STEPS 2000

static long rounds;

/*
 * Each step waits for the product of the one before, so that all steps take the same time,
 * wherever the compiler places the loop. The use of the frame's address makes the compiler set
 * up a frame also in a function that calls nothing.
 */
#define WORK()                                                            \
	do {                                                              \
		unsigned long x = 1;                                      \
		__asm__ volatile("" : : "r"(__builtin_frame_address(0))); \
		for (int i = 0; i < STEPS; i++) {                         \
			x *= 2862933555777941757UL;                       \
			__asm__ volatile("" : "+r"(x));                   \
		}                                                         \
	} while (0)

__attribute__((noinline)) static void hot_six(void)
{
	WORK();
}

__attribute__((noinline)) static void hot_three(void)
{
	WORK();
}

__attribute__((noinline)) static void hot_one(void)
{
	WORK();
}

/* Has no time of its own. The store after the call keeps it from being a jump. */
__attribute__((noinline)) static void calls_one(volatile int *done)
{
	hot_one();
	*done = 1;
}

/* Calls in a fixed order could go with the times of the samples: xorshift mixes them. */
static unsigned int draw(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed % 10;
}

static void *work(void *arg)
{
	uint64_t seed = 88172645463325252;
	volatile int done = 0;

	for (long i = 0; i < rounds * 10; i++) {
		unsigned int n = draw(&seed);

		if (n < 6)
			hot_six();
		else if (n < 9)
			hot_three();
		else
			calls_one(&done);
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int threads = argc > 2 ? atoi(argv[2]) : 0;

	rounds = argc > 1 ? atol(argv[1]) : 1000;
	while (threads-- > 1)
		if (pthread_create(&thread, NULL, work, NULL) != 0)
			return 1;
	(void)work(NULL);
	if (argc > 2)
		pthread_exit(NULL);
	return 0;
}
