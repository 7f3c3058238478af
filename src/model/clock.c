// SPDX-License-Identifier: LGPL-2.1-or-later
/* Maps the kernel's trace clocks to their units. */
#include "model/clock.h"

#include <errno.h>
#include <string.h>

#include "base/scan.h"

static enum kft_clock_unit unit_of(const char *name)
{
	/*
	 * Clocks without in_ns in trace_clocks[] of the kernel's
	 * trace.c, and ARCH_TRACE_CLOCKS.
	 */
	static const char counting[] = "counter uptime x86-tsc ppc-tb";

	return kft_has_word(counting, name) ? KFT_CLOCK_COUNT : KFT_CLOCK_NS;
}

int kft_clock_parse(const char *text, size_t len, struct kft_clock *ret)
{
	const char *open = len ? memchr(text, '[', len) : NULL;
	const char *start = open ? open + 1 : text;
	const char *end = text + len;
	const char *p = start;

	while (p < end && *p && *p != ']' && *p != ' ' && *p != '\n')
		p++;
	size_t n = p - start;
	if (n == 0 || n >= KFT_CLOCK_NAME_MAX || (open && (p == end || *p != ']')))
		return -EINVAL;
	struct kft_clock clock = {};
	memcpy(clock.name, start, n);
	clock.unit = unit_of(clock.name);
	*ret = clock;
	return 0;
}

bool kft_clock_id(const char *name, clockid_t *ret)
{
	static const struct {
		const char *name;
		clockid_t id;
	} clocks[] = {
		{"mono", CLOCK_MONOTONIC},
		{"mono_raw", CLOCK_MONOTONIC_RAW},
		{"boot", CLOCK_BOOTTIME},
		{"tai", CLOCK_TAI},
	};

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if (strcmp(clocks[i].name, name) == 0) {
			*ret = clocks[i].id;
			return true;
		}
	return false;
}
