// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the lines of a text of any length in constant memory. */
#include "base/lines.h"

#include <errno.h>
#include <string.h>

/* Holds many short lines, and a long one that a read cut in two. */
#define BUFFER_BYTES (16 * KFT_LINE_MAX)

int kft_lines_init(struct kft_lines *l, int fd)
{
	*l = (struct kft_lines){.fd = fd, .buf = malloc(BUFFER_BYTES)};
	return l->buf ? 0 : -ENOMEM;
}

void kft_lines_finish(struct kft_lines *l)
{
	free(l->buf);
	l->buf = NULL;
}

void kft_lines_unread(struct kft_lines *l, const void *data, size_t len)
{
	memcpy(l->buf, data, len);
	l->len = len;
}

/* Moves the unread bytes to the front and reads more after them. */
static int refill(struct kft_lines *l)
{
	ssize_t n;

	l->len -= l->pos;
	memmove(l->buf, l->buf + l->pos, l->len);
	l->pos = 0;
	do {
		n = read(l->fd, l->buf + l->len, BUFFER_BYTES - l->len);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	l->eof = n == 0;
	l->len += n;
	return 0;
}

static void hand_out(struct kft_lines *l, size_t len, bool ended, struct kft_line *ret)
{
	*ret = (struct kft_line){
		.text = l->buf + l->pos,
		.len = len,
		.ended = ended,
		.continues = l->in_line,
	};
	l->number += !l->in_line;
	l->in_line = !ended;
	l->pos += len + ended;
}

int kft_lines_next(struct kft_lines *l, struct kft_line *ret)
{
	size_t seen = 0; /* bytes without a newline: not searched again */

	for (;;) {
		size_t left = l->len - l->pos;
		size_t max = KFT_MIN(left, KFT_LINE_MAX + 1);
		const char *start = l->buf + l->pos;
		const char *nl = max > seen ? memchr(start + seen, '\n', max - seen)
					    : NULL;

		if (nl) {
			hand_out(l, nl - start, true, ret);
			return 1;
		}
		if (left > KFT_LINE_MAX) {
			hand_out(l, KFT_LINE_MAX, false, ret);
			return 1;
		}
		if (l->eof) {
			if (!left)
				return 0;
			hand_out(l, left, false, ret);
			return 1;
		}
		seen = left;
		int r = refill(l);

		if (r < 0)
			return r;
	}
}
