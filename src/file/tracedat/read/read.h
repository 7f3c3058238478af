/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/io/input.h"
#include "model/trace.h"

/* Whether a file that begins with these bytes is a trace.dat file of any version. */
bool kft_tracedat_match(const void *head, size_t len);

/*
 * Opens a trace.dat file of version 6 or 7, also one that is being recorded (see
 * docs/formats/trace-dat.md). fd is a regular file open for reading, taken in any case;
 * path is its name, for the files beside it. Fails only when no part of the file can be
 * shown: -EINVAL (not a trace.dat), -ENOTSUP (version or compression), -ENODATA
 * (truncated in its first bytes), -ENOMEM, -errno. All other errors become damage of
 * the trace or its streams.
 */
int kft_tracedat_open(int fd, const char *path, struct kft_trace **ret,
		      struct kft_err *e) __must_check;

/*
 * Opens only the metadata of a file that is being recorded; the caller adds the events.
 * -EINVAL for other files, else as kft_tracedat_open().
 */
int kft_tracedat_open_live(int fd, const char *path, struct kft_trace **ret,
			   struct kft_err *e) __must_check;

/*
 * Reads the texts that begin a version 6 file, as perf.data contains them at [offset,
 * offset + len) of `in`: formats of events and other texts of the kernel go to t. A
 * missing or malformed text is damage of t, in a message with path. -ENOMEM.
 */
int kft_tracedat_read_texts(struct kft_trace *t, const struct kft_dat_input *in,
			    const char *path, uint64_t offset, uint64_t len) __must_check;
