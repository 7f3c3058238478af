/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "doctor/env.h"

/*
 * Switches a tracer on, limited to KFT_DOCTOR_FUNC if it traces functions: in doctor's
 * instance or, if the kernel supports the tracer only there, in the top-level buffer
 * while that is unused. Returns 0 with the tracer's directory (borrowed), or -errno:
 * -ENOENT the kernel lacks the tracer, -EBUSY another program uses the buffer.
 */
int kft_doctor_start_tracer(struct kft_doctor_env *env, const char *tracer,
			    int *ret_dirfd) __must_check;

/* Whether neither the top-level buffer nor another instance has a tracer running. */
bool kft_doctor_no_tracer_runs(const struct kft_doctor_env *env);

/*
 * Whether the top-level buffer is unused: nothing is set up, recorded or filtered there.
 */
bool kft_doctor_top_is_free(const struct kft_doctor_env *env);

/* Filters functions to KFT_DOCTOR_FUNC, by index if the kernel can. */
int kft_doctor_filter_func(struct kft_doctor_env *env) __must_check;

/* Whether a function filter is empty; true if its file does not exist. */
bool kft_doctor_filter_is_empty(int dirfd, const char *path);
