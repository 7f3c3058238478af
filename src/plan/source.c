// SPDX-License-Identifier: LGPL-2.1-or-later
/* Divides a plan into its sources. */
#include "plan/source.h"

const char *kft_source_name(enum kft_source source)
{
	static const char *const names[] = {
		[KFT_SOURCE_EVENTS] = "events",
		[KFT_SOURCE_PROBES] = "probes",
		[KFT_SOURCE_FUNCTIONS] = "functions",
		[KFT_SOURCE_ENTRIES] = "entries of functions",
		[KFT_SOURCE_INTERVALS] = "intervals",
		[KFT_SOURCE_SAMPLES] = "samples",
	};

	return names[source];
}

unsigned int kft_plan_sources(const struct kft_plan *plan)
{
	const bool has[] = {
		[KFT_SOURCE_EVENTS] = plan->n_events > 0,
		[KFT_SOURCE_PROBES] = plan->n_probes > 0,
		[KFT_SOURCE_FUNCTIONS] = plan->functions.enabled,
		[KFT_SOURCE_ENTRIES] = plan->functions.entered.len > 0,
		[KFT_SOURCE_INTERVALS] = plan->n_intervals > 0,
		[KFT_SOURCE_SAMPLES] = plan->samples.enabled,
	};
	unsigned int sources = 0;

	for (unsigned int i = 0; i < KFT_SOURCE_COUNT; i++)
		if (has[i])
			sources |= KFT_SOURCE_BIT(i);
	return sources;
}

struct kft_plan kft_plan_part(const struct kft_plan *plan, unsigned int sources)
{
	struct kft_plan part = *plan;

	if (!(sources & KFT_SOURCE_BIT(KFT_SOURCE_EVENTS)))
		part.n_events = 0;
	if (!(sources & KFT_SOURCE_BIT(KFT_SOURCE_PROBES)))
		part.n_probes = 0;
	if (!(sources & KFT_SOURCE_BIT(KFT_SOURCE_FUNCTIONS)))
		part.functions.enabled = false;
	if (!(sources & KFT_SOURCE_BIT(KFT_SOURCE_ENTRIES)))
		part.functions.entered.len = 0;
	if (!(sources & KFT_SOURCE_BIT(KFT_SOURCE_INTERVALS)))
		part.n_intervals = 0;
	if (!(sources & KFT_SOURCE_BIT(KFT_SOURCE_SAMPLES)))
		part.samples.enabled = false;
	return part;
}
