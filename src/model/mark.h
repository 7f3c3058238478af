/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

/* A part of a mark, not NUL terminated; borrowed from its text. */
struct kft_mark_text {
	const char *data;
	size_t len;
};

/* The parsed text of a print event, see docs/formats/marks.md. */
struct kft_mark {
	/*
	 * B begins and E ends a scope of a thread, S and F one of any thread; C: counter;
	 * I: instant or any other text
	 */
	char type;
	struct kft_mark_text pid;
	struct kft_mark_text name;
	struct kft_mark_text cookie; /* for C: the value, a number */
};

/* A line end after the text is ignored. */
struct kft_mark kft_mark_parse(const char *text, size_t len);
