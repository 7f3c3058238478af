/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/verb.h"
#include "view/page.h"

#define CLI_PAGE_BYTES (UINT64_C(200) << 20) /* the default size */

/* The name of the trace at path, for people. */
const char *cli_page_name(const char *path);

/*
 * Writes a trace as a page to output (NULL: the trace's name with .html),
 * prints the name, and optionally opens it in a browser. Sets the name in
 * opts. Returns the exit status.
 */
int cli_page_write(struct cli *c, const char *path, struct kft_trace *t,
		   const char *output, bool open, const struct kft_view_opts *opts);
