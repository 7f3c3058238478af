/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_PERF_META_H
#define KFT_FILE_PERF_META_H

#include "file/perf/state.h"

/*
 * What a perf.data file says of itself: events, formats, the machine, the command.
 */

/*
 * The header, and in a file that is no pipe's what it tells the places of. Fills in
 * where the records are. -EINVAL, -ENOTSUP, -ENODATA for what is no perf.data that kft
 * reads, -ENOMEM; what is broken beyond it is damage.
 */
int kft_perf_read_header(struct kft_perf *p, struct kft_err *e) __must_check;

/*
 * In pipe mode the same comes as records: takes what rec tells, with `trailing` bytes at
 * file offset `after` behind it. -ENOMEM.
 */
int kft_perf_take_meta(struct kft_perf *p, uint32_t type, const uint8_t *rec, size_t size,
		       uint64_t after, uint64_t trailing) __must_check;

/* After everything was read: what is made of several parts. -ENOMEM. */
int kft_perf_finish_meta(struct kft_perf *p) __must_check;

#endif
