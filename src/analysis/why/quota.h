/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/why/facts.h"

/*
 * Detects that a CPU quota (cgroup cpu.max) held back a runnable task. No event records
 * throttling, but the timer that begins a quota's next period is in the trace.
 */

/*
 * Shorter waits of a runnable task are not taken for those of a quota; longer ones on an
 * idle CPU are.
 */
#define KFT_WHY_LONG_WAIT_NS UINT64_C(2000000)

/* The time until which a quota held back the task in this runnable state; 0: it did not. */
uint64_t kft_why_throttled_until(const struct kft_why_facts *f,
				 const struct kft_why_task *task,
				 const struct kft_interval *state);
