// SPDX-License-Identifier: LGPL-2.1-or-later
/* Splices pages of a CPU's buffer into a file. */
#include "tracefs/drain/pump.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/io.h"

/* The default limit for an unprivileged process (fs.pipe-max-size). */
#define PIPE_BYTES (1U << 20)
#define COPY_BYTES (64U << 10)

/* EAGAIN: there is no page now. ENODEV: the CPU was never online and has no buffer. */
static bool is_empty(int err)
{
	return err == EAGAIN || err == ENODEV;
}

int kft_pump_open(struct kft_pump *p, int from_fd, int to_fd, size_t page_size)
{
	int fds[2];

	uint8_t *buf = malloc(KFT_MAX(page_size, (size_t)COPY_BYTES));
	if (!buf)
		return -ENOMEM;
	if (pipe2(fds, O_CLOEXEC) < 0) {
		int r = -errno;

		free(buf);
		return r;
	}
	/*
	 * The user's pipes may exceed their limit with this one: the default size has to
	 * do then.
	 */
	int bytes = fcntl(fds[1], F_SETPIPE_SZ, PIPE_BYTES);
	if (bytes < 0)
		bytes = fcntl(fds[1], F_GETPIPE_SZ);
	*p = (struct kft_pump){
		.from_fd = from_fd,
		.to_fd = to_fd,
		.pipe = {fds[0], fds[1]},
		.pipe_bytes = bytes > 0 ? bytes : 4096,
		.page_size = page_size,
		.buf = buf,
		.buf_bytes = KFT_MAX(page_size, (size_t)COPY_BYTES),
	};
	return 0;
}

void kft_pump_close(struct kft_pump *p)
{
	if (!p->buf)
		return;
	kft_closep(&p->pipe[0]);
	kft_closep(&p->pipe[1]);
	free(p->buf);
	*p = (struct kft_pump){.from_fd = -1, .to_fd = -1, .pipe = {-1, -1}};
}

static int copy_out(struct kft_pump *p, size_t n)
{
	while (n) {
		ssize_t got = read(p->pipe[0], p->buf, KFT_MIN(n, p->buf_bytes));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : -EIO;
		int r = kft_write_all(p->to_fd, p->buf, got);
		if (r < 0)
			return r;
		n -= got;
	}
	return 0;
}

/* Empties the pipe, which holds n bytes, into the file. */
static int flush(struct kft_pump *p, size_t n)
{
	while (n && !p->copy) {
		ssize_t done = splice(p->pipe[0], NULL, p->to_fd, NULL, n, SPLICE_F_MOVE);

		if (done < 0 && errno == EINTR)
			continue;
		/*
		 * The file is open for appending, or its file system does not support
		 * splice(2).
		 */
		if (done < 0 && errno == EINVAL) {
			p->copy = true;
			break;
		}
		if (done <= 0)
			return done < 0 ? -errno : -EIO;
		n -= done;
	}
	return n ? copy_out(p, n) : 0;
}

ssize_t kft_pump_pages(struct kft_pump *p, enum kft_pump_side *ret_side)
{
	ssize_t n;

	do {
		n = splice(p->from_fd, NULL, p->pipe[1], NULL, p->pipe_bytes,
			   SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && is_empty(errno))
		return 0;
	if (n <= 0) {
		*ret_side = KFT_PUMP_FROM;
		return n < 0 ? -errno : 0;
	}
	int r = flush(p, n);
	if (r < 0) {
		*ret_side = KFT_PUMP_TO;
		return r;
	}
	return n;
}

ssize_t kft_pump_rest(struct kft_pump *p, enum kft_pump_side *ret_side)
{
	ssize_t n;

	/* Always request a whole sub-buffer: a shorter read would cut it in two. */
	do {
		n = read(p->from_fd, p->buf, p->page_size);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && is_empty(errno))
		return 0;
	if (n <= 0) {
		*ret_side = KFT_PUMP_FROM;
		return n < 0 ? -errno : 0;
	}
	memset(p->buf + n, 0, p->page_size - n);
	int r = kft_write_all(p->to_fd, p->buf, p->page_size);
	if (r < 0) {
		*ret_side = KFT_PUMP_TO;
		return r;
	}
	return p->page_size;
}
