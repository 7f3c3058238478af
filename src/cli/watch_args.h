/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "base/opt.h"
#include "watch/watcher.h"

/* The values of --on and related options. */
struct cli_watch_args {
	struct kft_opt_strings on;
	uint64_t at_most;
	uint64_t rest_ns;
	uint64_t max_files;
	uint64_t max_bytes;
};

#define CLI_WATCH_DEFAULTS                                                     \
	{                                                                      \
		.rest_ns = 1000000000, .max_files = 20, .max_bytes = 1U << 30, \
	}

/* clang-format off */
#define CLI_WATCH_OPTS(args)                                                             \
	{0, "on", "CONDITION",                                                           \
	 "WHEN do ACTION[,ACTION]: 'irq > 5ms do snapshot'; can be given several times", \
	 KFT_OPT_STRINGS, &(args).on},                                                   \
	{0, "at-most", "N", "each condition counts N times at most", KFT_OPT_U64,        \
	 &(args).at_most},                                                               \
	{0, "not-again-for", "TIME", "nor for TIME after it came (1s)",                  \
	 KFT_OPT_DURATION, &(args).rest_ns},                                             \
	{0, "max-snapshots", "N", "conditions take N snapshots at most (20)",            \
	 KFT_OPT_U64,                                                                    \
	 &(args).max_files},                                                             \
	{0, "max-size", "SIZE", "and no more when these have SIZE bytes (1G)",            \
	 KFT_OPT_SIZE, &(args).max_bytes}
/* clang-format on */

/* The parsed options of a watcher. */
struct cli_watch {
	KFT_VEC(struct kft_condition) conditions;
	struct kft_watch_opts opts;
};

/* dir: directory of snapshots, borrowed. -EINVAL for an invalid condition. */
int cli_watch_parse(const struct cli_watch_args *args, const char *dir,
		    struct cli_watch *ret, struct kft_err *e) __must_check;
void cli_watch_finish(struct cli_watch *w);

/* Starts the watcher of a new session; removes the session on failure. */
int cli_watch_start(const struct cli_watch *w, const char *session,
		    struct kft_err *e) __must_check;
