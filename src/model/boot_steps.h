/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_BOOT_STEPS_H
#define KFT_MODEL_BOOT_STEPS_H

#include "base/macro.h"

/*
 * Functions that a kernel's start_kernel() and kernel_init() call one after another
 * (init/main.c) from the moment that tracing works: what a light first look at a boot
 * records besides initcalls. One that a kernel does not have does no harm.
 */
extern const char *const kft_boot_steps[];
extern const size_t kft_boot_steps_count;

#endif
