/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_CHECK_H
#define KFT_PLAN_CHECK_H

#include "plan/diag.h"
#include "plan/run.h"

/*
 * What no run may ask for because it could never record anything, or because two of its
 * clauses cannot both be meant. Mistakes go to diags, at the later of the two clauses.
 */
void kft_run_config_check(const struct kft_run_config *run, struct kft_diags *diags);

#endif
