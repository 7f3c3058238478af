// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes to a reader that may be slow or disappear. */
#include "file/tracedat/stream/out.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE_MS 10000

/*
 * A pipe that poll(2) reports as writable accepts this many bytes
 * without blocking (PIPE_BUF).
 */
#define PIPE_BYTES 4096

static bool is_over(const struct kft_stream_out *o)
{
	struct pollfd p = {.fd = o->over_fd, .events = POLLIN};

	return poll(&p, 1, 0) > 0;
}

/*
 * Waits until the descriptor is writable, or until it is certain that it never will be.
 */
static int wait_writable(const struct kft_stream_out *o)
{
	for (;;) {
		bool over = is_over(o);
		struct pollfd p[] = {
			{.fd = o->fd, .events = POLLOUT},
			{.fd = over ? -1 : o->over_fd, .events = POLLIN},
		};
		int n = poll(p, ARRAY_SIZE(p), over ? PATIENCE_MS : -1);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			return -ETIMEDOUT;
		if (n > 0 && p[0].revents)
			return 0;
	}
}

/*
 * Writes as much as possible without blocking. The descriptor belongs to the caller, so
 * its flags (O_NONBLOCK) are not changed.
 */
static ssize_t write_some(const struct kft_stream_out *o, const void *data, size_t len)
{
	struct stat st = {};

	if (fstat(o->fd, &st) == 0 && S_ISSOCK(st.st_mode))
		return send(o->fd, data, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	return write(o->fd, data,
		     S_ISREG(st.st_mode) ? len : KFT_MIN(len, (size_t)PIPE_BYTES));
}

int kft_stream_out_write(const struct kft_stream_out *o, const void *data, size_t len)
{
	const uint8_t *p = data;

	while (len) {
		int r = wait_writable(o);
		ssize_t n = r < 0 ? r : write_some(o, p, len);

		if (r < 0)
			return r;
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		if (n > 0) {
			p += n;
			len -= n;
		}
	}
	return 0;
}

int kft_stream_out_wait(const struct kft_stream_out *o, int timeout_ms)
{
	struct pollfd p[] = {
		{.fd = o->over_fd, .events = POLLIN},
		{.fd = o->fd},
	};

	return poll(p, ARRAY_SIZE(p), timeout_ms) > 0 && p[1].revents ? -EPIPE : 0;
}
