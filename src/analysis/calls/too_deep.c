// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the calls of a trace that were nested too deeply to be recorded. */
#include "analysis/calls/too_deep.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "base/bits.h"
#include "derive/calls/func_event.h"
#include "derive/calls/nest.h"
#include "model/merge.h"
#include "model/overruns.h"

static const struct kft_class *class_of_exits(struct kft_trace *t)
{
	return kft_class_table_find(&t->classes, "ftrace", "funcgraph_exit");
}

static void needs(struct kft_trace *t, const void *arg, uint64_t *wanted)
{
	kft_bits_add(wanted, class_of_exits(t)->id);
}

void kft_too_deep_search_init(struct kft_too_deep_search *s, struct kft_trace *t)
{
	const struct kft_class *cls = class_of_exits(t);
	const struct kft_field *f = cls ? kft_class_field(cls, "overrun") : NULL;

	*s = (struct kft_too_deep_search){};
	if (!f || (f->size != sizeof(uint32_t) && f->size != sizeof(uint64_t)))
		return;
	s->id = cls->id;
	s->offset = f->offset;
	s->end = f->offset + f->size;
}

/* Byte order does not matter for the question whether a number is 0. */
void kft_too_deep_search_feed(struct kft_too_deep_search *s, const struct kft_event *evs,
			      size_t n)
{
	/* Both halves of 8 bytes, or the same 4 bytes twice. */
	const uint32_t offset = s->offset;
	const uint32_t last = s->end - sizeof(uint32_t);
	uint32_t any = 0;

	for (const struct kft_event *ev = evs; ev < evs + n; ev++)
		if (ev->id == s->id && likely(ev->size >= s->end))
			any |= kft_load_u32(ev->data + offset, false) |
			       kft_load_u32(ev->data + last, false);
	s->found |= any != 0;
}

static int create(struct kft_trace *t, const void *arg, void **ret_state)
{
	struct kft_too_deep_search *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	kft_too_deep_search_init(s, t);
	*ret_state = s;
	return 0;
}

static int feed(void *state, const struct kft_event *evs, size_t n)
{
	kft_too_deep_search_feed(state, evs, n);
	return 0;
}

static int join(void *state, const void *later)
{
	struct kft_too_deep_search *s = state;

	s->found |= ((const struct kft_too_deep_search *)later)->found;
	return 0;
}

static const struct kft_analysis searching = {
	.by_stream = true,
	.needs = needs,
	.create = create,
	.feed = feed,
	.join = join,
	.destroy = free,
};

/*
 * Returns 1 if any return has an overrun count. Threads search the streams, because reading
 * in time order costs several times as much.
 */
static int search(struct kft_trace *t, const struct kft_scope *scope)
{
	const struct kft_analysis_opts how = {.scope = scope};
	struct kft_too_deep_search s;
	void *state;

	kft_too_deep_search_init(&s, t);
	if (!s.end)
		return 0;
	int r = kft_analysis_run(&searching, t, &how, &state, NULL);

	if (r < 0)
		return r;
	r = ((struct kft_too_deep_search *)state)->found;
	free(state);
	return r;
}

static int count(struct kft_overruns *o, const struct kft_func_reader *reader,
		 const struct kft_event *ev)
{
	struct kft_func_event fe;
	uint32_t missing;

	kft_func_event_read(reader, ev, &fe);
	if (fe.kind != KFT_FUNC_EVENT_EXIT || fe.depth > KFT_NEST_DEPTH_MAX)
		return 0;
	return kft_overruns_feed(o, kft_stack_key(fe.pid, ev->cpu), fe.depth, fe.overrun,
				 &missing);
}

/* Counts in time order, because a task's counter continues when it moves to another CPU. */
static int count_all(struct kft_trace *t, const struct kft_scope *scope, uint64_t *ret)
{
	_cleanup_(kft_overruns_finish) struct kft_overruns overruns = {};
	_cleanup_(kft_merge_destroyp) struct kft_merge *merge = NULL;
	struct kft_func_reader reader;
	const struct kft_event *ev;
	int r = kft_merge_create(t, scope, &merge);

	kft_func_reader_init(&reader, t);
	while (r == 0 && (r = kft_merge_next(merge, &ev)) > 0)
		r = count(&overruns, &reader, ev);
	*ret = overruns.count;
	return r < 0 ? r : 0;
}

int kft_too_deep_count(struct kft_trace *t, const struct kft_scope *scope,
		       const struct kft_too_deep_search *done, uint64_t *ret)
{
	uint64_t wanted[KFT_ID_WORDS] = {};
	struct kft_scope part = {};

	*ret = 0;
	if (scope)
		part = (struct kft_scope){.since = scope->since,
					  .until = scope->until,
					  .cpus = scope->cpus,
					  .n_cpus = scope->n_cpus};
	int r = done ? done->found : search(t, &part);

	if (r <= 0)
		return r;
	needs(t, NULL, wanted);
	part.wanted = wanted;
	return count_all(t, &part, ret);
}
