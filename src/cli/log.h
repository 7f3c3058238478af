/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/verb.h"
#include "model/trace.h"

/* Prints the log of a trace; path is for messages. Returns an exit status. */
int cli_log_show(struct cli *c, const char *path, struct kft_trace *t);
