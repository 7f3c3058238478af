/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_READ_STAMPS_H
#define KFT_FILE_TRACEDAT_READ_STAMPS_H

#include "base/cursor.h"
#include "base/vec.h"

/*
 * What `trace-cmd report` does to the time stamps of a file, in this order: the clock of
 * a guest is moved to its host's (TIME_SHIFT), cycles become nanoseconds (TSC2NSEC), and
 * a constant is added (OFFSET, DATE). Zeroed changes nothing.
 */
struct kft_dat_sync_sample {
	uint64_t time;
	int64_t offset;
	uint64_t scaling;
	uint64_t fraction; /* bits of scaling behind the point */
};

/* How far apart the clocks were at some times, for one CPU; by time, times distinct. */
struct kft_dat_sync {
	KFT_VEC(struct kft_dat_sync_sample) samples;
};

struct kft_dat_stamps {
	KFT_VEC(struct kft_dat_sync) cpus; /* owned */
	bool interpolate;
	uint32_t mult; /* 0: none */
	uint32_t shift;
	uint64_t add; /* modulo 2^64: may stand for a negative one */
};

void kft_dat_stamps_finish(struct kft_dat_stamps *s);

/* Does any stamp of the CPU change? */
bool kft_dat_stamps_change(const struct kft_dat_stamps *s, uint32_t cpu);

uint64_t kft_dat_stamp(const struct kft_dat_stamps *s, uint32_t cpu, uint64_t ts);

/* The data of the options. -EBADMSG when too short or senseless, -ENOMEM. */
int kft_dat_stamps_tsc2nsec(struct kft_dat_stamps *s, struct kft_cursor *c) __must_check;
int kft_dat_stamps_time_shift(struct kft_dat_stamps *s,
			      struct kft_cursor *c) __must_check;

/* Text of a number times unit; decimal, 0x hexadecimal or 0 octal, as strtoll() has it. */
int kft_dat_stamps_add_text(struct kft_dat_stamps *s, struct kft_cursor *c,
			    int64_t unit) __must_check;

#endif
