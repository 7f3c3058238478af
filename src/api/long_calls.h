/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_API_LONG_CALLS_H
#define KFT_API_LONG_CALLS_H

#include "file/tracedat/write.h"

/*
 * Drops from a trace.dat, which is complete and has one buffer, all calls of functions that
 * took longer than max_ns, entries and exits: the kernel has no upper bound for durations. The
 * new file is renamed over the old one when it is complete, or nothing is changed. opts: of the
 * new file.
 */
int kft_drop_long_calls(const char *path, uint64_t max_ns,
			const struct kft_tracedat_opts *opts, uint64_t *ret_dropped,
			struct kft_err *e) __must_check;

#endif
