// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the calls of a trace that were too deep to be recorded. */
#include "derive/too_deep.h"

#include "base/bits.h"
#include "derive/func_event.h"
#include "derive/nest.h"
#include "model/merge.h"
#include "model/overruns.h"

/* Marks the returns of calls; false when the trace describes none. */
static bool choose_exits(const struct kft_func_reader *reader, uint64_t *wanted)
{
	bool any = false;

	for (size_t i = 0; i < reader->n_classes; i++) {
		if (reader->classes[i].kind != KFT_FUNC_EVENT_EXIT)
			continue;
		kft_bits_add(wanted, reader->classes[i].id);
		any = true;
	}
	return any;
}

static int feed(struct kft_overruns *o, const struct kft_func_reader *reader,
		const struct kft_event *ev)
{
	struct kft_func_event fe;
	uint32_t missing;

	kft_func_event_read(reader, ev, &fe);
	if (fe.kind != KFT_FUNC_EVENT_EXIT || fe.depth > KFT_NEST_DEPTH_MAX)
		return 0;
	return kft_overruns_feed(o, kft_nest_key(fe.pid, ev->cpu), fe.depth, fe.overrun,
				 &missing);
}

int kft_too_deep_count(struct kft_trace *t, const struct kft_scope *scope, uint64_t *ret)
{
	_cleanup_(kft_overruns_finish) struct kft_overruns overruns = {};
	_cleanup_(kft_merge_destroyp) struct kft_merge *merge = NULL;
	struct kft_scope part = {};
	struct kft_func_reader reader;
	uint64_t wanted[ARRAY_SIZE(reader.wanted)] = {};
	const struct kft_event *ev;

	*ret = 0;
	kft_func_reader_init(&reader, t);
	if (!choose_exits(&reader, wanted))
		return 0;
	if (scope)
		part = (struct kft_scope){.since = scope->since,
					  .until = scope->until,
					  .cpus = scope->cpus,
					  .n_cpus = scope->n_cpus};
	part.wanted = wanted;
	int r = kft_merge_create(t, &part, &merge);

	while (r == 0 && (r = kft_merge_next(merge, &ev)) > 0)
		r = feed(&overruns, &reader, ev);
	*ret = overruns.count;
	return r < 0 ? r : 0;
}
