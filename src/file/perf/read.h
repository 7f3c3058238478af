/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_PERF_READ_H
#define KFT_FILE_PERF_READ_H

#include "model/trace.h"

/* The bytes at a file's start are those of a perf.data file, of either byte order. */
bool kft_perf_match(const void *head, size_t len);

/*
 * Opens what perf record wrote: a file or what went through a pipe, compressed or not,
 * whole or cut off (docs/formats/perf-data.md). fd is a regular file open for reading,
 * taken in any case; path is its name, for messages. Errors as kft_tracedat_open(); those
 * of making and writing a temporary file when it is compressed.
 */
int kft_perf_open(int fd, const char *path, struct kft_trace **ret,
		  struct kft_err *e) __must_check;

#endif
