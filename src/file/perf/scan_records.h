/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_PERF_SCAN_RECORDS_H
#define KFT_FILE_PERF_SCAN_RECORDS_H

#include "file/perf/tasks.h"

/* Of records that are counted by name; all others are counted together. */
#define KFT_PERF_COUNTED_TYPES 32

/* By enum kft_perf_record: names of what is read and not shown; NULL: shown, or unknown. */
extern const char *const kft_perf_counted_names[KFT_PERF_COUNTED_TYPES];

/*
 * A walk over records from one file offset to another, and what was found. As a part of a
 * file (is_part), scanned while others are by other threads, it changes nothing but
 * itself: what has to be known in order is deferred, and where that is not enough it gives
 * up with -ECANCELED.
 */
struct kft_perf_scan {
	struct kft_perf *p; /* borrowed */
	struct kft_dat_walk w;
	uint64_t to;
	bool is_part;
	struct kft_perf_tasks tasks;
	struct kft_perf_cpu *by_cpu[KFT_PERF_MAX_CPUS]; /* owned */
	struct kft_perf_cpu *last; /* of the last record that is shown */
	bool contiguous; /* nothing was between it and the next one */
	uint64_t no_records_before; /* behind what is no records, in the file */
	bool has_throttle;
	size_t n_blocks;
	uint32_t span; /* of blocks when there are too many */
	KFT_VEC(uint64_t) samples; /* by index of the attr */
	KFT_VEC(uint64_t) deferred; /* file offsets of records */

	uint64_t counts[KFT_PERF_COUNTED_TYPES]; /* not shown */
	uint64_t others;
	uint64_t aux_bytes; /* of hardware traces, in AUXTRACE records */
	uint32_t aux_kind; /* as AUXTRACE_INFO has it; 0: not known */
	uint64_t unknown; /* samples of nobody */
	uint64_t no_cpu; /* samples */
	uint64_t no_time;
	uint64_t lost_anywhere; /* samples */
	struct kft_err *e; /* borrowed: what unpacking fails with */
};

int kft_perf_scan_create(struct kft_perf *p, uint64_t from, uint64_t to,
			 struct kft_perf_scan **ret) __must_check;
struct kft_perf_scan *kft_perf_scan_destroy(struct kft_perf_scan *s);
KFT_DEFINE_CLEANUP(struct kft_perf_scan *, kft_perf_scan_destroy)

/*
 * Walks to the end; s->w.pos is behind the last record then. -ENOMEM, -EFBIG (damage),
 * -ECANCELED (a part only), and what kft_perf_unpack() fails with.
 */
int kft_perf_scan_run(struct kft_perf_scan *s) __must_check;

/* Adds what a later part found. -ENOMEM. */
int kft_perf_scan_join(struct kft_perf_scan *s,
		       const struct kft_perf_scan *later) __must_check;

/* Takes the records that the parts deferred; s is no part any more. */
int kft_perf_scan_deferred(struct kft_perf_scan *s) __must_check;

#endif
