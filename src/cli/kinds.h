/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_KINDS_H
#define KFT_CLI_KINDS_H

#include "analysis/interval_stats.h"
#include "base/opt.h"
#include "derive/engine.h"

/* Kinds of intervals that are asked for, each once, and those that the user made up. */
struct cli_kinds {
	const struct kft_interval_kind *list[KFT_INTERVAL_KINDS_MAX];
	size_t n;
	KFT_VEC(struct kft_interval_kind *) user; /* owned */
};

void cli_kinds_finish(struct cli_kinds *k);

/* All kinds that a word names: one, those of a group, or "all". False: none. */
bool cli_kinds_add_word(struct cli_kinds *k, const char *word, size_t len);

/* All that the user made up. */
void cli_kinds_add_user(struct cli_kinds *k);

/* The parse() of an option whose value is a struct cli_kinds: a list with commas. */
int cli_kinds_add(const struct kft_opt *opt, const char *arg, struct kft_err *e);

/*
 * The parse() of an option --interval, whose value is a struct cli_kinds: a text of one has a ':'
 * and a '->', all else is the name of a file with one in each line.
 */
int cli_kinds_add_interval(const struct kft_opt *opt, const char *arg, struct kft_err *e);

/*
 * What a user makes up has to be something; kinds that a trace knows nothing of are silent.
 * -ENOENT, -EINVAL.
 */
int cli_kinds_check(const struct cli_kinds *k, struct kft_trace *t, struct kft_err *e);

#endif
