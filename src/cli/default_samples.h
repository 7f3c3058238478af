/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include <kft/plan.h>

#include "base/opt.h"

/*
 * Adds samples of the clock to the plan of `kft record --for why`, if the plan can have them and they
 * cost little. questions: the arguments of --for. With `tells` the cost is printed, for --dry-run. -EINVAL
 * or -ENOMEM.
 */
int cli_add_default_samples(struct kft_plan *p, const struct kft_opt_strings *questions,
			    bool tells, struct kft_err *e) __must_check;
