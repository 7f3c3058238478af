/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_CAPS_H
#define KFT_CAPTURE_CAPS_H

#include <kft/error.h>

#include "base/macro.h"

/*
 * Gives up all capabilities of the calling thread but those in keep (bits by CAP_ number,
 * if it has them), and the way to get any by running a program. Threads that it creates
 * from then on have no others either; those that there are keep theirs.
 *
 * Directories in which files still have to be made or removed are given as dirfds: when
 * their permissions do not let the caller do that, CAP_DAC_OVERRIDE is kept, too.
 */
int kft_caps_drop(uint64_t keep, const int *dirfds, size_t n,
		  struct kft_err *e) __must_check;

/* Whether the calling thread has a capability (CAP_...) in effect. */
bool kft_caps_have(unsigned int cap);

#endif
