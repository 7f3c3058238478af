// SPDX-License-Identifier: GPL-2.0-only
/*
 * probed [CALLS [MARKER FILE]]: calls with known arguments and known returns. With a marker
 * each call comes after a pread() of FILE by as many bytes, and before a mark and a sleep of
 * two milliseconds.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) int planted_add(int n, const char *text);
__attribute__((noinline)) int planted_twice(int n);

int planted_add(int n, const char *text)
{
	return n + (text[0] - 'a');
}

int planted_twice(int n)
{
	return 2 * n;
}

static int open_file(int argc, char **argv, int i, int flags)
{
	int fd = argc > i ? open(argv[i], flags) : -1;

	if (argc > i && fd < 0) {
		perror(argv[i]);
		exit(1);
	}
	return fd;
}

static void sleep_ms(int ms)
{
	struct timespec left = {.tv_nsec = 1000000L * ms};

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

int main(int argc, char **argv)
{
	static const char *const texts[] = {"alpha", "beta", "gamma", "delta", "e"};
	int calls = argc > 1 ? atoi(argv[1]) : 5;
	int marker = open_file(argc, argv, 2, O_WRONLY);
	int file = open_file(argc, argv, 3, O_RDONLY);
	volatile int sum = 0;
	char buf[4096];

	for (int i = 0; i < calls; i++) {
		if (file >= 0)
			sum += (int)pread(file, buf, (size_t)(100 + i), 0);
		sum += planted_add(100 + i, texts[i % 5]);
		sum += planted_twice(i);
		if (marker < 0)
			continue;
		(void)!write(marker, buf,
			     (size_t)snprintf(buf, sizeof(buf), "round %d", i));
		sleep_ms(2);
	}
	return sum == 0;
}
