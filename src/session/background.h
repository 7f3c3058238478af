/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

#include "base/macro.h"

/*
 * Runs in the background process, which ends when the function returns. May write an
 * answer to answer_fd, and closes it then.
 */
typedef void kft_background_fn(const void *arg, int answer_fd);

/*
 * Runs life() in a daemon: an orphan that has left the terminal, has / as its directory
 * and none of the caller's descriptors. The calling process is forked and must have a
 * single thread. Waits for the answer, at most answer_bytes, or for the end of the
 * daemon. Returns the number of bytes answered, or -errno.
 */
int kft_background(kft_background_fn *life, const void *arg, void *ret_answer,
		   size_t answer_bytes) __must_check;
