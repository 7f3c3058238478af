/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/verb.h"

/* Shows how a boot spent its time, from its trace. Returns the exit status. */
int cli_boot_report(struct cli *c, const char *path, int format, bool all);

/* Draws the report as a picture, in the file output (-: standard output). */
int cli_boot_chart(struct cli *c, const char *path, const char *output);

/*
 * Writes the report as a page like kft view's, with rows for the boot; output NULL:
 * the trace's name with .html.
 */
int cli_boot_view(struct cli *c, const char *path, const char *output);
