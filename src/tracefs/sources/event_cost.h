/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/host.h"

/*
 * Measures the time to record an event on this machine, in nanoseconds, at least 1.
 * System calls of this process are timed in an instance of its own, with their entries
 * recorded, and with their exits recorded as well. Takes some 50 ms.
 */
int kft_event_cost_measure(struct kft_host *host, uint64_t *ret_ns,
			   struct kft_err *e) __must_check;
