/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/host.h"
#include "derive/engine/engine.h"

/*
 * Makes a trace without events that has the formats of the kinds' events, and the names of the running
 * machine: its system calls, interrupts and, if keys of the kinds can be functions, the kernel's
 * symbols. ret is freed by kft_trace_destroy(). -ENOMEM.
 */
int kft_live_names(struct kft_host *host, const struct kft_interval_kind *const *kinds,
		   size_t n, struct kft_trace **ret) __must_check;
