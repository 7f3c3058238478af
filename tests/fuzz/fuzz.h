/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_FUZZ_H
#define KFT_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer and driver.c call this with each input; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Checks a condition that must hold for every input; not removed by NDEBUG. */
#define FUZZ_ASSERT(cond)                 \
	do {                              \
		if (!(cond))              \
			__builtin_trap(); \
	} while (0)

#endif
