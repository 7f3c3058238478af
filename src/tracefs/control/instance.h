/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_INSTANCE_H
#define KFT_TRACEFS_INSTANCE_H

#include "capture/host.h"

/*
 * A tracefs instance of our own: buffers, events, filters and clock that nobody else sees.
 *
 * Its directory is named "kft-NAME", and whoever made it holds flock(LOCK_EX) on that
 * directory for as long as it lives. So an instance whose lock can be had belongs to a
 * process that was killed and may be removed: no pid that can be reused is needed. While
 * one is made, looked over or removed, the lock of instances/ is held, so that nobody sees
 * one that is made but not yet locked.
 *
 * Session names have no '+' in them: "kft+NAME" is kept for sessions that are to outlive
 * the process that made them, "kft-NAME+WORD" for what a session has beside its own instance.
 */
#define KFT_INSTANCE_PREFIX   "kft-"
#define KFT_INSTANCE_NAME_MAX 80 /* with the prefix and NUL */

struct kft_instance {
	const struct kft_host *host; /* borrowed */
	int instances_fd; /* owned: the directory instances/ */
	int fd; /* owned: the instance's directory, locked */
	char name[KFT_INSTANCE_NAME_MAX]; /* with the prefix */
};

/*
 * Makes an instance and locks it; session NULL gives it a unique name. What a killed
 * session of that name left is removed first. -EBUSY when one of that name is alive.
 */
int kft_instance_create(struct kft_host *host, const char *session,
			struct kft_instance *ret, struct kft_err *e) __must_check;

/*
 * Stops it and removes it with everything in it. All other descriptors of its files have
 * to be closed before. When something else holds it open it stays, stopped and with its
 * events off, and the error says so; it is unlocked in any case, and i must not be used
 * any more. Does nothing when i was removed already.
 */
int kft_instance_remove(struct kft_instance *i, struct kft_err *e) __must_check;

/* The name without the prefix: what the user called the session. Borrowed. */
const char *kft_instance_session(const char *name);

/* One that a session has beside its own, and no session that a user knows of. */
bool kft_instance_is_beside(const char *name);

/* For reset.c. Opens instances/ and takes its lock, which ends with the descriptor. */
int kft_instances_lock(struct kft_host *host, int *ret_fd,
		       struct kft_err *e) __must_check;

/*
 * For reset.c, with the lock of instances/ held: opens and locks an instance by name.
 * -EWOULDBLOCK when its owner is alive. The descriptor is the caller's.
 */
int kft_instance_adopt(int instances_fd, const char *name, int *ret_fd) __must_check;

/* For reset.c: stops and removes an adopted one. -EBUSY when something holds it open. */
int kft_instance_discard(const struct kft_host *host, int instances_fd, int fd,
			 const char *name) __must_check;

#endif
