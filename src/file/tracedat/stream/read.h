/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/trace.h"

/* Whether these bytes begin a stream (docs/formats/stream.md). */
bool kft_stream_match(const void *head, size_t len);

/*
 * Reads a stream to its end; head has len bytes that were read from fd before, and
 * match. Pages go to temporary files (base/spool.h), and the metadata is the same as in
 * a trace.dat. fd is borrowed; name is for messages. A stream that ends too soon is
 * damage, and the data before its end is kept. -ENODATA when it ends before the
 * metadata does, -ENOMEM, -errno.
 */
int kft_stream_open(int fd, const void *head, size_t len, const char *name,
		    struct kft_trace **ret, struct kft_err *e) __must_check;
