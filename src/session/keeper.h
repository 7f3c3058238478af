/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_KEEPER_H
#define KFT_SESSION_KEEPER_H

#include "session/detached.h"

/*
 * A process in the background that stays with a session until it is complete: for its
 * times, and so that the kernel is given back soon. One for a session is enough: others
 * end. It is nobody's child; the caller, which is forked, has one thread.
 *
 * With a snapshot_dir, of a flight recorder, each SIGUSR1 that the keeper gets is a snapshot
 * to a new file there; NULL: none.
 */
int kft_detached_spawn_keeper(const char *name, const char *snapshot_dir,
			      struct kft_err *e) __must_check;

/*
 * The calling process keeps the session until it closes *ret_fd: others see it as its keeper.
 * -EWOULDBLOCK: another process keeps it.
 */
int kft_detached_lock_keeper(const struct kft_detached *d, int *ret_fd) __must_check;

/* The process that keeps it; 0: none lives. */
pid_t kft_detached_keeper(const struct kft_detached *d);

#endif
