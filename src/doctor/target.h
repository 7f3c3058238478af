/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DOCTOR_TARGET_H
#define KFT_DOCTOR_TARGET_H

#include "doctor/env.h"

/* A function of this program that user-space probes are tried on. */
#define KFT_DOCTOR_PLACE_MAX 512

struct kft_doctor_place {
	char path[KFT_DOCTOR_PLACE_MAX]; /* file that the code was mapped from */
	uint64_t offset; /* of the function in it, in bytes */
};

kft_doctor_kick_fn kft_doctor_kick_target;

/* Where kft_doctor_kick_target() is, from proc/self/maps below root_fd; -errno. */
int kft_doctor_find_target(int root_fd, struct kft_doctor_place *ret) __must_check;

#endif
