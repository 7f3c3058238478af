/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_HOST_H
#define KFT_HOST_H

#include <kft/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The kernel to trace, accessed through its files: every path under /sys and /proc is
 * relative to a root directory, so that a directory of plain files can replace a
 * kernel in tests. One thread uses a host at a time; objects opened from it stay
 * usable after the host is closed.
 */
struct kft_host;

/*
 * Opens the running kernel with root NULL, else the replacement in directory root. No
 * file is read yet. -ENOMEM, or the error of opening root.
 */
int kft_host_open(const char *root, struct kft_host **ret, struct kft_err *e);

/* Returns NULL. NULL is fine. */
struct kft_host *kft_host_close(struct kft_host *host);

#ifdef __cplusplus
}
#endif

#endif
