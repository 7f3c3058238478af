/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/trace.h"

/*
 * Reads a recording's stream while it goes on: a trace with kft_trace.more, until the
 * stream has ended. A thread takes the blocks as they come, so that the recorder never
 * waits for a slow display; pages wait in temporary files, and disk blocks are freed
 * after reading. An event is settled once each CPU was read to its end after it: two of
 * the recorder's passes later (docs/formats/stream.md).
 *
 * Waits until the first events are settled. fd is taken in any case; head has len bytes
 * that were read from it before, and match. out_fd (borrowed, -1: none) is the caller's
 * output: -EPIPE, also from kft_trace.more, when its reader has closed it. Other errors
 * as kft_stream_open().
 */
int kft_stream_open_live(int fd, const void *head, size_t len, const char *name,
			 int out_fd, struct kft_trace **ret,
			 struct kft_err *e) __must_check;
