/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/verb.h"

/* Message of a build without HAVE_VIEWERS. */
#define CLI_NOT_DRAWN "this small build of kft does not draw"

/*
 * Writes a picture of the trace at path to a file, or to standard
 * output (NULL or "-"). -errno.
 */
int cli_picture_write(struct cli *c, const char *path, const char *output,
		      const struct kft_strbuf *picture) __must_check;
