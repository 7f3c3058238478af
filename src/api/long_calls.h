/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/write/write.h"

/*
 * Drops all calls of functions that took longer than max_ns, entries and exits, from a
 * complete trace.dat with one buffer: the kernel has no upper limit for durations. The
 * new file is renamed over the old one when it is complete; on failure nothing is
 * changed. opts: for the new file.
 */
int kft_drop_long_calls(const char *path, uint64_t max_ns,
			const struct kft_tracedat_opts *opts, uint64_t *ret_dropped,
			struct kft_err *e) __must_check;
