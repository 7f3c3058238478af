/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_READ_H
#define KFT_FILE_TRACEDAT_READ_H

#include "file/tracedat/read_input.h"
#include "model/trace.h"

/* The bytes at a file's start are those of a trace.dat file of any version. */
bool kft_tracedat_match(const void *head, size_t len);

/*
 * Opens a trace.dat file of version 6 or 7, also one that is being recorded (see
 * docs/formats/trace-dat.md). fd is a regular file open for reading, taken in any case;
 * path is its name, for the files beside it. Fails only when no trace can be made of the
 * file at all: -EINVAL (no trace.dat), -ENOTSUP (version or compression), -ENODATA (cut
 * in its first bytes), -ENOMEM, -errno. Everything else that is wrong is in the trace's
 * and the streams' damage.
 */
int kft_tracedat_open(int fd, const char *path, struct kft_trace **ret,
		      struct kft_err *e) __must_check;

/*
 * As kft_tracedat_open(), of a file that says it is being recorded: its metadata only, the
 * events are the caller's to add. -EINVAL for others.
 */
int kft_tracedat_open_live(int fd, const char *path, struct kft_trace **ret,
			   struct kft_err *e) __must_check;

/*
 * The texts that begin a version 6 file, as perf.data has them at [offset, offset + len)
 * of `in`: formats of events and what else the kernel gave become t's. What is missing or
 * broken is t's damage; path is for that. -ENOMEM.
 */
int kft_tracedat_read_texts(struct kft_trace *t, const struct kft_dat_input *in,
			    const char *path, uint64_t offset, uint64_t len) __must_check;

#endif
