/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_CLOCK_H
#define KFT_MODEL_CLOCK_H

#include <time.h>

#include "base/macro.h"

#define KFT_CLOCK_NAME_MAX 32

/*
 * What the time stamps of a buffer count. Most of the kernel's trace clocks count
 * nanoseconds; "counter" counts events, "uptime" jiffies, "x86-tsc" (and other
 * architectures' raw counters) cycles: for those unit is KFT_CLOCK_COUNT and a time
 * stamp is shown as a plain number, as trace-cmd does.
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
 * From the text of tracefs' trace_clock ("[local] global ...": the one in brackets) or a
 * bare name. -EINVAL when it holds neither; *ret is not written then.
 */
int kft_clock_parse(const char *text, size_t len, struct kft_clock *ret) __must_check;

/* The system's clock that a trace clock of that name reads; false: programs cannot read it. */
bool kft_clock_id(const char *name, clockid_t *ret);

/* What makes a time stamp a time of day. */
struct kft_wall {
	bool is_known;
	uint64_t add; /* ns since 1970 less the time stamp, modulo 2^64 */
};

#endif
