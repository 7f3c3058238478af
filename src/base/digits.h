/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <string.h>

#include "base/macro.h"

/*
 * Writes decimal numbers for the hot path of reports: to p, which has room for
 * KFT_DIGITS_MAX bytes; returns the position after the last digit.
 */
#define KFT_DIGITS_MAX 20

extern const char kft_two_digits[201];

static inline char *kft_put_two(char *p, unsigned int v)
{
	memcpy(p, kft_two_digits + 2 * v, 2);
	return p + 2;
}

static inline unsigned int kft_count_digits(uint64_t v)
{
	unsigned int n = 1;

	for (;;) {
		if (v < 10)
			return n;
		if (v < 100)
			return n + 1;
		if (v < 1000)
			return n + 2;
		if (v < 10000)
			return n + 3;
		v /= 10000;
		n += 4;
	}
}

static inline char *kft_put_u64(char *p, uint64_t v)
{
	char *end = p + kft_count_digits(v);
	char *q = end;

	while (v >= 100) {
		q -= 2;
		(void)kft_put_two(q, v % 100);
		v /= 100;
	}
	if (v >= 10)
		(void)kft_put_two(q - 2, v);
	else
		q[-1] = '0' + v;
	return end;
}

static inline char *kft_put_u32(char *p, uint32_t v)
{
	if (v < 10) {
		*p = '0' + v;
		return p + 1;
	}
	return v < 100 ? kft_put_two(p, v) : kft_put_u64(p, v);
}
