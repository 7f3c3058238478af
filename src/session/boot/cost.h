/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/host.h"

/*
 * Measures the system calls that read a file of /proc: the shortest of several tries, in
 * ns; 0 when they cannot be measured. The difference between a measurement while
 * functions are traced and one after it is the cost of tracing. The trace itself does not
 * show it: calls that are too short to be recorded cost as much as others.
 */
uint64_t kft_boot_cost_ns(const struct kft_host *host);
