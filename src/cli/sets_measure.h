/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "sets/resolve.h"

/*
 * Records the points for half a second, drops the data, and returns the number of records
 * per second. -ENOENT without any points.
 */
int cli_sets_measure(struct kft_host *host, const kft_found_points *points,
		     uint64_t *ret_per_s, struct kft_err *e) __must_check;
