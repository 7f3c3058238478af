/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/cursor.h"
#include "base/vec.h"

/*
 * Corrections of `trace-cmd report` to the time stamps of a file, in this order: a
 * guest's clock is converted to its host's (TIME_SHIFT), cycles become nanoseconds
 * (TSC2NSEC), and a constant is added (OFFSET, DATE). Zeroed changes nothing.
 */
struct kft_dat_sync_sample {
	uint64_t time;
	int64_t offset;
	uint64_t scaling;
	uint64_t fraction; /* number of fraction bits in scaling */
};

/* Offsets between the clocks, for one CPU; sorted by time, times distinct. */
struct kft_dat_sync {
	KFT_VEC(struct kft_dat_sync_sample) samples;
};

struct kft_dat_stamps {
	KFT_VEC(struct kft_dat_sync) cpus; /* owned */
	bool interpolate;
	uint32_t mult; /* 0: no TSC2NSEC */
	uint32_t shift;
	uint64_t add; /* modulo 2^64, so it can represent negative numbers */
};

void kft_dat_stamps_finish(struct kft_dat_stamps *s);

/* Whether the stamps of the CPU are corrected. */
bool kft_dat_stamps_change(const struct kft_dat_stamps *s, uint32_t cpu);

uint64_t kft_dat_stamp(const struct kft_dat_stamps *s, uint32_t cpu, uint64_t ts);

/* Parse the data of the options. -EBADMSG when it is too short or malformed, -ENOMEM. */
int kft_dat_stamps_tsc2nsec(struct kft_dat_stamps *s, struct kft_cursor *c) __must_check;
int kft_dat_stamps_time_shift(struct kft_dat_stamps *s,
			      struct kft_cursor *c) __must_check;

/*
 * Adds the number in the text times unit; decimal, 0x hexadecimal or
 * 0 octal as in strtoll().
 */
int kft_dat_stamps_add_text(struct kft_dat_stamps *s, struct kft_cursor *c,
			    int64_t unit) __must_check;
