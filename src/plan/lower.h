/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_LOWER_H
#define KFT_PLAN_LOWER_H

#include "base/macro.h"
#include "plan/run.h"

/*
 * What a run asks for, as a plan. *ret is written only on success and is the caller's to
 * finish; it keeps nothing of run. Name, buffer and clock of the plan are left to the
 * caller, as is `prime`, which is about the session and not about what is traced.
 */
int kft_run_config_lower(const struct kft_run_config *run, struct kft_plan *ret,
			 struct kft_err *e) __must_check;

#endif
