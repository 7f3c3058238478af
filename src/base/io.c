// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads and writes whole files and buffers. */
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

/* Writes all bytes at the offset, or with NULL at the file's position. */
static int write_full(int fd, const void *data, size_t len, const uint64_t *offset)
{
	const char *p = data;

	for (size_t done = 0; done < len;) {
		ssize_t n = offset ? pwrite(fd, p + done, len - done, *offset + done)
				   : write(fd, p + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		done += n;
	}
	return 0;
}

int kft_write_all(int fd, const void *data, size_t len)
{
	return write_full(fd, data, len, NULL);
}

int kft_pwrite_all(int fd, const void *data, size_t len, uint64_t offset)
{
	return write_full(fd, data, len, &offset);
}

ssize_t kft_read_full(int fd, void *data, size_t len, const uint64_t *offset)
{
	char *p = data;
	size_t done = 0;

	while (done < len) {
		ssize_t n = offset ? pread(fd, p + done, len - done, *offset + done)
				   : read(fd, p + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		done += n;
	}
	return done;
}

int kft_pread_all(int fd, void *data, size_t len, uint64_t offset)
{
	ssize_t n = kft_read_full(fd, data, len, &offset);

	return n < 0 ? (int)n : (size_t)n < len ? -ENODATA : 0;
}

int kft_read_fd(int fd, size_t max_bytes, struct kft_strbuf *sb)
{
	size_t start = sb->len;

	for (;;) {
		if (!kft_strbuf_reserve(sb, 64 * 1024))
			return -ENOMEM;
		ssize_t n = read(fd, sb->buf + sb->len, 64 * 1024);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return 0;
		sb->len += n;
		if (sb->len - start > max_bytes)
			return -EFBIG;
	}
}

int kft_read_at(int dirfd, const char *path, size_t max_bytes, struct kft_strbuf *sb)
{
	_cleanup_close_ int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return kft_read_fd(fd, max_bytes, sb);
}

int kft_read_regular_at(int dirfd, const char *path, size_t max_bytes,
			struct kft_strbuf *sb)
{
	_cleanup_close_ int fd = openat(dirfd, path,
					O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	return S_ISREG(st.st_mode) ? kft_read_fd(fd, max_bytes, sb) : -EINVAL;
}

int kft_find_at(int dirfd, const char *path)
{
	struct stat st;

	return fstatat(dirfd, path, &st, 0) < 0 ? -errno : 0;
}

int kft_write_at(int dirfd, const char *path, int flags, const char *text, size_t len)
{
	_cleanup_close_ int fd = openat(dirfd, path, O_WRONLY | O_CLOEXEC | flags);
	ssize_t n;

	if (fd < 0)
		return -errno;
	do {
		n = write(fd, text, len);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return (size_t)n == len ? 0 : -EIO;
}

int kft_make_file_at(int dirfd, const char *name, int flags)
{
	int fd = openat(dirfd, name, flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	(void)fchmod(fd, 0600);
	return fd;
}

int kft_make_dir_at(int dirfd, const char *name, mode_t mode)
{
	char path[32];

	if (mkdirat(dirfd, name, mode) < 0)
		return -errno;
	/* Another program may have put a link in its place, which chmod(2) would follow. */
	_cleanup_close_ int fd = openat(dirfd, name,
					O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd >= 0)
		(void)!chmod(path, mode);
	return 0;
}

void kft_closep(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		(void)close(*fd);
	errno = saved;
}
