/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>

#include "doctor/env.h"

/*
 * Opens a perf event on this task, any CPU, not inherited. A
 * descriptor (owned) or -errno.
 */
int kft_doctor_perf_open(struct perf_event_attr *attr);

/* The type number of a PMU in sysfs ("kprobe", "uprobe"); or -errno. */
int kft_doctor_perf_type(const struct kft_doctor_env *env, const char *pmu,
			 uint32_t *ret) __must_check;

/* Keeps the CPU busy for some milliseconds. */
kft_doctor_kick_fn kft_doctor_kick_spin;
