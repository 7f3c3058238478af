/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <signal.h>

#include <kft/error.h>

#include "base/macro.h"

/*
 * A descriptor that becomes readable at Ctrl-C and similar signals, so that no signal can kill
 * kft while it changes the kernel. SIGINT, SIGTERM, SIGHUP and SIGQUIT are blocked while an
 * interrupt is open, except those that were ignored when the program started (nohup, a shell's
 * background job).
 *
 * Only the calling thread's mask changes: open it before other threads are created, and after
 * kft_command_fork(), because the command must inherit the caller's mask.
 */
struct kft_interrupt {
	int fd; /* owned: readable when a signal is pending */
	sigset_t old; /* the mask to restore */
};

int kft_interrupt_open(struct kft_interrupt *ret, struct kft_err *e) __must_check;

/* Takes a pending signal and returns its number; 0: none is pending. */
int kft_interrupt_take(const struct kft_interrupt *i);

void kft_interrupt_close(struct kft_interrupt *i);
