/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/*
 * Measures the CPU time in ns that the kernel needs for a sample of cpu-clock with call stacks, which
 * takes 10 ms. Returns 0, or -errno if this process may not take samples of the whole system.
 */
int kft_doctor_sample_cost(uint64_t *ret_ns) __attribute__((warn_unused_result));
