/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_BACKGROUND_H
#define KFT_SESSION_BACKGROUND_H

#include <stddef.h>

#include "base/macro.h"

/* Closes answer_fd when it has answered; the process ends when the function returns. */
typedef void kft_background_fn(const void *arg, int answer_fd);

/*
 * Runs life() in a process of its own: nobody's child, out of the terminal, with / as its
 * directory and none of the caller's descriptors. The caller, which is forked, has one thread.
 * Waits for the answer, at most answer_bytes, or for the end of the process. Returns how
 * many bytes were answered, or -errno.
 */
int kft_background(kft_background_fn *life, const void *arg, void *ret_answer,
		   size_t answer_bytes) __must_check;

#endif
