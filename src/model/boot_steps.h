/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * Functions that start_kernel() and kernel_init() (init/main.c) call one after another
 * once tracing works. A light recording of a boot has these and initcalls. A name that
 * the kernel does not have is ignored.
 */
extern const char *const kft_boot_steps[];
extern const size_t kft_boot_steps_count;
