/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/verb.h"
#include "output/result.h"

/* The option --format of verbs that print a result: an int of enum kft_output_id. */
/* clang-format off */
#define CLI_FORMAT_OPT(format)                                                           \
	{0, "format", "FORMAT", "text, json or csv (text)", KFT_OPT_ENUM, &(format),     \
	 kft_output_names}
/* For verbs that had --json before --format existed. */
#define CLI_JSON_OPT(format)                                                             \
	{0, "json", NULL, "the same as --format=json", KFT_OPT_CALLBACK, &(format),      \
	 .parse = cli_set_json}
/* clang-format on */

int cli_set_json(const struct kft_opt *opt, const char *arg, struct kft_err *e);

/*
 * Writes the result to standard output; all is that of kft_output_how.
 * Returns the exit status.
 */
int cli_answer(struct cli *c, int format, bool all, const struct kft_result *result);

/* Reports that small builds leave a feature out, and where it can be had. -ENOTSUP. */
int cli_left_out(struct kft_err *e, const char *feature);

/*
 * Writes a picture of the trace at path to a file, or to standard
 * output (NULL or "-"). -errno.
 */
int cli_picture_write(struct cli *c, const char *path, const char *output,
		      const struct kft_strbuf *picture) __must_check;
