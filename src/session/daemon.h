/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "session/detached.h"

/*
 * Starts the keeper of a session: a daemon that waits with the session until it is
 * complete. It starts and stops the session at its times, and restores the kernel soon
 * after the end. A session has one keeper: further ones end at once. The calling process
 * is forked and must have a single thread.
 *
 * snapshot_dir, for a flight recorder: each SIGUSR1 to the keeper takes a snapshot to a
 * new file in this directory; NULL: no snapshots.
 */
int kft_detached_spawn_keeper(const char *name, const char *snapshot_dir,
			      struct kft_err *e) __must_check;

/*
 * Makes the calling process the session's keeper until it closes *ret_fd. -EWOULDBLOCK:
 * another process is the keeper.
 */
int kft_detached_lock_keeper(const struct kft_detached *d, int *ret_fd) __must_check;

/* Returns the process id of the session's keeper; 0: no keeper lives. */
pid_t kft_detached_keeper(const struct kft_detached *d);
