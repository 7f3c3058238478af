/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/perf/state.h"

/*
 * Event classes for records that have no format of the kernel: samples of hardware and
 * software events, call chains, and tracepoints without a format in the file. The classes
 * are made as format texts, so that readers treat them like any other.
 *
 * A made-up record begins with the kernel's common fields; after these 8 bytes come the
 * parts below that the samples have, in this order, in the file's byte order.
 */
#define KFT_PERF_COMMON_BYTES 8

enum kft_perf_part {
	KFT_PERF_PART_IP, /* u64 */
	KFT_PERF_PART_ADDR, /* u64 */
	KFT_PERF_PART_PERIOD, /* u64 */
	KFT_PERF_PART_TGID, /* u32 */
	KFT_PERF_PART_RAW, /* from its offset to the record's end */
	KFT_PERF_N_PARTS,
};

/*
 * kft_perf_part_bytes() is 0 for RAW. kft_perf_has_part(): the
 * samples of a have the part.
 */
uint32_t kft_perf_part_bytes(enum kft_perf_part part);
bool kft_perf_has_part(const struct kft_perf_attr *a, enum kft_perf_part part);

/*
 * Called once after the scan: gives each attr with samples its class, and sets the ids in
 * p of the throttle and stack classes. -ENOMEM.
 */
int kft_perf_add_classes(struct kft_perf *p) __must_check;
