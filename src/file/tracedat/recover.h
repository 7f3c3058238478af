/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_RECOVER_H
#define KFT_FILE_TRACEDAT_RECOVER_H

#include "file/tracedat/write.h"

/* What became of a trace that was written again. */
struct kft_tracedat_recovered {
	uint64_t bytes; /* of the new file */
	/*
	 * What could not be read of the old one and is missing in the new one: code 0 when
	 * there is nothing, else the first place; and how many places.
	 */
	struct kft_err damage;
	uint64_t damage_count;
};

/*
 * Writes one ordinary trace.dat of another one: of a recording that was killed, or still
 * runs (then of what it has so far; only with out); or of a finished file, in another
 * version or compression. Whatever can be read of a damaged one is taken.
 *
 * out NULL: in place of `in`, whose parts are removed then; -EBUSY while it is recorded.
 * Otherwise `in` is only read, also from a directory that cannot be written to. out is
 * replaced only when it is a finished trace. On failure nothing is changed.
 */
int kft_tracedat_recover(const char *in, const char *out,
			 const struct kft_tracedat_opts *opts,
			 struct kft_tracedat_recovered *ret,
			 struct kft_err *e) __must_check;

#endif
