/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_HOST_H
#define KFT_HOST_H

#include <kft/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The kernel that is to be traced, seen through its files: every path under /sys and
 * /proc is taken relative to a root directory, so that a directory of plain files can
 * stand in for a kernel in tests. One thread uses a host at a time; what was opened from
 * it stays usable after the host is closed.
 */
struct kft_host;

/*
 * The running kernel with root NULL, else the stand-in in directory root. Nothing is
 * looked at yet. -ENOMEM, or what opening root gives.
 */
int kft_host_open(const char *root, struct kft_host **ret, struct kft_err *e);

/* Returns NULL. NULL is fine. */
struct kft_host *kft_host_close(struct kft_host *host);

#ifdef __cplusplus
}
#endif

#endif
