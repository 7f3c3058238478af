/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/perf/state.h"

/*
 * perf record -z writes one zstd stream through the whole file: no record can be read
 * without the ones before it. So all records are uncompressed into a temporary file
 * (base/spool.h), which becomes p->data.
 *
 * at: offset from p->start of the first record of type COMPRESSED. A corrupt stream is
 * damage of p and ends the records. -ENOTSUP when kft was built without zstd, -EFBIG,
 * -ENOMEM, or the errors of writing the file.
 */
int kft_perf_unpack(struct kft_perf *p, uint64_t at, struct kft_err *e) __must_check;
