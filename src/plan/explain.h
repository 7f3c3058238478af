/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_EXPLAIN_H
#define KFT_PLAN_EXPLAIN_H

#include "base/strbuf.h"
#include "model/result.h"
#include "plan/carry.h"

/*
 * What a configuration means, in words, clause by clause; what a run does that has no
 * clause for it is said too. With caps (may be NULL) each clause also says how it will be
 * carried out on that kernel. Escaped for a terminal.
 */
void kft_config_explain(const struct kft_config *c, const struct kft_config_caps *caps,
			struct kft_strbuf *sb);

/* The same as a table "clauses", a row for each clause and for each of those sayings. */
void kft_config_explain_result(const struct kft_config *c,
			       const struct kft_config_caps *caps,
			       struct kft_result *ret);

#endif
