/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_STREAM_READ_H
#define KFT_FILE_TRACEDAT_STREAM_READ_H

#include "model/trace.h"

/* The bytes begin a recording as a stream (docs/formats/stream.md). */
bool kft_stream_match(const void *head, size_t len);

/*
 * Reads a stream to its end, behind the len bytes of head, which were read from fd before
 * and match. Pages wait in temporary files (base/spool.h), a trace.dat's metadata is
 * wherever it was. fd is borrowed; name is for messages. A stream that ends too soon is
 * damage, and what came is there. -ENODATA when even the metadata did not, -ENOMEM, -errno.
 */
int kft_stream_open(int fd, const void *head, size_t len, const char *name,
		    struct kft_trace **ret, struct kft_err *e) __must_check;

#endif
