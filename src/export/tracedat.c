// SPDX-License-Identifier: LGPL-2.1-or-later
/* Exports trace.dat, version 7 or 6: a part or all of a trace in any format. */
#include <inttypes.h>

#include "export/export_impl.h"
#include "file/tracedat/write/trace.h"

static uint64_t lost_behind_the_last(const struct kft_export *x)
{
	uint64_t lost = 0;

	kft_vec_for_each(&x->trace->buffers, b)
		kft_vec_for_each(&b->streams, s)
			if (kft_scope_has_cpu(x->scope, (*s)->cpu))
				lost = kft_lost_add(lost, (*s)->lost_after);
	return lost;
}

/*
 * Notes losses at the end of a CPU: pages of the kernel count only losses before
 * them, and no page follows.
 */
static void note_last_losses(struct kft_export *x)
{
	uint64_t lost = lost_behind_the_last(x);

	if (lost == KFT_LOST_UNKNOWN)
		kft_trace_note(x->trace, 0,
			       "trace.dat has no place for losses behind the "
			       "last event of a CPU: they are left out");
	else if (lost)
		kft_trace_note(x->trace, 0,
			       "trace.dat has no place for losses behind the last event "
			       "of a CPU: %" PRIu64 " lost events are left out",
			       lost);
}

static int write_trace(struct kft_export *x)
{
	const struct kft_tracedat_opts opts = {
		.file_version = x->file_version,
		.compress = kft_tracedat_choose_compress(x->compress, x->plain,
							 x->file_version),
	};

	int r = kft_tracedat_write_trace(x->fd, x->trace, x->scope, &opts, &x->events,
					 x->e);

	if (r >= 0)
		note_last_losses(x);
	return r;
}

const struct kft_export_format kft_export_tracedat = {
	.summary = "the kernel's own records, version 7 or 6 of the file",
	.viewer = "trace-cmd, KernelShark, Trace Compass (6), kft",
	.shape = KFT_EXPORT_FILE,
	.write = write_trace,
};
