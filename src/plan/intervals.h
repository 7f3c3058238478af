/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "base/macro.h"

/* Copies the members that the plan owns. -ENOMEM. */
int kft_plan_add_interval(struct kft_plan *p, const struct kft_plan_interval *interval,
			  struct kft_err *e) __must_check;

/* Frees a plan's intervals: kft_plan_finish() calls it. */
void kft_plan_intervals_finish(struct kft_plan *p);
