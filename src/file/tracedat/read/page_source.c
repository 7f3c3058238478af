// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the pages of one CPU for a writer. */
#include "file/tracedat/read/page_source.h"

#include <errno.h>
#include <string.h>
#include <sys/sendfile.h>

#include "base/io.h"

/* Bytes per copy: large for few calls, small enough to report progress on a slow disk. */
#define COPY_STEP_BYTES	  (32u << 20)
#define BOUNCE_STEP_BYTES (1u << 20)

static ssize_t read_range(const struct kft_page_source *s, uint64_t pos, void *buf,
			  size_t len)
{
	size_t n = KFT_MIN((uint64_t)len, s->bytes - pos);
	int r = kft_pread_all(s->fd, buf, n, s->offset + pos);

	return r < 0 ? r : (ssize_t)n;
}

static size_t read_tail(const struct kft_page_source *s, uint64_t pos, void *buf,
			size_t len)
{
	size_t n = KFT_MIN((uint64_t)len, s->tail_bytes - pos);

	if (n)
		memcpy(buf, (const char *)s->tail + pos, n);
	return n;
}

static ssize_t read_some(const struct kft_page_source *s, uint64_t pos, void *buf,
			 size_t len)
{
	if (s->fd < 0)
		return s->read(s->arg, buf, len);
	if (pos < s->bytes)
		return read_range(s, pos, buf, len);
	return read_tail(s, pos - s->bytes, buf, len);
}

ssize_t kft_page_source_read(const struct kft_page_source *s, uint64_t *pos, void *buf,
			     size_t len)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = read_some(s, *pos, (char *)buf + done, len - done);

		if (n < 0)
			return n;
		if (n == 0)
			break;
		done += n;
		*pos += n;
	}
	return done;
}

static bool is_unsupported(int err)
{
	/*
	 * copy_file_range() fails between file systems before Linux 5.19, and on
	 * some file systems always.
	 */
	return err == EXDEV || err == EINVAL || err == ENOSYS || err == EOPNOTSUPP;
}

/*
 * Copies in the kernel, sharing blocks where the file system can.
 * Bytes, 0 at the end, -errno.
 */
static ssize_t copy_range(int in_fd, uint64_t in, int out_fd, uint64_t out, size_t len)
{
	off_t in_off = in;
	off_t out_off = out;
	ssize_t n;

	do {
		n = copy_file_range(in_fd, &in_off, out_fd, &out_off, len, 0);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/* Copies through the page cache; sendfile() writes at the output's file position. */
static ssize_t copy_sendfile(int in_fd, uint64_t in, int out_fd, uint64_t out, size_t len)
{
	off_t in_off = in;
	ssize_t n;

	if (lseek(out_fd, out, SEEK_SET) < 0)
		return -errno;
	do {
		n = sendfile(out_fd, in_fd, &in_off, len);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/*
 * Copies the rest of the source from *pos through memory, where the kernel cannot copy.
 */
static int copy_bounce(const struct kft_page_source *s, uint64_t *pos, int out_fd,
		       uint64_t offset, kft_copied_fn *copied, void *arg)
{
	_cleanup_free_ void *buf = malloc(BOUNCE_STEP_BYTES);

	if (!buf)
		return -ENOMEM;
	for (;;) {
		const uint64_t at = offset + *pos;
		ssize_t n = kft_page_source_read(s, pos, buf, BOUNCE_STEP_BYTES);

		if (n <= 0)
			return n;
		int r = kft_pwrite_all(out_fd, buf, n, at);
		if (r < 0)
			return r;
		if (copied)
			copied(arg, n);
	}
}

/* Copies the part of the range that the kernel can copy. */
static int copy_in_kernel(const struct kft_page_source *s, uint64_t *pos, int out_fd,
			  uint64_t offset, kft_copied_fn *copied, void *arg)
{
	ssize_t (*copy)(int, uint64_t, int, uint64_t, size_t) = copy_range;

	while (*pos < s->bytes) {
		size_t len = KFT_MIN(s->bytes - *pos, (uint64_t)COPY_STEP_BYTES);
		ssize_t n = copy(s->fd, s->offset + *pos, out_fd, offset + *pos, len);

		if (n < 0 && is_unsupported(-n)) {
			if (copy == copy_sendfile)
				return 0;
			copy = copy_sendfile;
			continue;
		}
		/* 0: some file systems return it for files they cannot copy */
		if (n <= 0)
			return n;
		*pos += n;
		if (copied)
			copied(arg, n);
	}
	return 0;
}

int kft_page_source_copy(const struct kft_page_source *s, int out_fd, uint64_t offset,
			 kft_copied_fn *copied, void *arg, uint64_t *ret_bytes)
{
	uint64_t pos = 0;
	int r = s->fd < 0 ? 0 : copy_in_kernel(s, &pos, out_fd, offset, copied, arg);

	if (r == 0)
		r = copy_bounce(s, &pos, out_fd, offset, copied, arg);
	if (r == 0)
		*ret_bytes = pos;
	return r;
}
