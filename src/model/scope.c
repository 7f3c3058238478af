// SPDX-License-Identifier: LGPL-2.1-or-later
/* Applies scopes to batches of events. */
#include "model/scope.h"

#include "base/bits.h"
#include "base/err.h"

bool kft_scope_has_cpu(const struct kft_scope *scope, uint32_t cpu)
{
	return !scope->cpus || (cpu < scope->n_cpus && kft_bits_has(scope->cpus, cpu));
}

uint64_t kft_lost_add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return kft_add(a, b, &sum) ? KFT_LOST_UNKNOWN : sum;
}

static bool is_wanted_task(const struct kft_scope *scope, const struct kft_event *ev)
{
	uint64_t pid;

	if (!scope->n_pids)
		return true;
	if (!scope->pid || !kft_event_int(ev, scope->pid, scope->swap, &pid))
		return false;
	for (size_t i = 0; i < scope->n_pids; i++)
		if (scope->pids[i] == (uint32_t)pid)
			return true;
	return false;
}

/* Whether events are chosen by CPU and id only, not by time, fields or task. */
static bool takes_by_id(const struct kft_scope *scope)
{
	return !scope->since && !scope->until && !scope->filters && !scope->n_pids;
}

/* Most streams skip unwanted events themselves, so that events are rarely moved here. */
static size_t keep_ids(const uint64_t *wanted, struct kft_event *evs, size_t len,
		       uint64_t *lost)
{
	size_t kept = 0;

	for (size_t i = 0; i < len; i++) {
		if (unlikely(*lost | evs[i].lost_before))
			evs[i].lost_before = *lost = kft_lost_add(*lost,
								  evs[i].lost_before);
		if (unlikely(!kft_id_wanted(wanted, evs[i].id)))
			continue;
		*lost = 0;
		if (unlikely(kept != i))
			evs[kept] = evs[i];
		kept++;
	}
	return kept;
}

bool kft_scope_filter(const struct kft_scope *scope, struct kft_event *evs, size_t *len,
		      uint64_t *lost)
{
	if (takes_by_id(scope)) {
		*len = keep_ids(scope->wanted, evs, *len, lost);
		return true;
	}
	size_t kept = 0;
	size_t late = 0;

	for (size_t i = 0; i < *len; i++) {
		struct kft_event ev = evs[i];

		if (ev.ts < scope->since) {
			/* The loss is before the requested time. */
			*lost = 0;
			continue;
		}
		if (scope->until && ev.ts > scope->until) {
			late++;
			continue;
		}
		*lost = kft_lost_add(*lost, ev.lost_before);
		if (!kft_id_wanted(scope->wanted, ev.id) ||
		    (scope->filters && !kft_filters_pass(scope->filters, &ev)) ||
		    !is_wanted_task(scope, &ev))
			continue;
		ev.lost_before = *lost;
		*lost = 0;
		evs[kept++] = ev;
	}
	bool past_end = late == *len;
	*len = kept;
	return !past_end;
}

/* Whether all events of a CPU are in scope. */
static bool takes_all(const struct kft_scope *scope)
{
	return !scope->wanted && takes_by_id(scope);
}

/* Whether each event that the stream returns is in scope, with its losses. */
static bool is_filtered(const struct kft_scope *scope, const struct kft_stream *s)
{
	return takes_by_id(scope) &&
	       (!scope->wanted || (s->ops->skips_unwanted && s->wanted == scope->wanted));
}

static void note_failure(struct kft_stream *s, int code)
{
	if (!s->damage_count)
		(void)kft_err_sys(&s->damage, code, "cannot read events of CPU %u",
				  s->cpu);
	s->damage_count++;
}

size_t kft_scope_fill(const struct kft_scope *scope, struct kft_stream *s,
		      struct kft_event *evs, size_t max, uint64_t *lost)
{
	for (;;) {
		int r = s->ops->fill(s, evs, max);
		size_t len = r;

		if (r < 0)
			note_failure(s, r);
		if (r == 0 && s->is_growing)
			return 0;
		if (r <= 0) {
			/*
			 * Adds the loss marks of filtered events that
			 * no later event can carry.
			 */
			s->lost_after = kft_lost_add(*lost, s->lost_after);
			*lost = 0;
			return 0;
		}
		atomic_fetch_add_explicit(s->whole ? &s->whole->n_read : &s->n_read, len,
					  memory_order_relaxed);
		if (!is_filtered(scope, s) && !kft_scope_filter(scope, evs, &len, lost))
			return 0;
		if (len)
			return len;
	}
}

bool kft_scope_count(const struct kft_scope *scope, struct kft_stream *s,
		     struct kft_counts *c)
{
	if (!s->ops->count || !takes_all(scope))
		return false;
	int r = s->ops->count(s, c);
	if (r < 0)
		note_failure(s, r);
	return true;
}

bool kft_scope_start(const struct kft_scope *scope, struct kft_stream *s)
{
	s->wanted = scope->wanted;
	int r = s->ops->rewind(s, scope->since);

	if (r < 0)
		note_failure(s, r);
	return r >= 0;
}
