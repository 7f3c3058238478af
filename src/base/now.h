/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_NOW_H
#define KFT_BASE_NOW_H

#include <stdint.h>
#include <time.h>

/* What a clock of the system says, in nanoseconds. */
static inline uint64_t kft_clock_ns(clockid_t clock)
{
	struct timespec ts = {};

	(void)clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* CLOCK_MONOTONIC, which is the kernel's clock "mono" and kft's own. */
static inline uint64_t kft_now_ns(void)
{
	return kft_clock_ns(CLOCK_MONOTONIC);
}

#endif
