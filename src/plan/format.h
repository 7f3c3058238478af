/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_FORMAT_H
#define KFT_PLAN_FORMAT_H

#include "base/strbuf.h"
#include "plan/run.h"

/*
 * A configuration as text again, in one canonical form: clauses in a fixed order, one a
 * line, lists closed with fend, times in microseconds where they are whole ones. Parsing
 * the text gives the same runs. Not escaped: words are what the parser let in, text
 * without control characters.
 */
void kft_config_format(const struct kft_config *c, struct kft_strbuf *sb);

/* One clause that the run has, on one line without the line's end. */
void kft_clause_format(const struct kft_run_config *run, enum kft_clause clause,
		       struct kft_strbuf *sb);

#endif
