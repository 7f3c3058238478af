/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/write/opts.h"
#include "model/meta.h"

/*
 * Writes trace.dat files, version 7 or 6, as described in docs/formats/trace-dat.md:
 * readable by trace-cmd, KernelShark and libtracecmd.
 */

/*
 * Writes a whole trace to fd, an empty regular file open for reading and writing; its
 * file position is neither used nor preserved. The main buffer is the first one. Nothing
 * is synced. On failure fd holds a partial file; the message does not name the file.
 */
int kft_tracedat_write(int fd, const struct kft_meta *meta,
		       const struct kft_tracedat_buffer *buffers, size_t n_buffers,
		       const struct kft_tracedat_opts *opts,
		       struct kft_err *e) __must_check;

/*
 * Writes the content of FILE while it is being recorded: like kft_tracedat_write(), but
 * without events and with KFT_OPTION_LIVE.
 */
int kft_tracedat_write_live(int fd, const struct kft_meta *meta,
			    enum kft_tracedat_compress compress,
			    struct kft_err *e) __must_check;
