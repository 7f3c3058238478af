/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "base/macro.h"
#include "base/strbuf.h"

/* Whole-file and whole-buffer I/O; all retry on EINTR and return 0 or -errno. */

int kft_write_all(int fd, const void *data, size_t len) __must_check;
int kft_pwrite_all(int fd, const void *data, size_t len, uint64_t offset) __must_check;

/*
 * Reads up to len bytes, fewer only at the end of the file, and returns the count. Reads
 * at the offset, or with NULL from the file's position.
 */
ssize_t kft_read_full(int fd, void *data, size_t len,
		      const uint64_t *offset) __must_check;

/* Reads exactly len bytes; -ENODATA when the file ends before. */
int kft_pread_all(int fd, void *data, size_t len, uint64_t offset) __must_check;

/*
 * Appends a file of unknown size to sb (files of proc, sysfs and tracefs report a size of
 * 0). -EFBIG when it is longer than max_bytes; the contents of sb are then undefined.
 */
int kft_read_fd(int fd, size_t max_bytes, struct kft_strbuf *sb) __must_check;
int kft_read_at(int dirfd, const char *path, size_t max_bytes,
		struct kft_strbuf *sb) __must_check;

/*
 * Does the same for regular files only: -ELOOP for a symbolic link, -EINVAL for a FIFO or
 * a device, which it does not wait for.
 */
int kft_read_regular_at(int dirfd, const char *path, size_t max_bytes,
			struct kft_strbuf *sb) __must_check;

/*
 * 0 when path exists, else -errno. access(2) and faccessat(2) would not do: they check
 * the real user id and ignore capabilities.
 */
int kft_find_at(int dirfd, const char *path) __must_check;

/*
 * Writes the whole text in one write(), as the kernel's control files require. flags are
 * added to O_WRONLY | O_CLOEXEC (pass O_TRUNC or O_APPEND). A short write is -EIO.
 */
int kft_write_at(int dirfd, const char *path, int flags, const char *text,
		 size_t len) __must_check;

/*
 * Opens a file, which is made if need be, for writing with the further flags; a directory is
 * made, or -EEXIST. Both have their mode whatever the umask is, a file 0600: kft opens them
 * again, perhaps after it has given up CAP_DAC_OVERRIDE. File systems without modes do too.
 */
int kft_make_file_at(int dirfd, const char *name, int flags) __must_check;
int kft_make_dir_at(int dirfd, const char *name, mode_t mode) __must_check;

void kft_closep(int *fd);
