/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "plan/diag.h"
#include "plan/run.h"

#define KFT_CONFIG_MAX_BYTES (4u << 20) /* maximum of text */
#define KFT_CONFIG_MAX_RUNS  1000

/*
 * Parses a whole configuration; docs/config.md describes the language. The text is not
 * needed afterwards. Mistakes are added to diags, as many clauses as possible are read,
 * and the result is then -EINVAL; a text above KFT_CONFIG_MAX_BYTES is a mistake.
 * -ENOMEM. *ret is written only on success.
 *
 * After this each clause is valid by itself, and no run contradicts itself
 * (plan/kft/check.h); kft_config_resolve() checks whether the functions exist.
 */
int kft_config_parse(const char *text, size_t len, struct kft_diags *diags,
		     struct kft_config *ret) __must_check;
