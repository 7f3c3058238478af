/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "file/tracedat/read/page_source.h"

enum kft_tracedat_compress {
	KFT_TRACEDAT_PLAIN,
	KFT_TRACEDAT_ZSTD_META, /* formats, symbols and names only; version 7 */
	KFT_TRACEDAT_ZSTD, /* pages as well; version 7 */
};

/*
 * The default for a file version: the best metadata compression that this build supports.
 */
enum kft_tracedat_compress kft_tracedat_default_compress(unsigned int file_version);

/* The compression for a user's options: everything, nothing, or the default. */
enum kft_tracedat_compress kft_tracedat_choose_compress(bool all, bool none,
							unsigned int file_version);

/* Zeroed is valid: version 7, not compressed. */
struct kft_tracedat_opts {
	unsigned int file_version; /* 6 or 7; 0: 7 */
	enum kft_tracedat_compress compress;
	int level; /* of zstd; 0: its default */
	/*
	 * The data exists elsewhere: if the writer is killed, the
	 * file may be overwritten.
	 */
	bool is_copy;
	/*
	 * The recording overwrites its oldest events: those missing before a CPU's first
	 * event are no loss.
	 */
	bool overwrites;
	/* A live file without any page is kept, so that it can be resumed. */
	bool keep_empty;
	/* Compression threads; 0: one for each CPU of this machine. */
	unsigned int threads;
	/* Called now and then, in the caller's thread; may be NULL. */
	void (*progress)(void *arg, uint64_t done_bytes, uint64_t total_bytes);
	void *progress_arg; /* borrowed */
};

/* The pages of one buffer: the main one (name "") or another instance's. All borrowed. */
struct kft_tracedat_buffer {
	const char *name;
	const char *clock; /* name of the clock, not the whole text of trace_clock */
	uint32_t page_size; /* the main buffer's is that of the meta */
	const struct kft_page_source *sources; /* at most one per CPU, sorted by CPU */
	size_t n_sources;
};

/* -EINVAL or -ENOTSUP with a message for options that are invalid or not supported. */
int kft_tracedat_check_opts(const struct kft_tracedat_opts *opts,
			    struct kft_err *e) __must_check;
