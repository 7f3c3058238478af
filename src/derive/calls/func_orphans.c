// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the exits of calls without a recorded entry. */
#include "derive/calls/func_orphans.h"

#include <errno.h>
#include <stdlib.h>

#include "derive/calls/call_match.h"
#include "derive/calls/nest.h"

struct kft_func_stack {
	KFT_VEC(struct kft_call_id) calls; /* the innermost last */
};

void kft_func_orphans_finish(struct kft_func_orphans *o)
{
	kft_vec_for_each(&o->stacks, stack)
		kft_vec_finish(&stack->calls);
	kft_vec_finish(&o->stacks);
	kft_map_finish(&o->by_key);
	kft_vec_finish(&o->list);
	kft_vec_finish(&o->aheads);
}

static struct kft_func_stack *get_stack(struct kft_func_orphans *o, int32_t pid,
					uint32_t cpu)
{
	return kft_keyed_put(&o->stacks, &o->by_key, kft_stack_key(pid, cpu),
			     (struct kft_func_stack){});
}

/*
 * Removes the calls that a record shows to be over; true: it is the return of one of
 * them.
 */
static bool leave(const struct kft_func_orphans *o, struct kft_func_stack *s,
		  struct kft_call_id record, bool is_return)
{
	enum kft_call_match match = KFT_MATCH_LEFT;

	while (s->calls.len && match == KFT_MATCH_LEFT) {
		match = kft_call_match(o->symbols, s->calls.data[s->calls.len - 1],
				       record, is_return);
		s->calls.len -= match != KFT_MATCH_GOES_ON;
	}
	return match == KFT_MATCH_ENDS;
}

static int keep_ahead(struct kft_func_orphans *o, int64_t ahead)
{
	if (o->n_ahead % KFT_AHEAD_EXITS == 0)
		return kft_vec_push(&o->aheads, ahead) ? 0 : -ENOMEM;
	int64_t *least = &o->aheads.data[o->aheads.len - 1];

	*least = KFT_MIN(*least, ahead);
	return 0;
}

static int note_ahead(struct kft_func_orphans *o, int64_t ahead)
{
	int r = keep_ahead(o, ahead);

	if (r < 0)
		return r;
	if (!o->n_ahead || ahead < o->next_ahead_ns)
		o->next_ahead_ns = ahead;
	if (o->n_ahead < KFT_AHEAD_EXITS)
		o->ahead_ns = o->next_ahead_ns;
	else
		o->ahead_ns = KFT_MIN(o->ahead_ns, ahead);
	if (++o->n_ahead % KFT_AHEAD_EXITS)
		return 0;
	o->ahead_ns = o->next_ahead_ns;
	o->next_ahead_ns = INT64_MAX;
	return 0;
}

uint64_t kft_func_orphans_return(const struct kft_func_orphans *o, size_t nth,
				 uint64_t ts, uint64_t return_ns)
{
	size_t i = nth / KFT_AHEAD_EXITS;

	if (i >= o->aheads.len)
		return ts;
	int64_t ahead = o->aheads.data[i];

	/* The last group may have few exits, all of them late because of preemption. */
	if (i)
		ahead = KFT_MIN(ahead, o->aheads.data[i - 1]);
	return KFT_MIN(return_ns + (uint64_t)ahead, ts);
}

static int add_orphan(struct kft_func_orphans *o, uint64_t ts, uint32_t cpu,
		      const struct kft_func_event *fe)
{
	uint64_t entry_ns = fe->call_ns + (uint64_t)o->ahead_ns;
	struct kft_func_orphan orphan = {
		.entry_ns = fe->call_ns <= fe->return_ns ? KFT_MIN(entry_ns, ts) : ts,
		.cpu = cpu,
		.exit = *fe,
	};

	if (o->list.len >= KFT_CALLS_MAX)
		return -E2BIG;
	return kft_vec_push(&o->list, orphan) ? 0 : -ENOMEM;
}

int kft_func_orphans_feed(struct kft_func_orphans *o, uint64_t ts, uint32_t cpu,
			  const struct kft_func_event *fe)
{
	bool is_entry = fe->kind == KFT_FUNC_EVENT_ENTRY;

	if ((!is_entry && fe->kind != KFT_FUNC_EVENT_EXIT) ||
	    fe->depth > KFT_NEST_DEPTH_MAX)
		return 0;
	struct kft_func_stack *s = get_stack(o, fe->pid, cpu);

	if (!s)
		return -ENOMEM;
	const struct kft_call_id record = {fe->func, fe->depth, fe->context};
	bool ends = leave(o, s, record, !is_entry);

	if (is_entry)
		return kft_vec_push(&s->calls, record) ? 0 : -ENOMEM;
	int r = note_ahead(o, ts - fe->return_ns);

	return r < 0 || ends ? r : add_orphan(o, ts, cpu, fe);
}

/* Orders by entry time on the tracer's clock, then by depth, the caller first. */
static int compare(const void *pa, const void *pb)
{
	const struct kft_func_event *a = &((const struct kft_func_orphan *)pa)->exit;
	const struct kft_func_event *b = &((const struct kft_func_orphan *)pb)->exit;

	if (a->call_ns != b->call_ns)
		return a->call_ns < b->call_ns ? -1 : 1;
	return a->depth < b->depth ? -1 : a->depth > b->depth;
}

void kft_func_orphans_settle(struct kft_func_orphans *o)
{
	if (!o->list.len)
		return;
	qsort(o->list.data, o->list.len, sizeof(*o->list.data), compare);
	/* A caller is entered first, even if the clocks were compared inexactly. */
	for (size_t i = o->list.len - 1; i > 0; i--)
		o->list.data[i - 1].entry_ns = KFT_MIN(o->list.data[i - 1].entry_ns,
						       o->list.data[i].entry_ns);
}
