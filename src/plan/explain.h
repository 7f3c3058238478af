/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/result.h"
#include "plan/carry.h"

/*
 * Describes the meaning of a configuration, clause by clause, and the defaults of missing
 * clauses. With caps (may be NULL), each clause also shows how it is carried out on that
 * kernel. Escaped for a terminal.
 */
void kft_config_explain(const struct kft_config *c, const struct kft_config_caps *caps,
			struct kft_strbuf *sb);

/* Adds a table "clauses" to ret, with one row for each clause and each default. */
void kft_config_explain_result(const struct kft_config *c,
			       const struct kft_config_caps *caps,
			       struct kft_result *ret);
