/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_INTERRUPT_H
#define KFT_CAPTURE_INTERRUPT_H

#include <signal.h>

#include <kft/error.h>

#include "base/macro.h"

/*
 * Ctrl-C and its like as a descriptor to wait for, so that a recording is never cut down
 * in the middle of changing the kernel: SIGINT, SIGTERM, SIGHUP and SIGQUIT are blocked
 * while an interrupt is open, except those that the program was started to ignore (nohup,
 * a shell's background job).
 *
 * The mask is the calling thread's: open it before other threads are created, and after
 * kft_command_fork(), which is to have the mask of the caller.
 */
struct kft_interrupt {
	int fd; /* owned: readable when a signal came */
	sigset_t old; /* the mask to go back to */
};

int kft_interrupt_open(struct kft_interrupt *ret, struct kft_err *e) __must_check;

/* The signal that came, taken; 0 when none did. */
int kft_interrupt_take(const struct kft_interrupt *i);

void kft_interrupt_close(struct kft_interrupt *i);

#endif
