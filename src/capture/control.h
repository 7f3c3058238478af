/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_CONTROL_H
#define KFT_CAPTURE_CONTROL_H

#include <kft/error.h>

#include "base/macro.h"

/*
 * A process that records in the foreground can be asked to pause and to resume: it listens on a
 * socket (SOCK_SEQPACKET) in its session's directory, which only root can enter. A request is one
 * enum kft_control, the answer a struct kft_err, whose code is 0 when the request was carried out.
 */
enum kft_control {
	KFT_CONTROL_PAUSE,
	KFT_CONTROL_RESUME,
};

/* Listens in the directory, whose lock the caller holds. A descriptor that is the caller's, or -errno. */
int kft_control_listen(int dir_fd) __must_check;

/*
 * Carries out the requests that wait, with step(), and answers them. A client that connects and
 * sends nothing is dropped after 100 ms.
 */
void kft_control_serve(int listen_fd,
		       int (*step)(void *arg, enum kft_control request,
				   struct kft_err *e),
		       void *arg);

/*
 * Sends a request to the process that listens in the directory, and waits at most 10 s for the
 * answer: its result, with its message in e. -ENOENT without a message when none listens.
 */
int kft_control_ask(int dir_fd, enum kft_control request, struct kft_err *e) __must_check;

#endif
