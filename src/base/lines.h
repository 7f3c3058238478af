/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * Reads lines of a file or a pipe, of any length, in constant memory. A line longer than
 * KFT_LINE_MAX bytes is returned in pieces, so that no input makes the buffer grow.
 */
#define KFT_LINE_MAX ((size_t)64 * 1024)

struct kft_lines {
	int fd; /* borrowed; may be a pipe */
	char *buf; /* owned */
	size_t pos; /* index in buf of the first byte not returned yet */
	size_t len; /* bytes in buf */
	bool eof;
	bool in_line; /* the next piece continues the previous line */
	uint64_t number; /* number of the line returned last, from 1 */
};

struct kft_line {
	const char *text; /* borrowed until the next call; not NUL terminated */
	size_t len; /* without the newline */
	/* a newline followed: false for a piece, and at the end of a text without one */
	bool ended;
	bool continues; /* the piece is not the first of its line */
};

/* Allocates the buffer. 0 or -ENOMEM. */
int kft_lines_init(struct kft_lines *l, int fd) __must_check;
void kft_lines_finish(struct kft_lines *l);

/*
 * Passes bytes that were already read from fd, at most KFT_LINE_MAX;
 * only before the first line.
 */
void kft_lines_unread(struct kft_lines *l, const void *data, size_t len);

/* Reads the next line or piece: 1, 0 at the end, or -errno. */
int kft_lines_next(struct kft_lines *l, struct kft_line *ret) __must_check;
