// SPDX-License-Identifier: GPL-2.0-only
/* A file of sets: parsed, resolved on a small kernel, and made a plan. */
#include "fuzz.h"

#include "sets/choose.h"

static struct kft_catalog_entry events[] = {
	{.name = "sched:sched_switch"}, {.name = "irq:softirq_entry"}, {.name = "a:b"}};
static struct kft_catalog_entry functions[] = {{.name = "mutex_lock"}, {.name = "f"}};

static void plan(const kft_found_points *points)
{
	_cleanup_(kft_plan_finish) struct kft_plan p = {};
	struct kft_err e = {};
	int r = kft_sets_plan(points, &p, &e);

	FUZZ_ASSERT(r == 0 ? p.n_events + p.n_probes || p.functions.enabled ||
				     !points->len
			   : e.code == r && e.msg[0]);
}

static void resolve(struct kft_sets *sets, const struct kft_set_kernel *k)
{
	kft_vec_for_each(&sets->list, set) {
		kft_found_points points = {};
		struct kft_err e = {};
		int r = kft_sets_resolve(sets, set, k, &points, &e);

		FUZZ_ASSERT(r == 0 || (e.code == r && e.msg[0]));
		if (r == 0)
			plan(&points);
		kft_vec_finish(&points);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kft_sets_finish) struct kft_sets sets = {};
	struct kft_set_kernel k = {.has_kprobes = size & 1, .has_functions = size & 2};
	struct kft_err e = {};
	int r = kft_sets_parse(&sets, "fuzz", (const char *)data, size, &e);

	FUZZ_ASSERT(r == 0 || (e.code == r && e.msg[0]));
	/* Each set is resolved: many sets of many points take their square. */
	if (r < 0 || sets.list.len > 20)
		return 0;
	k.events.entries.data = events;
	k.events.entries.len = ARRAY_SIZE(events);
	k.functions.entries.data = functions;
	k.functions.entries.len = size & 4 ? ARRAY_SIZE(functions) : 0;
	FUZZ_ASSERT(kft_set_kernel_index(&k) == 0);
	resolve(&sets, &k);
	kft_map_finish(&k.by_name);
	return 0;
}
