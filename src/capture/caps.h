/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/macro.h"

/*
 * Drops all capabilities of the calling thread except those in keep (bits by CAP_ number, if
 * it has them), and sets no_new_privs, so that exec cannot add any. Threads that it creates
 * later inherit this; existing threads keep their capabilities.
 *
 * dirfds are directories in which the caller will still create or remove files. If their
 * permissions do not allow this without CAP_DAC_OVERRIDE, this capability is kept, too.
 */
int kft_caps_drop(uint64_t keep, const int *dirfds, size_t n,
		  struct kft_err *e) __must_check;

/* True if the calling thread has a capability (CAP_...) in its effective set. */
bool kft_caps_have(unsigned int cap);
