/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/analysis.h"

/*
 * A checksum of the contents of a trace. It covers the time, CPU, buffer, system and name of
 * each event, and the decoded value of every field but the event id. Traces with the same
 * events have the same checksum, whatever the format, version, compression or order of CPUs
 * of the file, so it proves that a conversion lost nothing. It detects accidents, not
 * forgeries.
 *
 * The checksum is the sum of one 64-bit number for each event (docs/formats/checksum.md), so
 * the checksums of the parts of a trace add up to the checksum of the whole.
 */
struct kft_checksum {
	uint64_t events;
	uint64_t fields; /* number of decoded fields */
	uint64_t sum;
};

/* Errors as kft_analysis_run(). */
int kft_checksum_run(struct kft_trace *t, const struct kft_analysis_opts *opts,
		     struct kft_checksum *ret, struct kft_err *e) __must_check;
