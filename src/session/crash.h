/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_CRASH_H
#define KFT_SESSION_CRASH_H

#include "session/detached.h"

/*
 * What a flight recorder had recorded when the kernel crashed, in an instance that is kept over the
 * reboot (capture/tracefs/kept.h). The pages are there then; what they mean is not, because
 * the next boot may be of another kernel, and has its addresses elsewhere and other tasks. So
 * a session that starts in such an instance writes that to disk: a trace without events.
 */

/* Writes it, and waits until it is on disk. */
int kft_crash_prepare(const struct kft_detached *d, struct kft_err *e) __must_check;

#endif
