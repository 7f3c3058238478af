/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_IO_H
#define KFT_BASE_IO_H

#include <sys/types.h>

#include "base/macro.h"
#include "base/strbuf.h"

/* Whole-file and whole-buffer I/O; all retry on EINTR and return 0 or -errno. */

int kft_write_all(int fd, const void *data, size_t len) __must_check;
int kft_pwrite_all(int fd, const void *data, size_t len, uint64_t offset) __must_check;

/*
 * Up to len bytes, fewer only at the end: how many. From the offset, or with NULL from where the
 * file is.
 */
ssize_t kft_read_full(int fd, void *data, size_t len,
		      const uint64_t *offset) __must_check;

/* Exactly len bytes, or -ENODATA when the file ends before. */
int kft_pread_all(int fd, void *data, size_t len, uint64_t offset) __must_check;

/*
 * Appends a file of unknown size (proc, sysfs, tracefs say 0) to sb.
 * -EFBIG when it is longer than max_bytes; nothing is promised about sb then.
 */
int kft_read_fd(int fd, size_t max_bytes, struct kft_strbuf *sb) __must_check;
int kft_read_at(int dirfd, const char *path, size_t max_bytes,
		struct kft_strbuf *sb) __must_check;

/*
 * The same of a regular file only: -ELOOP for a symbolic link, -EINVAL for a FIFO and its like,
 * which are not waited for.
 */
int kft_read_regular_at(int dirfd, const char *path, size_t max_bytes,
			struct kft_strbuf *sb) __must_check;

/*
 * 0 when path is there, else -errno. access(2) and its kin are no answer to that: they
 * judge by the real user and forget capabilities.
 */
int kft_find_at(int dirfd, const char *path) __must_check;

/*
 * One write() of the whole text, as control files of the kernel want it: flags are added
 * to O_WRONLY | O_CLOEXEC (give O_TRUNC or O_APPEND). A short write is -EIO.
 */
int kft_write_at(int dirfd, const char *path, int flags, const char *text,
		 size_t len) __must_check;

void kft_closep(int *fd);

#endif
