/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_CHECKSUM_H
#define KFT_ANALYSIS_CHECKSUM_H

#include "analysis/analysis.h"

/*
 * A checksum of all that the events of a trace say: of each its time, CPU, buffer, system
 * and name, and the value of every field but its id, decoded as for showing it. Traces with
 * the same events have the same one, whatever the format, version, compression or order of
 * CPUs of the file; so it proves that a conversion lost nothing. It tells accidents, not
 * forgeries.
 *
 * It is the sum of one 64-bit number for each event (docs/formats/checksum.md), so that
 * sums of parts of a trace add up to that of all of it.
 */
struct kft_checksum {
	uint64_t events;
	uint64_t fields; /* that were decoded */
	uint64_t sum;
};

/* Errors as kft_analysis_run(). */
int kft_checksum_run(struct kft_trace *t, const struct kft_analysis_opts *opts,
		     struct kft_checksum *ret, struct kft_err *e) __must_check;

#endif
