/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_COMMAND_LINE_H
#define KFT_CLI_COMMAND_LINE_H

#include "base/strbuf.h"

/*
 * Appends this program's command line as a shell would take it again: words with anything
 * but plain characters are quoted. Appends nothing when /proc cannot be read.
 */
void cli_add_command_line(struct kft_strbuf *sb);

#endif
