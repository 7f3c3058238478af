// SPDX-License-Identifier: LGPL-2.1-or-later
/* Measures the CPU time of a sample. */
#include "doctor/sample_cost.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/io.h"
#include "base/now.h"
#include "doctor/perf.h"

/* The shortest period that the kernel keeps for a clock is 10 us. */
#define PERIOD_NS 20000
#define ROUND_NS  500000
/* The fastest round of each kind is used: interrupts disturbed it least. */
#define ROUNDS 10

/* How often the clock of this thread can be read within its time of a round. */
static uint64_t count_reads(void)
{
	uint64_t end = kft_clock_ns(CLOCK_THREAD_CPUTIME_ID) + ROUND_NS;
	uint64_t n = 0;

	while (kft_clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		n++;
	return n;
}

/* Without a buffer, samples are made and then dropped. */
static struct perf_event_attr clock_attr(void)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = PERIOD_NS,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CALLCHAIN,
	};
}

/* Samples of one CPU need the same privileges as those of all CPUs. */
static int check_privileges(void)
{
	struct perf_event_attr attr = clock_attr();

	attr.disabled = 1;
	attr.size = sizeof(attr);
	for (int cpu = 0;; cpu++) {
		_cleanup_close_ int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu,
						      -1, PERF_FLAG_FD_CLOEXEC);

		/* ENODEV: this CPU is offline. */
		if (fd >= 0 || errno != ENODEV)
			return fd < 0 ? -errno : 0;
	}
}

int kft_doctor_sample_cost(uint64_t *ret_ns)
{
	const uint64_t samples = ROUND_NS / PERIOD_NS;
	uint64_t alone = 0;
	uint64_t sampled = 0;
	int r = check_privileges();

	for (int i = 0; i < ROUNDS && r >= 0; i++) {
		struct perf_event_attr attr = clock_attr();

		alone = KFT_MAX(alone, count_reads());
		_cleanup_close_ int fd = kft_doctor_perf_open(&attr);
		r = fd;
		if (r >= 0)
			sampled = KFT_MAX(sampled, count_reads());
	}
	if (r < 0)
		return r;
	*ret_ns = sampled < alone ? (alone - sampled) * ROUND_NS / alone / samples : 0;
	return 0;
}
