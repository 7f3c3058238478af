/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_LINES_H
#define KFT_BASE_LINES_H

#include "base/macro.h"

/*
 * The lines of a text of any length, from a file or a pipe, in constant memory. A line
 * longer than KFT_LINE_MAX bytes comes in pieces, so that no input makes it grow.
 */
#define KFT_LINE_MAX ((size_t)64 * 1024)

struct kft_lines {
	int fd; /* borrowed; may be a pipe */
	char *buf; /* owned */
	size_t pos; /* of what was not handed out yet */
	size_t len; /* bytes in buf */
	bool eof;
	bool in_line; /* the next piece goes on where the last one ended */
	uint64_t number; /* of the line that was handed out last, from 1 */
};

struct kft_line {
	const char *text; /* borrowed until the next call; not NUL terminated */
	size_t len; /* without the line's end */
	bool ended; /* a newline followed: false for a piece, and at the end of the text */
	bool continues; /* not the first piece of its line */
};

/* -ENOMEM. */
int kft_lines_init(struct kft_lines *l, int fd) __must_check;
void kft_lines_finish(struct kft_lines *l);

/* What was read from fd before, at most KFT_LINE_MAX bytes: before the first line only. */
void kft_lines_unread(struct kft_lines *l, const void *data, size_t len);

/* 1, 0 at the end, -errno. */
int kft_lines_next(struct kft_lines *l, struct kft_line *ret) __must_check;

#endif
