/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_WRITE_H
#define KFT_FILE_TRACEDAT_WRITE_H

#include <kft/error.h>

#include "file/tracedat/page_source.h"
#include "model/meta.h"

/*
 * Writes trace.dat files, version 7 or 6, as docs/formats/trace-dat.md says: readable by
 * trace-cmd, KernelShark and libtracecmd.
 */

enum kft_tracedat_compress {
	KFT_TRACEDAT_PLAIN,
	KFT_TRACEDAT_ZSTD_META, /* formats, symbols and names only; version 7 */
	KFT_TRACEDAT_ZSTD, /* pages as well; version 7 */
};

/* What a file of a version gets that nobody has said more of: what this build can do. */
enum kft_tracedat_compress kft_tracedat_default_compress(unsigned int file_version);

/* By what options say: everything, nothing, or the default. */
enum kft_tracedat_compress kft_tracedat_choose_compress(bool all, bool none,
							unsigned int file_version);

/* Zeroed is valid: version 7, not compressed. */
struct kft_tracedat_opts {
	unsigned int file_version; /* 6 or 7; 0: 7 */
	enum kft_tracedat_compress compress;
	int level; /* of zstd; 0: its default */
	/* Of what is elsewhere: should the writer be killed, others may write the file anew. */
	bool is_copy;
	/* Of a live file: it stays although it has no page yet, to be resumed. */
	bool keep_empty;
	unsigned int threads; /* that compress; 0: one for each CPU of this machine */
	/* Told now and then, in the caller's thread; may be NULL. */
	void (*progress)(void *arg, uint64_t done_bytes, uint64_t total_bytes);
	void *progress_arg; /* borrowed */
};

/* One buffer's pages: the main one (name "") or another instance's. All borrowed. */
struct kft_tracedat_buffer {
	const char *name;
	const char *clock; /* its name, not the whole text of trace_clock */
	uint32_t page_size; /* of its pages; the main buffer's is the meta's */
	const struct kft_page_source *sources; /* at most one a CPU, by CPU */
	size_t n_sources;
};

/* -EINVAL or -ENOTSUP with a message for options that cannot be carried out. */
int kft_tracedat_check_opts(const struct kft_tracedat_opts *opts,
			    struct kft_err *e) __must_check;

/*
 * Writes a whole trace to fd, an empty regular file open for reading and writing; its
 * file position is not used and not kept. The main buffer is the first one. Nothing is
 * synced. On failure fd holds a part of a file; the message does not name the file.
 */
int kft_tracedat_write(int fd, const struct kft_meta *meta,
		       const struct kft_tracedat_buffer *buffers, size_t n_buffers,
		       const struct kft_tracedat_opts *opts,
		       struct kft_err *e) __must_check;

/*
 * As kft_tracedat_write(), what stands in a file while it is being recorded: everything
 * but events, and KFT_OPTION_LIVE.
 */
int kft_tracedat_write_live(int fd, const struct kft_meta *meta,
			    enum kft_tracedat_compress compress,
			    struct kft_err *e) __must_check;

#endif
