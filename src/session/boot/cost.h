/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_BOOT_COST_H
#define KFT_SESSION_BOOT_COST_H

#include "capture/host.h"

/*
 * How long some system calls take now: the least of several tries, in ns; 0 when it cannot
 * be measured. While functions are traced, and after, that tells what tracing costs the
 * machine: calls that are too short to be recorded cost as much as others.
 */
uint64_t kft_boot_cost_ns(const struct kft_host *host);

#endif
