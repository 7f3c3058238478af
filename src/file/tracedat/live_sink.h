/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/write/write.h"
#include "model/sink.h"

/*
 * A recording to a trace.dat FILE that survives any kind of interruption: between begin
 * and end FILE holds the metadata and a mark that it is being recorded, FILE.parts holds
 * the events (format.h; docs/decisions/0001 has the reasons), and both can be read at any
 * moment. end merges them into an ordinary file. After a power failure the same holds for
 * all data that the kernel had written back.
 *
 * begin fails as kft_parts_claim() does. When end fails or is not called, the files on
 * disk stay; destroy removes a recording without a single page.
 *
 * Errors of lost and tasks are not reported: end writes both again, complete.
 */

/*
 * Creates a sink, see kft_tracedat_sink_create(), that continues an interrupted recording
 * of the same machine: begin changes neither FILE nor FILE.parts (of its meta only
 * page_size and cpu_count are used), and new pages follow the old ones of their CPU.
 * begin fails as kft_parts_resume() does.
 */
int kft_tracedat_sink_resume(const char *path, const struct kft_tracedat_opts *opts,
			     struct kft_sink **ret, struct kft_err *e) __must_check;

/* path and opts are copied (progress_arg stays borrowed). -EINVAL for bad opts. */
int kft_tracedat_sink_create(const char *path, const struct kft_tracedat_opts *opts,
			     struct kft_sink **ret, struct kft_err *e) __must_check;
