// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses the kernel's lists of CPUs. */
#include "base/cpuset.h"

#include <errno.h>

#include "base/bits.h"

static int parse_cpu(const char **text, uint32_t *ret)
{
	const char *p = *text;
	uint32_t cpu = 0;

	if (*p < '0' || *p > '9')
		return -EINVAL;
	for (; *p >= '0' && *p <= '9'; p++) {
		cpu = cpu * 10 + (*p - '0');
		if (cpu >= KFT_CPU_MAX)
			return -ERANGE;
	}
	*text = p;
	*ret = cpu;
	return 0;
}

static int parse_range(struct kft_cpuset *set, const char **text)
{
	uint32_t first;
	int r = parse_cpu(text, &first);

	if (r < 0)
		return r;
	uint32_t last = first;
	if (**text == '-') {
		(*text)++;
		r = parse_cpu(text, &last);
		if (r < 0)
			return r;
	}
	if (last < first)
		return -EINVAL;
	for (uint32_t cpu = first; cpu <= last; cpu++)
		kft_bits_add(set->bits, cpu);
	return 0;
}

int kft_cpuset_parse(struct kft_cpuset *set, const char *text)
{
	for (;;) {
		int r = parse_range(set, &text);

		if (r < 0)
			return r;
		if (*text == '\n')
			text++;
		if (!*text)
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}
