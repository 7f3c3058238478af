// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a mark costs, beside what it is made of: the least of many batches, in ns each.
 *
 *	build/bench/bench-marks		while no session records
 *	build/bench/bench-marks NAME	while the flight recorder or detached session NAME does
 */
#include <kft/mark.h>

#define BATCHES 50

static char marker[256];
static int marker_fd = -1;

static void mark(void)
{
	(void)kft_mark("frame ready");
}

static void read_clock(void)
{
	(void)kft_mark_now_ms();
}

static void open_and_close(void)
{
	(void)close(open(marker, O_WRONLY | O_CLOEXEC));
}

static void write_open(void)
{
	static const char text[] = "I|12345|frame ready";

	(void)!write(marker_fd, text, sizeof(text) - 1);
}

static double now_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static void measure(const char *what, void (*call)(void), int calls)
{
	double least = 1e18;

	for (int i = 0; i < BATCHES; i++) {
		double began = now_ns();

		for (int n = 0; n < calls; n++)
			call();
		double each = (now_ns() - began) / calls;
		least = each < least ? each : least;
	}
	printf("%-40s %8.1f ns\n", what, least);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		measure("kft_mark(), nothing records", mark, 1000000);
		measure("a read of the coarse clock", read_clock, 1000000);
		return 0;
	}
	(void)setenv("KFT_SESSION", argv[1], 1);
	(void)snprintf(marker, sizeof(marker), KFT_MARK_INSTANCES "/kft+%s/trace_marker",
		       argv[1]);
	marker_fd = open(marker, O_WRONLY | O_CLOEXEC);
	if (marker_fd < 0) {
		perror(marker);
		return 1;
	}
	measure("kft_mark(), one session records", mark, 2000);
	measure("opening and closing trace_marker", open_and_close, 2000);
	measure("a write to an open trace_marker", write_open, 20000);
	return 0;
}
