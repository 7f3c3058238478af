/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_STREAM_OUT_H
#define KFT_FILE_TRACEDAT_STREAM_OUT_H

#include <stddef.h>

#include "base/macro.h"

/*
 * Where a stream goes: a pipe, a socket or a file, whose reader may be slow. Writing waits
 * for it as long as the recording goes on. Then it has to take something every ten seconds,
 * so that nobody hangs on a reader that never comes back.
 */
struct kft_stream_out {
	int fd; /* borrowed */
	int over_fd; /* borrowed: readable when the recording is over */
};

/* 0, -EPIPE when nobody reads any more, -ETIMEDOUT, -errno. */
int kft_stream_out_write(const struct kft_stream_out *o, const void *data,
			 size_t len) __must_check;

/* Waits until the recording is over, or nobody reads, or for timeout_ms: 0 or -EPIPE. */
int kft_stream_out_wait(const struct kft_stream_out *o, int timeout_ms) __must_check;

#endif
