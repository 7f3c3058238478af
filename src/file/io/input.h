/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/arena.h"
#include "base/cursor.h"

/*
 * A file that is read by pread() into the reader's own memory, never mapped. Measured on
 * 340 MB in the page cache, a scan through a buffer that stays in the second-level cache
 * takes a quarter of the time that page faults of a mapping cost; and a file that is
 * truncated meanwhile gives an error, not SIGBUS.
 *
 * size is the file's size when it was opened: later growth is ignored.
 */
struct kft_dat_input {
	int fd; /* owned by the reader */
	uint64_t size;
	bool swap; /* the trace's byte order is not this machine's */
};

/* Reads exactly len bytes. -ENODATA when the file ends before, -errno. */
int kft_dat_input_read(const struct kft_dat_input *in, uint64_t offset, void *buf,
		       size_t len) __must_check;

/* Reads up to len bytes; *ret_len is less at the end of the file. */
int kft_dat_input_read_some(const struct kft_dat_input *in, uint64_t offset, void *buf,
			    size_t len, size_t *ret_len) __must_check;

/*
 * A forward walk over numbers and strings of a file with length fields, which skips
 * contents without reading them. Every getter returns false without moving at the end of
 * the file (failed 0) or when reading fails.
 */
#define KFT_DAT_WALK_BYTES (64 * 1024)

struct kft_dat_walk {
	const struct kft_dat_input *in; /* borrowed */
	uint64_t pos; /* file offset of the next byte */
	uint8_t *window; /* owned, KFT_DAT_WALK_BYTES */
	uint64_t window_pos;
	size_t window_len;
	int failed; /* -errno of the read that failed; 0: none */
};

int kft_dat_walk_init(struct kft_dat_walk *w, const struct kft_dat_input *in,
		      uint64_t pos) __must_check;
void kft_dat_walk_finish(struct kft_dat_walk *w);

/* Gets n <= KFT_DAT_WALK_BYTES bytes, borrowed until the next call. */
bool kft_dat_walk_bytes(struct kft_dat_walk *w, size_t n,
			const uint8_t **ret) __must_check;
bool kft_dat_walk_skip(struct kft_dat_walk *w, uint64_t n) __must_check;
bool kft_dat_walk_u32(struct kft_dat_walk *w, uint32_t *ret) __must_check;
bool kft_dat_walk_u64(struct kft_dat_walk *w, uint64_t *ret) __must_check;

/*
 * Gets a NUL-terminated string of at most max bytes including the NUL, borrowed likewise.
 */
bool kft_dat_walk_str(struct kft_dat_walk *w, size_t max, const char **ret) __must_check;
