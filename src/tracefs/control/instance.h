/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/host.h"

/*
 * A tracefs instance of the session's own: its buffers, events, filters and clock are
 * separate from all others.
 *
 * Its directory is named "kft-NAME". The process that makes it holds flock(LOCK_EX) on
 * that directory as long as it lives, so an instance with a free lock belongs to a killed
 * process and may be removed; no pid, which could be reused, is needed. While an instance
 * is made, inspected or removed, the lock of instances/ is held, so that no other kft
 * sees an instance that is made but not yet locked.
 *
 * Session names have no '+' in them: "kft+NAME" is reserved for sessions that outlive the
 * process that made them, and "kft-NAME+WORD" for companion instances of a session.
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
 * Makes an instance and locks it; session NULL gives it a unique name. Leftovers of a
 * killed session of that name are removed first. -EBUSY when a live session has the name.
 */
int kft_instance_create(struct kft_host *host, const char *session,
			struct kft_instance *ret, struct kft_err *e) __must_check;

/*
 * Stops the instance and removes it with everything in it. All other descriptors of its
 * files must be closed before. If another program holds a file open, the instance stays,
 * stopped and with its events disabled, and the error says so; it is unlocked in any
 * case, and i must not be used any more. Does nothing when i was removed already.
 */
int kft_instance_remove(struct kft_instance *i, struct kft_err *e) __must_check;

/* The session's name, which is the instance's without the prefix. Borrowed from name. */
const char *kft_instance_session(const char *name);

/* True for a companion instance, which is no session of its own. */
bool kft_instance_is_beside(const char *name);

/*
 * Opens instances/ and takes its lock, which ends with the descriptor. -EBUSY when
 * another kft does not release it.
 */
int kft_instances_lock(struct kft_host *host, int *ret_fd,
		       struct kft_err *e) __must_check;

/*
 * For reset.c, with the lock of instances/ held: opens and locks an instance by name.
 * -EWOULDBLOCK when its owner is alive. The descriptor is owned by the caller.
 */
int kft_instance_adopt(int instances_fd, const char *name, int *ret_fd) __must_check;

/*
 * Stops and removes an instance, with the lock of instances/ held. -EBUSY when a file of
 * it is open.
 */
int kft_instance_discard(const struct kft_host *host, int instances_fd, int fd,
			 const char *name) __must_check;
