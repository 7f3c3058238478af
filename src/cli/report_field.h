/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "model/trace.h"

/*
 * -ENOENT, with the most similar names, when no event has the field: a misspelt name
 * would print "-" in each line. All formats of the trace must be parsed before.
 */
int cli_report_check_field(struct kft_trace *t, const char *name,
			   struct kft_err *e) __must_check;

/* -ENODATA when the trace lacks the time of day. */
int cli_report_check_wall(const struct kft_trace *t, struct kft_err *e) __must_check;
