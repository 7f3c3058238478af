/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_PROBE_PERF_H
#define KFT_CAPTURE_PROBE_PERF_H

#include <linux/perf_event.h>

#include "capture/probe/env.h"

/* A perf event on this task, any CPU, not inherited. A descriptor (owned) or -errno. */
int kft_probe_perf_open(struct perf_event_attr *attr);

/* The type number of a PMU with a directory in sysfs ("kprobe", "uprobe"); -errno. */
int kft_probe_perf_type(const struct kft_probe_env *env, const char *pmu,
			uint32_t *ret) __must_check;

/* Keeps the CPU busy for some milliseconds. */
kft_probe_kick_fn kft_probe_kick_spin;

#endif
