/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

#include "base/macro.h"

/*
 * Output of a stream: a pipe, a socket or a file with a possibly slow reader. Writing
 * waits for the reader as long as the recording goes on. After that it must accept data
 * at least every ten seconds, so that kft does not hang on a stuck reader.
 */
struct kft_stream_out {
	int fd; /* borrowed */
	int over_fd; /* borrowed: readable when the recording is over */
};

/* 0, -EPIPE when the reader has closed its end, -ETIMEDOUT, -errno. */
int kft_stream_out_write(const struct kft_stream_out *o, const void *data,
			 size_t len) __must_check;

/*
 * Waits until the recording is over, the reader has closed its end, or for
 * timeout_ms: 0 or -EPIPE.
 */
int kft_stream_out_wait(const struct kft_stream_out *o, int timeout_ms) __must_check;
