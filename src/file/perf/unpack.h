/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_PERF_UNPACK_H
#define KFT_FILE_PERF_UNPACK_H

#include "file/perf/state.h"

/*
 * What perf record -z compressed is one stream of zstd through all of the file: nothing
 * in it can be found without what comes before. So all records, uncompressed, go to a
 * file of their own (base/spool.h), which p->data is then.
 *
 * at: offset from p->start of the first record of type COMPRESSED. What is damaged in the
 * file is p's damage and ends the records. -ENOTSUP when kft was built without zstd,
 * -EFBIG, -ENOMEM, or what writing fails with.
 */
int kft_perf_unpack(struct kft_perf *p, uint64_t at, struct kft_err *e) __must_check;

#endif
