/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

/* An event that kft why uses. */
struct kft_plan_need {
	const char *event; /* "system:event" */
	const char *tells; /* the fact that the event contributes, for people */
	const char *kind; /* needed for this kind only; NULL: always */
};

/* All such events; the last entry has no event. */
extern const struct kft_plan_need kft_plan_needs[];
