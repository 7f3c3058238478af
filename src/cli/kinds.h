/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_KINDS_H
#define KFT_CLI_KINDS_H

#include "base/opt.h"
#include "derive/engine.h"

/* Kinds of intervals that an option names, each once. */
struct cli_kinds {
	const struct kft_interval_kind *list[256];
	size_t n;
};

/* The parse() of an option whose value is a struct cli_kinds: a list with commas. */
int cli_kinds_add(const struct kft_opt *opt, const char *arg, struct kft_err *e);

#endif
