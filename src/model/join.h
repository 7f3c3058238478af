/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_JOIN_H
#define KFT_MODEL_JOIN_H

#include "model/trace.h"

/*
 * Several traces of one kernel, on one clock, as one trace: the buffers of the first one as
 * they are, those of each other one as buffers named after it ("b.dat", "b.dat:instance").
 * Kinds of events that have another number in another trace get one that all have.
 *
 * The traces are the joined one's from then on; on failure they stay the caller's. -EINVAL with
 * the reason when they do not fit together, -ENOMEM.
 */
int kft_trace_join(struct kft_trace *const *traces, const char *const *names, size_t n,
		   struct kft_trace **ret, struct kft_err *e) __must_check;

#endif
