/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_TRIGGER_H
#define KFT_PLAN_TRIGGER_H

#include <kft/plan.h>

#include "base/macro.h"

/* Frees what a trigger owns, which is none then. */
void kft_plan_trigger_finish(struct kft_plan_trigger *t);

/* -ENOMEM. */
int kft_plan_trigger_copy(const struct kft_plan_trigger *t,
			  struct kft_plan_trigger *ret) __must_check;

#endif
