/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_MOUNT_H
#define KFT_TRACEFS_MOUNT_H

#include "capture/host.h"

/*
 * The directory of tracefs, borrowed from the host, which keeps it: where it is mounted
 * (the usual places first, then wherever /proc/mounts says), else a mount of our own that
 * has no mount point, is seen by nobody else, and ends with the host.
 *
 * -ENOENT or -ENODEV when this kernel has none, -EPERM or -EACCES when it may not be used;
 * the error says which and what to do.
 */
int kft_tracefs_open(struct kft_host *host, int *ret_fd, struct kft_err *e) __must_check;

/*
 * The own mount by either way: with fsopen(2) (Linux 5.2), or from a mount namespace of a
 * short-lived child process. Apart for tests. Return the directory's descriptor, owned by
 * the caller, or -errno.
 */
int kft_tracefs_mount_detached(void) __must_check;
int kft_tracefs_mount_in_child(void) __must_check;

#endif
