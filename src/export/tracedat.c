// SPDX-License-Identifier: LGPL-2.1-or-later
/* trace.dat, version 7 or 6: cut, filtered, and from any format that kft reads. */
#include "export/writer.h"
#include "file/tracedat/write_trace.h"

static int write_trace(struct kft_export *x)
{
	const struct kft_tracedat_opts opts = {
		.file_version = x->file_version,
		.compress = kft_tracedat_choose_compress(x->compress, x->plain,
							 x->file_version),
	};

	return kft_tracedat_write_trace(x->fd, x->trace, x->scope, &opts, &x->events,
					x->e);
}

const struct kft_export_format kft_export_tracedat = {
	.summary = "the kernel's own records, version 7 or 6 of the file",
	.viewer = "trace-cmd, KernelShark, Trace Compass (6), kft",
	.shape = KFT_EXPORT_FILE,
	.write = write_trace,
};
