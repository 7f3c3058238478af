/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DOCTOR_TRACER_H
#define KFT_DOCTOR_TRACER_H

#include "doctor/env.h"

/*
 * Switches a tracer on, tracing KFT_DOCTOR_FUNC alone if it traces functions: in the own
 * instance, or, when the kernel has it only there, in the top-level buffer while nobody
 * uses that. Returns 0 with the directory it runs in (borrowed), or -errno:
 * -ENOENT the kernel has no such tracer, -EBUSY somebody is using what it needs.
 */
int kft_doctor_start_tracer(struct kft_doctor_env *env, const char *tracer,
			    int *ret_dirfd) __must_check;

/* True when neither the top-level buffer nor any other instance runs a tracer. */
bool kft_doctor_no_tracer_runs(const struct kft_doctor_env *env);

/* True when nothing is set up, recorded or filtered in the top-level buffer. */
bool kft_doctor_top_is_free(const struct kft_doctor_env *env);

/* Filters functions to KFT_DOCTOR_FUNC, by index if the kernel can. */
int kft_doctor_filter_func(struct kft_doctor_env *env) __must_check;

/* Whether a function filter file lists nothing; true when there is no such file. */
bool kft_doctor_filter_is_empty(int dirfd, const char *path);

#endif
