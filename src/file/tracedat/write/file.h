/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/compress_pool.h"
#include "file/tracedat/write/encode.h"
#include "file/tracedat/write/opts.h"
#include "model/meta.h"

/*
 * A file that is being written, for both versions of the format. Bytes are appended at
 * pos; values that become known later are patched.
 */
struct kft_dat_file {
	int fd; /* borrowed */
	bool swap; /* the file's byte order is not this machine's */
	uint64_t pos; /* offset of the next byte */
	const struct kft_meta *meta; /* borrowed */
	const struct kft_tracedat_opts *opts; /* borrowed */
	struct kft_compress_pool *pool; /* owned; NULL when pages are not compressed */
	uint64_t done_bytes; /* of CPU data, before compression */
	uint64_t total_bytes;
	struct kft_err *e;
};

/* n_sources: number of CPUs in all buffers; max_page_size: largest page size of these. */
int kft_dat_init(struct kft_dat_file *f, int fd, const struct kft_meta *meta,
		 const struct kft_tracedat_opts *opts, size_t n_sources,
		 uint32_t max_page_size, struct kft_err *e) __must_check;
void kft_dat_finish(struct kft_dat_file *f);

/* Append bytes. An sb that ran out of memory is reported here. */
int kft_dat_append(struct kft_dat_file *f, const void *data, size_t len) __must_check;
int kft_dat_append_sb(struct kft_dat_file *f, const struct kft_strbuf *sb) __must_check;
int kft_dat_patch_u32(struct kft_dat_file *f, uint64_t offset, uint32_t v) __must_check;
int kft_dat_patch_u64(struct kft_dat_file *f, uint64_t offset, uint64_t v) __must_check;

/* Leaves a hole up to the next multiple of bytes, a power of two. */
void kft_dat_align(struct kft_dat_file *f, uint32_t bytes);

/* Appends the pages of one CPU as they are, or as chunks when there is a pool. */
int kft_dat_append_pages(struct kft_dat_file *f, const struct kft_page_source *s,
			 uint32_t page_size) __must_check;

/* INITIAL FORMAT, up to the page size. */
void kft_dat_encode_start(const struct kft_dat_file *f, struct kft_strbuf *sb,
			  const char *version);

/* The two versions of the format. */
int kft_dat_write_v6(struct kft_dat_file *f, const struct kft_tracedat_buffer *buffers,
		     size_t n_buffers) __must_check;
int kft_dat_write_v7(struct kft_dat_file *f, const struct kft_tracedat_buffer *buffers,
		     size_t n_buffers) __must_check;
int kft_dat_write_v7_live(struct kft_dat_file *f) __must_check;
