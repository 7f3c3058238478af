/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_ORPHANS_H
#define KFT_TRACEFS_ORPHANS_H

#include "capture/host.h"

/*
 * Takes back what killed recordings changed in the kernel outside of their instances: what
 * the ledgers of their directories under /run/kft say. Each session is told once by its
 * name. An instance is to be removed after that: some of its files are one for all.
 */
int kft_orphans_undo(struct kft_host *host, int (*each)(void *arg, const char *session),
		     void *arg, struct kft_err *e) __must_check;

#endif
