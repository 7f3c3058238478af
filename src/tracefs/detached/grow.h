/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "tracefs/detached/part.h"

/*
 * Doubles the buffers of a recording that should keep the last keep_ns, when one of them
 * is full and reaches back less far. They do not grow beyond the machine's free memory,
 * nor beyond KFT_GROW_MAX_BYTES for each CPU. Kernels record nothing while they resize a
 * buffer (since 6.9, tracing_stop_tr()): markers of a pause and a resume enclose it.
 */
#define KFT_GROW_MAX_BYTES (UINT64_C(256) << 20)

int kft_run_grow(const struct kft_tracefs_part *r, struct kft_err *e) __must_check;
