/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"

/* The function, or else only the place in a file, that a user-space address belongs to. */
struct kft_user_symbol {
	const char *file; /* borrowed from the trace: path, or a name such as "[vdso]" */
	const char *name; /* borrowed from the trace; NULL: no symbol at this place */
	uint64_t offset; /* bytes from the symbol's start; without one, from the file's */
};

/* Appends "name+0x12 (/path/file)" or "/path/file+0x1234", escaped. */
void kft_user_symbol_add(const struct kft_user_symbol *s, struct kft_strbuf *sb);

/* Appends "file:name" or "file+0x1234" without the folders of the path, escaped. */
void kft_user_symbol_add_short(const struct kft_user_symbol *s, struct kft_strbuf *sb);

/* Appends "file:name" or "file (no symbol)". */
void kft_user_symbol_add_function(const struct kft_user_symbol *s, struct kft_strbuf *sb);
