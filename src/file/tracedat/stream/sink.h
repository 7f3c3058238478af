/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/sink.h"

/*
 * A recording that is written to out_fd (a pipe, a socket, a file; borrowed) as it goes
 * on: docs/formats/stream.md. A thread of the sink reads the kernel's pages and writes
 * them; a reader that is too slow makes the kernel's buffers fill up. When the reader has
 * closed its end, or writing fails, the recording fails.
 */
int kft_tracedat_stream_create(int out_fd, struct kft_sink **ret,
			       struct kft_err *e) __must_check;
