/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_PROBE_TARGET_H
#define KFT_CAPTURE_PROBE_TARGET_H

#include "capture/probe/env.h"

/* A function of this program that user-space probes are tried on. */
#define KFT_PROBE_PLACE_MAX 512

struct kft_probe_place {
	char path[KFT_PROBE_PLACE_MAX]; /* file that the code was mapped from */
	uint64_t offset; /* of the function in it, in bytes */
};

kft_probe_kick_fn kft_probe_kick_target;

/* Where kft_probe_kick_target() is, from proc/self/maps below root_fd; -errno. */
int kft_probe_find_target(int root_fd, struct kft_probe_place *ret) __must_check;

#endif
