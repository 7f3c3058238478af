// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets up what records entries of functions beside their calls. */
#include "capture/tracefs/entries.h"

#include "capture/tracefs/graph.h"

int kft_entries_set_up(const struct kft_place *p, const struct kft_plan *plan,
		       struct kft_err *e)
{
	/* The plan as if entries were all that it wants of functions. Owns nothing. */
	struct kft_plan own = *plan;

	own.functions = (struct kft_plan_functions){
		.enabled = true,
		.entries = true,
		.include = plan->functions.entered,
		.exclude = plan->functions.exclude,
		.args = plan->functions.args,
	};
	return kft_graph_set_up_entries(p, &own, e);
}
