/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_PERF_CLASSES_H
#define KFT_FILE_PERF_CLASSES_H

#include "file/perf/state.h"

/*
 * Classes of events for what has no format of the kernel: samples of what is no
 * tracepoint, call chains, and tracepoints whose formats are not in the file. They are
 * made as format texts, so that nothing else need know of them.
 *
 * A made-up record begins with the kernel's common fields; behind these 8 bytes come the
 * parts below that the samples have, in this order, in the file's byte order.
 */
#define KFT_PERF_COMMON_BYTES 8

enum kft_perf_part {
	KFT_PERF_PART_IP, /* u64 */
	KFT_PERF_PART_ADDR, /* u64 */
	KFT_PERF_PART_PERIOD, /* u64 */
	KFT_PERF_PART_TGID, /* u32 */
	KFT_PERF_PART_RAW, /* to the record's end */
	KFT_PERF_N_PARTS,
};

/* Bytes of the part; 0 for RAW. Whether samples of a have it. */
uint32_t kft_perf_part_bytes(enum kft_perf_part part);
bool kft_perf_has_part(const struct kft_perf_attr *a, enum kft_perf_part part);

/*
 * After all was scanned: gives each attr with samples its class, and p the ids of what
 * else there is. -ENOMEM.
 */
int kft_perf_add_classes(struct kft_perf *p) __must_check;

#endif
