/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/host.h"

/*
 * Undoes the changes that killed recordings made in the kernel outside of their
 * instances, by the ledgers in their directories under /run/kft. Calls each (may be NULL)
 * once with the name of every such session. Instances are to be removed only afterwards,
 * because some of their files set options of the whole kernel.
 */
int kft_orphans_undo(struct kft_host *host, int (*each)(void *arg, const char *session),
		     void *arg, struct kft_err *e) __must_check;
