/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/host.h"

/*
 * Opens the directory of tracefs. *ret_fd is borrowed from the host, which keeps it. The
 * usual mount points are tried first, then those of /proc/mounts, and then a mount of
 * kft's own, which has no mount point, is invisible to other processes, and ends with the
 * host.
 *
 * -ENOENT or -ENODEV when this kernel has no tracefs, -EPERM or -EACCES when it may not
 * be used; the error names the reason and the remedy.
 */
int kft_tracefs_open(struct kft_host *host, int *ret_fd, struct kft_err *e) __must_check;

/*
 * The two ways to make kft's own mount: with fsopen(2) (Linux 5.2), or in the mount
 * namespace of a short-lived child process. Separate for tests. Both return the
 * directory's descriptor, owned by the caller, or -errno.
 */
int kft_tracefs_mount_detached(void) __must_check;
int kft_tracefs_mount_in_child(void) __must_check;
