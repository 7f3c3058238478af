/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "doctor/env.h"

/* A function of this program on which user-space probes are tried. */
#define KFT_DOCTOR_PLACE_MAX 512

struct kft_doctor_place {
	char path[KFT_DOCTOR_PLACE_MAX]; /* file of the mapping that contains the code */
	uint64_t offset; /* offset of the function in the file, in bytes */
};

kft_doctor_kick_fn kft_doctor_kick_target;

/* Finds kft_doctor_kick_target() in proc/self/maps below root_fd; or -errno. */
int kft_doctor_find_target(int root_fd, struct kft_doctor_place *ret) __must_check;
