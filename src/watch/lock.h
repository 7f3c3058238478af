/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/rundir.h"

/*
 * A file with the watcher's pid in the session's directory, which the watcher
 * keeps locked while it lives: it ensures a single watcher for a session, and lets
 * other processes find it.
 */

/* -EBUSY when there is a watcher. *ret_fd is owned by the caller. */
int kft_watch_lock_take(const char *session, int *ret_fd, struct kft_err *e) __must_check;

/*
 * Whether fd, a lock that was taken, is the lock file in dir, and not that
 * of an earlier session with the same name.
 */
bool kft_watch_lock_holds(const struct kft_rundir *dir, int fd);

bool kft_watch_lock_is_held(const struct kft_rundir *dir);

/*
 * Opens the lock and returns its holder's pid; 0: not held. *ret_fd is owned by
 * the caller in both cases.
 */
pid_t kft_watch_lock_holder(const struct kft_rundir *dir, int *ret_fd);
