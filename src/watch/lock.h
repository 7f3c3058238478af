/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_WATCH_LOCK_H
#define KFT_WATCH_LOCK_H

#include "capture/rundir.h"

/*
 * A file in the session's directory that its watcher holds locked for as long as it lives,
 * with its pid: one watcher for a session, which others can find.
 */

/* -EBUSY when there is one. *ret_fd is the caller's. */
int kft_watch_lock_take(const char *session, int *ret_fd, struct kft_err *e) __must_check;

/* Whether a lock that was taken is that of this session: not of an earlier one of its name. */
bool kft_watch_lock_holds(const struct kft_rundir *dir, int fd);

bool kft_watch_lock_is_held(const struct kft_rundir *dir);

/* Opens the lock and says who holds it; 0: no process. *ret_fd is the caller's then, too. */
pid_t kft_watch_lock_holder(const struct kft_rundir *dir, int *ret_fd);

#endif
