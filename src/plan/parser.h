/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_PARSER_H
#define KFT_PLAN_PARSER_H

#include "plan/diag.h"
#include "plan/run.h"

#define KFT_CONFIG_MAX_BYTES (4u << 20) /* of text */
#define KFT_CONFIG_MAX_RUNS  1000

/*
 * Reads a whole configuration; what it looks like is in docs/config.md. The text is not
 * needed afterwards. Mistakes go to diags, with as many clauses read as can be, and the
 * result is then -EINVAL; a text above KFT_CONFIG_MAX_BYTES is one of them. -ENOMEM.
 * *ret is written only on success.
 *
 * Each clause alone is right after this, and no run contradicts itself (plan/check.h);
 * whether the functions exist is asked by kft_config_resolve().
 */
int kft_config_parse(const char *text, size_t len, struct kft_diags *diags,
		     struct kft_config *ret) __must_check;

#endif
