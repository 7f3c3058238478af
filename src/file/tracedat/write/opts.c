// SPDX-License-Identifier: LGPL-2.1-or-later
/* Chooses and checks the options of a trace.dat file. */
#include "file/tracedat/write/opts.h"

#include <errno.h>

#include "base/err.h"

enum kft_tracedat_compress kft_tracedat_default_compress(unsigned int file_version)
{
	return HAVE_ZSTD && file_version != 6 ? KFT_TRACEDAT_ZSTD_META
					      : KFT_TRACEDAT_PLAIN;
}

enum kft_tracedat_compress kft_tracedat_choose_compress(bool all, bool none,
							unsigned int file_version)
{
	if (all)
		return KFT_TRACEDAT_ZSTD;
	return none ? KFT_TRACEDAT_PLAIN : kft_tracedat_default_compress(file_version);
}

int kft_tracedat_check_opts(const struct kft_tracedat_opts *opts, struct kft_err *e)
{
	if (opts->file_version && opts->file_version != 6 && opts->file_version != 7)
		return kft_err_set(e, -EINVAL,
				   "invalid trace.dat version %u (6 or 7 expected)",
				   opts->file_version);
	if (opts->compress == KFT_TRACEDAT_PLAIN)
		return 0;
	if (opts->file_version == 6)
		return kft_err_set(e, -EINVAL,
				   "trace.dat version 6 cannot be compressed");
	if (!HAVE_ZSTD)
		return kft_err_set(e, -ENOTSUP, "this kft was built without zstd");
	return 0;
}
