/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

/* Samples a second where the user names no number. A prime, so that timers do not beat with it. */
#define KFT_SAMPLES_HZ 997

/* An event that samples can be taken of. */
struct kft_sample_event {
	const char *name; /* as perf spells it */
	uint32_t type; /* of <linux/perf_event.h>, like config */
	uint64_t config;
	bool in_kernel; /* happens in the kernel only */
};

/* NULL: there is no such event. */
const struct kft_sample_event *kft_sample_event_find(const char *name);
