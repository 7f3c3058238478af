/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "plan/diag.h"
#include "plan/run.h"

/*
 * Finds clauses with which a run could never record anything, or that contradict each
 * other. Mistakes are added to diags, at the later of the two clauses.
 */
void kft_run_config_check(const struct kft_run_config *run, struct kft_diags *diags);
