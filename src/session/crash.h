/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_CRASH_H
#define KFT_SESSION_CRASH_H

#include "session/detached.h"

/*
 * What a flight recorder had recorded when the kernel crashed, in an instance that is kept over the
 * reboot (tracefs/control/kept.h). The pages are there then; what they mean is not, because
 * the next boot may be of another kernel, and has its addresses elsewhere and other tasks. So
 * a session that starts in such an instance writes that to disk: a trace without events.
 */

/* Writes it, and waits until it is on disk. */
int kft_crash_prepare(const struct kft_detached *d, struct kft_err *e) __must_check;

/* The size of the buffers that this kernel keeps for the session. -ENOENT when it keeps none. */
int kft_crash_kept_bytes(struct kft_host *host, const char *name, uint64_t *ret,
			 struct kft_err *e) __must_check;

/* Removes it: the session is forgotten, and what it has in the instance with it. */
void kft_crash_forget(const char *name);

/* Whether there is something of an earlier boot's session of that name. */
bool kft_crash_survived(struct kft_host *host, const char *name);

/*
 * Writes what survived to a new trace and empties the instance. -ENOENT when there is nothing or
 * this kernel keeps nothing, -EBUSY when a session of that name records. Should this program be
 * killed, the next call goes on.
 */
int kft_crash_recover(struct kft_host *host, const char *name, const char *output,
		      const struct kft_notify *notify, struct kft_tracedat_recovered *ret,
		      struct kft_err *e) __must_check;

#endif
