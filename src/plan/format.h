/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "plan/run.h"

/*
 * Writes a configuration in canonical form: clauses in a fixed order, one a line,
 * lists closed with fend, times in whole microseconds where possible. Parsing the
 * text gives the same runs. The text is not escaped: words come from the parser,
 * which rejects control characters.
 */
void kft_config_format(const struct kft_config *c, struct kft_strbuf *sb);

/* Writes one clause of the run on one line, without a newline. */
void kft_clause_format(const struct kft_run_config *run, enum kft_clause clause,
		       struct kft_strbuf *sb);
