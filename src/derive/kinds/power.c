// SPDX-License-Identifier: LGPL-2.1-or-later
/* States of idle CPUs, and frequencies of CPUs. */
#include <inttypes.h>

#include "derive/engine/async.h"
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"

/* PWR_EVENT_EXIT of include/trace/events/power.h */
#define AWAKE UINT32_MAX

static int feed_idle(const struct kft_interval_kind *kind, void *state,
		     const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink)
{
	uint64_t key = in->fields[0] & UINT32_MAX;
	struct kft_interval i = kft_nested_pairs_interval(kind, key, in);

	if (key != AWAKE)
		return kft_async_begin(state, in->fields[1], &i, in, sink);
	i.key = KFT_INTERVAL_NO_KEY;
	return kft_async_end(state, in->fields[1], &i, in, sink);
}

static const struct kft_kind_event idle_events[] = {
	{"power", "cpu_idle", {"state", "cpu_id"}},
	{},
};

const struct kft_interval_kind kft_kind_idle = {
	.name = "idle",
	.group = "power",
	.about = "states of idle CPUs",
	.is_of_cpu = true,
	.key = "state",
	.per_cpu = true,
	.events = idle_events,
	.create = kft_async_create,
	.feed = feed_idle,
	.flush = kft_async_flush,
	.destroy = kft_async_destroy,
};

/* A change ends the interval of the previous frequency, which is unknown at the first change. */
static int feed_frequency(const struct kft_interval_kind *kind, void *state,
			  const struct kft_kind_input *in,
			  const struct kft_interval_sink *sink)
{
	struct kft_interval i = kft_nested_pairs_interval(kind, in->fields[0], in);

	i.cpu = (uint32_t)in->fields[1];
	return kft_async_next(state, in->fields[1], &i, in, sink);
}

static void frequency_name(struct kft_trace *t, uint64_t khz, struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "%" PRIu64 " kHz", khz);
}

static const struct kft_kind_event frequency_events[] = {
	{"power", "cpu_frequency", {"state", "cpu_id"}},
	{},
};

const struct kft_interval_kind kft_kind_frequency = {
	.name = "frequency",
	.group = "power",
	.about = "frequencies of CPUs",
	.is_of_cpu = true,
	.key = "frequency",
	.events = frequency_events,
	.key_name = frequency_name,
	.create = kft_async_create,
	.feed = feed_frequency,
	.flush = kft_async_flush,
	.destroy = kft_async_destroy,
};
