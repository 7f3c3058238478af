/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/write/write.h"

/* The result of rewriting a trace. */
struct kft_tracedat_recovered {
	uint64_t bytes; /* size of the new file */
	/*
	 * Damage of the old file, which is missing in the new one: the first one (code 0:
	 * none), and their number.
	 */
	struct kft_err damage;
	uint64_t damage_count;
};

/*
 * Rewrites a trace as one ordinary trace.dat: a killed recording, a running one (its
 * events so far; only with out), or a finished file, in another version or compression.
 * All readable parts of a damaged one are kept.
 *
 * out NULL: replaces `in` and removes its parts; -EBUSY while it is recorded. Otherwise
 * `in` is only read, also from a read-only directory. out is replaced only when it is a
 * finished trace. On failure nothing is changed.
 */
int kft_tracedat_recover(const char *in, const char *out,
			 const struct kft_tracedat_opts *opts,
			 struct kft_tracedat_recovered *ret,
			 struct kft_err *e) __must_check;
