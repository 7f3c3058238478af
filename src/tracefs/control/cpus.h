/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/vec.h"
#include "capture/host.h"

/* More than any kernel is built for (NR_CPUS is at most 8192). */
#define KFT_CPUS_MAX 65536

/* Numbers of CPUs, ascending. The owner frees it with kft_vec_finish(). */
struct kft_cpus {
	uint32_t *data;
	size_t len;
	size_t cap;
};

/*
 * Lists the CPUs that an instance has a buffer for: all possible ones. -ENOENT when it
 * has none.
 */
int kft_cpus_list(int instance_fd, struct kft_cpus *ret) __must_check;

/* The number of CPUs that are online; 1 when the host does not report it. */
uint32_t kft_cpus_online(const struct kft_host *host);
