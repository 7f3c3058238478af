/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/bits.h"
#include "base/macro.h"

/* The largest number of CPUs that Linux can be built for (x86's MAXSMP). */
#define KFT_CPU_MAX 8192

/* A set of CPU numbers. A zeroed one is empty. */
struct kft_cpuset {
	uint64_t bits[KFT_BITS_WORDS(KFT_CPU_MAX)];
};

static inline bool kft_cpuset_has(const struct kft_cpuset *set, uint32_t cpu)
{
	return cpu < KFT_CPU_MAX && kft_bits_has(set->bits, cpu);
}

/*
 * Adds the CPUs of a list in the kernel's notation, "0,2-3", as in
 * /sys/devices/system/cpu/online; a newline at the end is allowed. -EINVAL, or -ERANGE
 * for a number beyond KFT_CPU_MAX; the set's contents are then undefined.
 */
int kft_cpuset_parse(struct kft_cpuset *set, const char *text) __must_check;
