/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

/* Frees a plan's probes: kft_plan_finish() calls it. */
void kft_plan_probes_finish(struct kft_plan *p);

/* Removes the last probe. */
void kft_plan_drop_probe(struct kft_plan *p);
