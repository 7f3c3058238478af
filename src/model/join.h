/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/trace.h"

/*
 * Merges several traces of one kernel, on one clock: the first trace's buffers are
 * kept, and the buffers of every other trace are named after that trace ("b.dat",
 * "b.dat:instance").
 * Event classes with different ids in the traces get a common one.
 *
 * The joined trace owns the traces; on failure they stay the caller's. -EINVAL with the
 * reason when they cannot be merged, -ENOMEM.
 */
int kft_trace_join(struct kft_trace *const *traces, const char *const *names, size_t n,
		   struct kft_trace **ret, struct kft_err *e) __must_check;
