/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "base/macro.h"

/* Frees the trigger's memory and sets it to KFT_TRIGGER_NONE. */
void kft_plan_trigger_finish(struct kft_plan_trigger *t);

/* Copies a trigger. -ENOMEM. */
int kft_plan_trigger_copy(const struct kft_plan_trigger *t,
			  struct kft_plan_trigger *ret) __must_check;
