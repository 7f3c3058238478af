/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/parts.h"
#include "file/tracedat/write/write.h"

/*
 * Replaces FILE, which is unchanged until the new one is complete: written under
 * another name, synced, renamed. Any interruption, including a power failure, leaves
 * either the old or the new one.
 */
typedef int kft_parts_write_fn(void *arg, int fd, struct kft_err *e);

/* *ret_fd (may be NULL) is the new file, open and locked. */
int kft_parts_replace_file(const struct kft_parts *p, kft_parts_write_fn *write,
			   void *arg, int *ret_fd, struct kft_err *e) __must_check;

/*
 * Merges FILE.parts (which is open) and the metadata into one ordinary trace.dat, and
 * removes FILE.parts. On failure nothing is changed, and the hint says how to proceed.
 */
int kft_parts_merge(struct kft_parts *p, const struct kft_meta *meta,
		    const struct kft_tracedat_opts *opts, struct kft_err *e) __must_check;
