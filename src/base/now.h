/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>
#include <time.h>

/* The time of a system clock in nanoseconds. */
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

/*
 * Converts a time of CLOCK_BOOTTIME to CLOCK_MONOTONIC, which stops while
 * the machine is suspended.
 */
static inline uint64_t kft_boot_to_now_ns(uint64_t boot_ns)
{
	uint64_t now = kft_clock_ns(CLOCK_BOOTTIME);
	uint64_t mono = kft_now_ns();

	if (boot_ns >= now)
		return mono + (boot_ns - now);
	return now - boot_ns < mono ? mono - (now - boot_ns) : 0;
}
