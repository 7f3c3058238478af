/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/macro.h"

/*
 * Requests to a process that records in the foreground. It listens on a socket (SOCK_SEQPACKET) in
 * its session's directory, which only root can enter. A request is a byte with an enum
 * kft_control; the answer is a struct kft_err with code 0 if the request was carried out.
 */
enum kft_control {
	KFT_CONTROL_PAUSE,
	KFT_CONTROL_RESUME,
};

/*
 * Listens in the directory. The caller holds the directory's lock and owns the returned
 * descriptor. -errno.
 */
int kft_control_listen(int dir_fd) __must_check;

/*
 * Carries out pending requests with step(), and answers them. A client that connects but sends
 * nothing is dropped after 100 ms.
 */
void kft_control_serve(int listen_fd,
		       int (*step)(void *arg, enum kft_control request,
				   struct kft_err *e),
		       void *arg);

/*
 * Sends a request to the process that listens in the directory, and waits at most 10 s for the
 * answer. Returns the answer's code, with its message in e. -ENOENT without a message if no
 * process listens, -ETIMEDOUT without an answer.
 */
int kft_control_ask(int dir_fd, enum kft_control request, struct kft_err *e) __must_check;
