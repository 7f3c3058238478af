/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "plan/kft/lexer.h"

/*
 * The mistakes in a configuration, each with its position, so that a user can correct all
 * of a file in one round. `struct kft_diags d = {};` is empty.
 */
#define KFT_DIAGS_MAX 20 /* later ones are only counted */

struct kft_diag {
	struct kft_pos pos;
	const char *msg; /* owned by kft_diags.arena */
	const char *hint; /* owned likewise; NULL without advice */
};

struct kft_diags {
	struct kft_arena arena;
	KFT_VEC(struct kft_diag) list; /* in the order of the text, for each pass */
	size_t dropped_count;
};

void kft_diags_finish(struct kft_diags *d);

/* Adds a mistake. Escapes text from the file. Without memory it is counted as dropped. */
__printf_fmt(3, 4) void kft_diag_add(struct kft_diags *d, struct kft_pos pos,
				     const char *fmt, ...);

/* Adds advice to the last mistake. */
__printf_fmt(2, 3) void kft_diag_hint(struct kft_diags *d, const char *fmt, ...);

static inline bool kft_diags_any(const struct kft_diags *d)
{
	return d->list.len || d->dropped_count;
}

/*
 * Prints "path:line:col: message" lines, each followed by a "  hint" line if it has one.
 */
void kft_diags_text(const struct kft_diags *d, const char *path, struct kft_strbuf *sb);

/*
 * Turns the first mistake into an error that also gives the number of others:
 * -EINVAL. 0 without mistakes.
 */
int kft_diags_err(const struct kft_diags *d, const char *path,
		  struct kft_err *e) __must_check;
