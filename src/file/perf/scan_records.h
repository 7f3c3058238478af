/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/perf/tasks.h"

/* Record types below this number are counted by type; all others are counted together. */
#define KFT_PERF_COUNTED_TYPES 32

/*
 * Names of record types that are read but not shown, by enum kft_perf_record; NULL: the
 * type is shown or unknown.
 */
extern const char *const kft_perf_counted_names[KFT_PERF_COUNTED_TYPES];

/*
 * A walk over records from one file offset to another, and its results. A part of a file
 * (is_part) is scanned at the same time as others by other threads, so it changes nothing
 * but itself: records that must be handled in order are deferred, and where that is not
 * enough it gives up with -ECANCELED.
 */
struct kft_perf_scan {
	struct kft_perf *p; /* borrowed */
	struct kft_dat_walk w;
	uint64_t to;
	bool is_part;
	struct kft_perf_tasks tasks;
	struct kft_perf_cpu *by_cpu[KFT_PERF_MAX_CPUS]; /* owned */
	struct kft_perf_cpu *last; /* CPU of the last record that is shown */
	bool contiguous; /* no other data between the last record and the next one */
	/* File offset of the end of the last data that is not a record. */
	uint64_t no_records_before;
	bool has_throttle;
	size_t n_blocks;
	uint32_t span; /* bytes of a block after thinning */
	KFT_VEC(uint64_t) samples; /* number of samples by index of the attr */
	KFT_VEC(uint64_t) deferred; /* file offsets of records */
	/* Offsets of records about mappings, see maps.h. */
	struct kft_u64_vec maps;

	uint64_t counts[KFT_PERF_COUNTED_TYPES]; /* records that are not shown, by type */
	uint64_t others;
	uint64_t aux_bytes; /* bytes of hardware traces in AUXTRACE records */
	uint32_t aux_kind; /* type in AUXTRACE_INFO; 0: unknown */
	uint64_t unknown; /* samples with an unknown id */
	uint64_t no_cpu; /* samples without a CPU */
	uint64_t no_time;
	uint64_t lost_anywhere; /* samples lost on an unknown CPU */
	struct kft_err *e; /* borrowed; filled in when unpacking fails */
};

int kft_perf_scan_create(struct kft_perf *p, uint64_t from, uint64_t to,
			 struct kft_perf_scan **ret) __must_check;
struct kft_perf_scan *kft_perf_scan_destroy(struct kft_perf_scan *s);
KFT_DEFINE_CLEANUP(struct kft_perf_scan *, kft_perf_scan_destroy)

/*
 * Walks to the end; s->w.pos is after the last record then. -ENOMEM, -EFBIG (damage),
 * -ECANCELED (a part only), and the errors of kft_perf_unpack().
 */
int kft_perf_scan_run(struct kft_perf_scan *s) __must_check;

/* Adds the results of the part after s. -ENOMEM. */
int kft_perf_scan_join(struct kft_perf_scan *s,
		       const struct kft_perf_scan *later) __must_check;

/*
 * Handles the records that the parts deferred; s is the scan of
 * the whole file from now on.
 */
int kft_perf_scan_deferred(struct kft_perf_scan *s) __must_check;
