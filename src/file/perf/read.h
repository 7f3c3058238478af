/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/trace.h"

/*
 * Whether a file that begins with these bytes is a perf.data file, in either byte order.
 */
bool kft_perf_match(const void *head, size_t len);

/*
 * Opens a file that perf record wrote: directly or through a pipe, compressed or not,
 * whole or truncated (docs/formats/perf-data.md). fd is a regular file open for reading,
 * taken in any case; path is its name, for messages. Errors as kft_tracedat_open(); for a
 * compressed file also those of creating and writing a temporary file.
 */
int kft_perf_open(int fd, const char *path, struct kft_trace **ret,
		  struct kft_err *e) __must_check;
