/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <time.h>

#include "base/macro.h"

#define KFT_CLOCK_NAME_MAX 32

/*
 * The unit of a buffer's time stamps. Most of the kernel's trace clocks count
 * nanoseconds; "counter" counts events, "uptime" jiffies, "x86-tsc" (and other
 * architectures' raw counters) cycles: for these the unit is KFT_CLOCK_COUNT and a time
 * stamp is shown as a plain number, as in trace-cmd.
 */
enum kft_clock_unit {
	KFT_CLOCK_NS,
	KFT_CLOCK_COUNT,
};

struct kft_clock {
	char name[KFT_CLOCK_NAME_MAX];
	enum kft_clock_unit unit;
};

/*
 * Parses the text of tracefs' trace_clock ("[local] global ...": the one in brackets) or
 * a bare name. -EINVAL when it holds neither; *ret is not written then.
 */
int kft_clock_parse(const char *text, size_t len, struct kft_clock *ret) __must_check;

/* The POSIX clock with the same time as a trace clock; false: there is none. */
bool kft_clock_id(const char *name, clockid_t *ret);

/* The difference between time stamps and the time of day. */
struct kft_wall {
	bool is_known;
	uint64_t add; /* ns since 1970 minus the time stamp, modulo 2^64 */
};
