/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_LIVE_SINK_H
#define KFT_FILE_TRACEDAT_LIVE_SINK_H

#include "file/tracedat/write.h"
#include "model/sink.h"

/*
 * A recording that goes to a trace.dat FILE, safe against whatever ends it: from begin to
 * end FILE says that it is being recorded and holds the metadata, FILE.parts holds the
 * events (format.h; docs/decisions/0001 says why), and both can be read at any moment.
 * end makes one ordinary file of them. Against a power cut the same holds for what the
 * kernel had written back by then.
 *
 * begin refuses what kft_parts_claim() refuses. When end fails, or never comes, what is on
 * disk stays; a recording without a single page is removed by destroy.
 *
 * Failures of lost and tasks are no reason to stop: both come again, complete, with end.
 */

/*
 * As kft_tracedat_sink_create(), to go on with a recording of the same machine that was not
 * ended: begin leaves FILE and what is in FILE.parts alone (of its meta only page_size and
 * cpu_count are looked at), and new pages follow the old ones of their CPU. begin fails as
 * kft_parts_resume() does.
 */
int kft_tracedat_sink_resume(const char *path, const struct kft_tracedat_opts *opts,
			     struct kft_sink **ret, struct kft_err *e) __must_check;

/* path is copied, opts too (progress_arg stays borrowed). -EINVAL for bad opts. */
int kft_tracedat_sink_create(const char *path, const struct kft_tracedat_opts *opts,
			     struct kft_sink **ret, struct kft_err *e) __must_check;

#endif
