/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/perf/state.h"

/* Metadata of a perf.data file: events, formats, the machine, the command. */

/*
 * Reads the header and, unless the file is in pipe mode, the sections that the
 * header points to. Sets the range of the records. -EINVAL, -ENOTSUP, -ENODATA
 * when the header is not that of a readable perf.data file, -ENOMEM; errors in
 * the sections become damage.
 */
int kft_perf_read_header(struct kft_perf *p, struct kft_err *e) __must_check;

/*
 * In pipe mode the metadata comes as records: reads the one in rec, which is followed by
 * `trailing` bytes of data at file offset `after`. -ENOMEM.
 */
int kft_perf_take_meta(struct kft_perf *p, uint32_t type, const uint8_t *rec, size_t size,
		       uint64_t after, uint64_t trailing) __must_check;

/* Combines parts that can come in any order; called once after all were read. -ENOMEM. */
int kft_perf_finish_meta(struct kft_perf *p) __must_check;
