// SPDX-License-Identifier: LGPL-2.1-or-later
#include "file/tracedat/page_source.h"

#include <errno.h>
#include <string.h>
#include <sys/sendfile.h>

#include "base/io.h"

/* Big enough to make calls rare, small enough for progress to be seen on a slow disk. */
#define COPY_STEP_BYTES	  (32u << 20)
#define BOUNCE_STEP_BYTES (1u << 20)

int kft_page_source_read(const struct kft_page_source *s, uint64_t pos, void *buf,
			 size_t len)
{
	const uint64_t body = s->bytes - s->tail_bytes;
	size_t n = pos < body ? KFT_MIN((uint64_t)len, body - pos) : 0;

	if (pos > s->bytes || len > s->bytes - pos)
		return -ENODATA;
	if (n) {
		int r = s->fd >= 0 ? kft_pread_all(s->fd, buf, n, s->offset + pos)
				   : s->read(s->arg, pos, buf, n);
		if (r < 0)
			return r;
	}
	if (n < len)
		memcpy((char *)buf + n, (const char *)s->tail + (pos + n - body),
		       len - n);
	return 0;
}

static bool is_unsupported(int err)
{
	/* By kernel: other file systems before 5.19, odd ones at any time. */
	return err == EXDEV || err == EINVAL || err == ENOSYS || err == EOPNOTSUPP;
}

/* In the kernel, sharing blocks where the file system can: bytes, 0 at the end, -errno. */
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

/* Through the page cache, for which the output's file position is needed. */
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

/* From pos on with memory between: what is left when the kernel cannot do it. */
static int copy_bounce(const struct kft_page_source *s, uint64_t pos, uint64_t end,
		       int out_fd, uint64_t offset, kft_copied_fn *copied, void *arg)
{
	_cleanup_free_ void *buf = malloc(BOUNCE_STEP_BYTES);

	if (!buf)
		return -ENOMEM;
	while (pos < end) {
		size_t n = KFT_MIN(end - pos, (uint64_t)BOUNCE_STEP_BYTES);
		int r = kft_page_source_read(s, pos, buf, n);

		if (r < 0)
			return r;
		r = kft_pwrite_all(out_fd, buf, n, offset + pos);
		if (r < 0)
			return r;
		pos += n;
		if (copied)
			copied(arg, n);
	}
	return 0;
}

int kft_page_source_copy(const struct kft_page_source *s, int out_fd, uint64_t offset,
			 kft_copied_fn *copied, void *arg)
{
	const uint64_t body = s->bytes - s->tail_bytes;
	ssize_t (*copy)(int, uint64_t, int, uint64_t, size_t) = copy_range;
	uint64_t pos = 0;

	while (s->fd >= 0 && pos < body) {
		size_t len = KFT_MIN(body - pos, (uint64_t)COPY_STEP_BYTES);
		ssize_t n = copy(s->fd, s->offset + pos, out_fd, offset + pos, len);

		if (n < 0 && is_unsupported(-n)) {
			if (copy == copy_sendfile)
				break;
			copy = copy_sendfile;
			continue;
		}
		if (n < 0)
			return n;
		if (n == 0) /* some file systems say so of what they cannot copy */
			break;
		pos += n;
		if (copied)
			copied(arg, n);
	}
	return copy_bounce(s, pos, s->bytes, out_fd, offset, copied, arg);
}
