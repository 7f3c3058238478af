/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_DIAG_H
#define KFT_PLAN_DIAG_H

#include <kft/error.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "plan/lexer.h"

/*
 * What is wrong with a configuration, each with its place, so that a file with five
 * mistakes needs one round to mend and not five. `struct kft_diags d = {};` is empty.
 */
#define KFT_DIAGS_MAX 20 /* further ones are only counted */

struct kft_diag {
	struct kft_pos pos;
	const char *msg; /* owned by kft_diags.arena */
	const char *hint; /* the same; NULL when there is nothing to advise */
};

struct kft_diags {
	struct kft_arena arena;
	KFT_VEC(struct kft_diag) list; /* in the order of the text within each pass */
	size_t dropped_count;
};

void kft_diags_finish(struct kft_diags *d);

/* Escapes what a file put into the message. Out of memory counts as dropped. */
__printf_fmt(3, 4) void kft_diag_add(struct kft_diags *d, struct kft_pos pos,
				     const char *fmt, ...);

/* Advice to the one added last. */
__printf_fmt(2, 3) void kft_diag_hint(struct kft_diags *d, const char *fmt, ...);

static inline bool kft_diags_any(const struct kft_diags *d)
{
	return d->list.len || d->dropped_count;
}

/* "path:line:col: message" lines, with "  hint" lines below. */
void kft_diags_text(const struct kft_diags *d, const char *path, struct kft_strbuf *sb);

/*
 * The first one as an error, saying how many follow: -EINVAL. 0 when there are none.
 */
int kft_diags_err(const struct kft_diags *d, const char *path,
		  struct kft_err *e) __must_check;

#endif
