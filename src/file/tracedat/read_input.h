/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_READ_INPUT_H
#define KFT_FILE_TRACEDAT_READ_INPUT_H

#include "base/arena.h"
#include "base/cursor.h"

/*
 * A file that is read: by pread() into the reader's own memory, never mapped. Measured on
 * 340 MB in the page cache, a scan through a buffer that stays in the second-level cache
 * takes a quarter of the time that page faults of a mapping cost; and a file that somebody
 * truncates meanwhile gives an error, not SIGBUS.
 *
 * size is what the file had when it was opened: a file that still grows is read up to
 * there.
 */
struct kft_dat_input {
	int fd; /* owned by the reader */
	uint64_t size;
	bool swap; /* byte order of the trace, not this machine's */
};

/* Exactly len bytes. -ENODATA when the file ends before, -errno. */
int kft_dat_input_read(const struct kft_dat_input *in, uint64_t offset, void *buf,
		       size_t len) __must_check;

/* As many as there are, up to len. */
int kft_dat_input_read_some(const struct kft_dat_input *in, uint64_t offset, void *buf,
			    size_t len, size_t *ret_len) __must_check;

/*
 * A forward walk over numbers and strings of a file whose parts say their lengths, which
 * skips contents without reading them. Every getter returns false and stays where it is
 * at the end of the file (failed.code 0) or when reading fails.
 */
#define KFT_DAT_WALK_BYTES (64 * 1024)

struct kft_dat_walk {
	const struct kft_dat_input *in; /* borrowed */
	uint64_t pos; /* in the file */
	uint8_t *window; /* owned, KFT_DAT_WALK_BYTES */
	uint64_t window_pos;
	size_t window_len;
	int failed; /* -errno of the read that failed, 0 */
};

int kft_dat_walk_init(struct kft_dat_walk *w, const struct kft_dat_input *in,
		      uint64_t pos) __must_check;
void kft_dat_walk_finish(struct kft_dat_walk *w);

/* n <= KFT_DAT_WALK_BYTES bytes, borrowed until the next call. */
bool kft_dat_walk_bytes(struct kft_dat_walk *w, size_t n,
			const uint8_t **ret) __must_check;
bool kft_dat_walk_skip(struct kft_dat_walk *w, uint64_t n) __must_check;
bool kft_dat_walk_u32(struct kft_dat_walk *w, uint32_t *ret) __must_check;
bool kft_dat_walk_u64(struct kft_dat_walk *w, uint64_t *ret) __must_check;

/* A NUL-terminated string of at most max bytes with its NUL, borrowed likewise. */
bool kft_dat_walk_str(struct kft_dat_walk *w, size_t max, const char **ret) __must_check;

#endif
