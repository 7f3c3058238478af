/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_MARK_H
#define KFT_MODEL_MARK_H

#include <stddef.h>

/* A part of a mark, not NUL terminated; borrowed from its text. */
struct kft_mark_text {
	const char *data;
	size_t len;
};

/* What the text of a print event says, as docs/formats/marks.md has it. */
struct kft_mark {
	char type; /* B E S F C, or I for every other text */
	struct kft_mark_text pid;
	struct kft_mark_text name;
	struct kft_mark_text cookie; /* of C: the value, a number */
};

/* A line end behind the text is no part of it. */
struct kft_mark kft_mark_parse(const char *text, size_t len);

#endif
