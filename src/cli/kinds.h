/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "analysis/stats/interval_stats.h"
#include "base/opt.h"
#include "derive/engine/engine.h"

/*
 * The requested kinds of intervals without duplicates, including
 * those defined by the user.
 */
struct cli_kinds {
	const struct kft_interval_kind *list[KFT_INTERVAL_KINDS_MAX];
	size_t n;
	KFT_VEC(struct kft_interval_kind *) user; /* owned */
};

void cli_kinds_finish(struct cli_kinds *k);

/* Adds the kinds of a word: one, all of a group, or "all". False: unknown word. */
bool cli_kinds_add_word(struct cli_kinds *k, const char *word, size_t len);

/* Adds all kinds defined by the user. */
void cli_kinds_add_user(struct cli_kinds *k);

/*
 * The parse() of an option with a struct cli_kinds as its value: a list separated by commas.
 */
int cli_kinds_add(const struct kft_opt *opt, const char *arg, struct kft_err *e);

/*
 * The parse() of an option --interval with a struct cli_kinds as its value. A
 * definition contains ':' and '->'; any other text is the name of a file
 * with one definition per line.
 */
int cli_kinds_add_interval(const struct kft_opt *opt, const char *arg, struct kft_err *e);

/*
 * Checks the user's kinds against the trace; other kinds may be missing
 * there. -ENOENT, -EINVAL.
 */
int cli_kinds_check(const struct cli_kinds *k, struct kft_trace *t, struct kft_err *e);
