/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_WHY_QUOTA_H
#define KFT_ANALYSIS_WHY_QUOTA_H

#include "analysis/why_facts.h"

/*
 * Whether a task that could run was held back by a CPU quota (cgroup cpu.max). No event says
 * so: but those of the timer that begins a quota's next period are in the trace.
 */

/* A task that could run for longer, though its CPU was idle, was kept off. */
#define KFT_WHY_LONG_WAIT_NS UINT64_C(2000000)

/* Until when a task that could run was held back by a quota; 0: it was not. */
uint64_t kft_why_throttled_until(const struct kft_why_facts *f,
				 const struct kft_why_task *task,
				 const struct kft_interval *state);

#endif
