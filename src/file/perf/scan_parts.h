/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/perf/scan_records.h"

/* Minimum length of a part: a shorter file is scanned as one. */
#define KFT_PERF_PART_BYTES ((uint64_t)8 << 20)

/*
 * Scans a long file in parts, one thread for each. The start of a part is a guess:
 * records say how long they are, not where they start. A part is accepted only
 * when it ends exactly where the next one begins, so that the result equals that
 * of one scan over all. Otherwise -ECANCELED, also for files that are short,
 * compressed or came through a pipe.
 */
int kft_perf_scan_parts(struct kft_perf *p, struct kft_perf_scan **ret) __must_check;
