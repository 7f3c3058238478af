/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"
#include "plan/run.h"

/*
 * Turns a run into a plan. *ret is written only on success; the caller finishes it, and
 * it does not refer to run. Name, buffer and clock of the plan are left to the caller. So
 * is `prime`, which belongs to the session.
 */
int kft_run_config_lower(const struct kft_run_config *run, struct kft_plan *ret,
			 struct kft_err *e) __must_check;
