// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decides which of the recorded calls belong to a run. */
#include "analysis/cut/cut.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/cut/filter.h"
#include "analysis/cut/returns.h"
#include "analysis/cut/windows.h"
#include "base/err.h"
#include "base/map.h"
#include "model/merge.h"
#include "model/overruns.h"

/* Records of one run: 8 GB of them. */
#define EVENTS_MAX (UINT64_C(1) << 28)

struct scan {
	struct kft_trace *trace;
	const struct kft_plan *plan;
	const struct kft_cut_opts *opts;
	struct kft_cut *cut;
	struct kft_cut_reader events;
	struct kft_cut_windows windows;
	struct kft_cut_filter filter;
	struct kft_map pending; /* pid and depth -> index + 1 of the entry */
	/* When each event's call was entered; has_entered: only if it is needed. */
	KFT_VEC(uint64_t) entered;
	bool has_entered;
	struct kft_overruns overruns;
	struct kft_cut_returns exits; /* only if it is needed */
	/* pid -> index + 1 of the window that a call of the task opened and did not return */
	struct kft_map triggers;
	uint64_t trigger_func;
};

static uint64_t pending_key(const struct kft_cut_record *seen)
{
	return (uint64_t)(uint32_t)seen->pid << 16 | (seen->depth & 0xffff);
}

/* The window that a call entered before it has opened; NULL for any other call. */
static const struct kft_cut_window *opened_by(struct scan *s,
					      const struct kft_cut_record *seen)
{
	uint64_t *place = kft_map_get(&s->triggers, (uint32_t)seen->pid);

	/* Of several calls of the function that are open, the innermost returns first. */
	if (!place || !*place || !kft_cut_is_near(seen->func, s->trigger_func))
		return NULL;
	const struct kft_cut_window *w = &s->cut->windows.data[*place - 1];
	if (kft_cut_record_entry_ns(seen) >= w->start_ns)
		return NULL;
	*place = 0;
	return w;
}

/* Its entry was recorded in a window. */
static bool has_open_entry(struct scan *s, const struct kft_cut_record *seen)
{
	const uint64_t *place = kft_map_get(&s->pending, pending_key(seen));

	return place && *place && s->cut->verdicts.data[*place - 1] == KFT_VERDICT_OPEN;
}

/*
 * The window that a call was entered in; NULL: in none. The record of an entry is a little
 * later than the entry: a window can have begun in between.
 */
static const struct kft_cut_window *entered_in(struct scan *s,
					       const struct kft_cut_record *seen)
{
	const struct kft_cut_window *next = NULL;
	uint64_t entry = kft_cut_record_entry_ns(seen);

	for (size_t i = s->cut->windows.len; i-- > 0;) {
		const struct kft_cut_window *w = &s->cut->windows.data[i];

		if (entry > w->stop_ns)
			break;
		if (entry >= w->start_ns)
			return w;
		next = w;
	}
	return next && has_open_entry(s, seen) ? next : opened_by(s, seen);
}

static enum kft_verdict judge_exit(struct scan *s, const struct kft_cut_record *seen)
{
	const struct kft_cut_window *w = entered_in(s, seen);
	bool is_beyond = !w && s->windows.limit.cause == KFT_CAUSE_ENTRIES &&
			 kft_cut_record_entry_ns(seen) > s->windows.limit.ns;

	if (w)
		return kft_cut_filter_call(&s->filter, seen,
					   seen->ev->ts > w->stop_ns ? KFT_VERDICT_LATE
								     : KFT_VERDICT_CALL);
	if (is_beyond &&
	    kft_cut_filter_call(&s->filter, seen, KFT_VERDICT_CALL) == KFT_VERDICT_CALL)
		return KFT_VERDICT_BEYOND;
	return s->windows.is_open &&
			       seen->ev->ts >= kft_cut_windows_last(&s->windows)->start_ns
		       ? KFT_VERDICT_EARLIER
		       : KFT_VERDICT_OUTSIDE;
}

static bool is_kept_exit(uint8_t verdict)
{
	return verdict == KFT_VERDICT_CALL || verdict == KFT_VERDICT_LATE;
}

/*
 * With overwrite a call and its entry are kept or dropped by one time. That of the entry's
 * record is the better one, because the exit can be recorded late.
 */
static void share_time(struct scan *s, size_t entry, size_t exit)
{
	if (s->has_entered && s->plan->overwrite)
		s->entered.data[exit] = s->entered.data[entry];
}

/* The entry shares the fate of its call. */
static void settle_entry(struct scan *s, const struct kft_cut_record *seen,
			 enum kft_verdict exit, size_t at)
{
	uint64_t *place = kft_map_get(&s->pending, pending_key(seen));

	if (!place || !*place)
		return;
	uint8_t *entry = &s->cut->verdicts.data[*place - 1];
	share_time(s, *place - 1, at);
	*place = 0;
	if (*entry == KFT_VERDICT_OPEN || exit == KFT_VERDICT_BEYOND)
		*entry = is_kept_exit(exit) ? KFT_VERDICT_ENTRY : KFT_VERDICT_HALF;
}

/* Idle tasks, which share pid 0, have a stack for each CPU. */
static int count_too_deep(struct scan *s, const struct kft_cut_record *seen)
{
	uint64_t stack = seen->pid ? (uint32_t)seen->pid
				   : UINT64_C(1) << 32 | seen->ev->cpu;
	uint32_t n;
	int r = kft_overruns_feed(&s->overruns, stack, seen->depth, seen->overrun, &n);

	if (r == 0 && s->windows.is_open && kft_cut_filter_wants_task(&s->filter, seen))
		s->cut->too_deep += n;
	return r;
}

static int feed_exit(struct scan *s, const struct kft_cut_record *seen, size_t at,
		     uint8_t *ret)
{
	enum kft_verdict v = judge_exit(s, seen);
	int r = s->plan->stop.kind == KFT_TRIGGER_EXIT
			? kft_cut_returns_add(&s->exits, seen, at)
			: 0;

	if (r == 0)
		r = count_too_deep(s, seen);
	if (r < 0)
		return r;
	if (s->has_entered)
		s->entered.data[at] = kft_cut_record_entry_ns(seen);
	settle_entry(s, seen, v, at);
	*ret = v;
	return 0;
}

static int feed_entry(struct scan *s, const struct kft_cut_record *seen, size_t at,
		      uint8_t *ret)
{
	uint64_t *place = kft_map_put(&s->pending, pending_key(seen));

	if (!place)
		return -ENOMEM;
	*place = at + 1;
	*ret = s->windows.is_open
		       ? kft_cut_filter_place(&s->filter, seen, KFT_VERDICT_OPEN)
		       : KFT_VERDICT_OUTSIDE;
	return 0;
}

static int feed_start(struct scan *s, const struct kft_cut_record *seen, uint8_t *ret)
{
	*ret = KFT_VERDICT_MARK;
	if (s->windows.is_open || s->windows.is_over) {
		/* The function was called again while recording: no start. */
		*ret = s->windows.is_open ? KFT_VERDICT_MARK : KFT_VERDICT_OUTSIDE;
		return 0;
	}
	int r = kft_cut_windows_open(&s->windows, seen->ev->ts, KFT_CAUSE_TRIGGER);

	if (r < 0 || !s->windows.is_open || s->plan->start.kind != KFT_TRIGGER_ENTRY)
		return r;
	uint64_t *place = kft_map_put(&s->triggers, (uint32_t)seen->pid);
	if (!place)
		return -ENOMEM;
	*place = s->cut->windows.len;
	s->trigger_func = seen->func;
	return 0;
}

/* What was recorded between the function's return and the probe that noticed it. */
static void drop_since(struct scan *s, size_t at, uint64_t stop_ns)
{
	for (size_t i = at + 1; i < s->cut->verdicts.len; i++) {
		uint8_t *v = &s->cut->verdicts.data[i];

		if (*v >= KFT_VERDICT_MARK)
			continue;
		if (is_kept_exit(*v) && s->entered.data[i] <= stop_ns) {
			*v = KFT_VERDICT_LATE;
			continue;
		}
		*v = KFT_VERDICT_OUTSIDE;
	}
}

static void feed_stop(struct scan *s, const struct kft_cut_record *seen, uint8_t *ret)
{
	*ret = s->windows.is_open ? KFT_VERDICT_MARK : KFT_VERDICT_OUTSIDE;
	if (!s->windows.is_open)
		return;
	uint64_t stop_ns = seen->ev->ts;
	const struct kft_cut_return *exit = kft_cut_returns_find(&s->exits, seen);

	if (exit && exit->ts >= kft_cut_windows_last(&s->windows)->start_ns) {
		stop_ns = exit->ts;
		drop_since(s, exit->at, stop_ns);
	}
	kft_cut_windows_close(&s->windows, stop_ns, KFT_CAUSE_TRIGGER);
}

static int feed_print(struct scan *s, const struct kft_cut_record *seen, uint8_t *ret)
{
	const struct kft_cut_mark mark = kft_cut_record_mark(&s->events, seen);

	*ret = mark.kind || s->windows.is_open ? KFT_VERDICT_MARK : KFT_VERDICT_OUTSIDE;
	return kft_cut_windows_mark(&s->windows, seen->ev->ts, &mark);
}

static int feed(struct scan *s, const struct kft_event *ev)
{
	size_t at = s->cut->verdicts.len;

	if (s->opts->window && !s->cut->windows.len &&
	    ev->ts >= s->opts->window->start_ns &&
	    kft_cut_windows_open_given(&s->windows, *s->opts->window) < 0)
		return -ENOMEM;
	uint8_t verdict = s->windows.is_open ? KFT_VERDICT_MARK : KFT_VERDICT_OUTSIDE;
	struct kft_cut_record seen;
	int r = 0;

	if (kft_cut_windows_pass(&s->windows, ev->ts))
		verdict = KFT_VERDICT_OUTSIDE;
	while (s->cut->events.len <= ev->cpu)
		if (!kft_vec_push(&s->cut->events, 0))
			return -ENOMEM;
	s->cut->events.data[ev->cpu]++;
	if (!kft_vec_push(&s->cut->verdicts, verdict) ||
	    (s->has_entered && !kft_vec_push(&s->entered, ev->ts)))
		return -ENOMEM;
	if (!kft_cut_record_read(&s->events, ev, &seen))
		return 0;
	switch (seen.kind) {
	case KFT_CUT_ENTRY:
		r = feed_entry(s, &seen, at, &verdict);
		break;
	case KFT_CUT_EXIT:
		r = feed_exit(s, &seen, at, &verdict);
		break;
	case KFT_CUT_START:
		r = feed_start(s, &seen, &verdict);
		break;
	case KFT_CUT_STOP:
		feed_stop(s, &seen, &verdict);
		break;
	case KFT_CUT_PRINT:
		r = feed_print(s, &seen, &verdict);
		break;
	case KFT_CUT_KINDS:
		break;
	}
	s->cut->verdicts.data[at] = verdict;
	return r;
}

static int feed_all(struct scan *s)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	uint64_t last_ns = 0;
	int r = kft_merge_create(s->trace, NULL, &m);

	while (r == 0 && (r = kft_merge_next(m, &ev)) > 0) {
		if (!s->cut->verdicts.len)
			r = kft_cut_windows_open_without_start(&s->windows, s->opts,
							       ev->ts);
		else
			r = s->cut->verdicts.len < EVENTS_MAX ? 0 : -EFBIG;
		if (r == 0)
			r = feed(s, ev);
		last_ns = r == 0 ? ev->ts : last_ns;
	}
	/* An event leaves no record of the stop: recording was off behind it. */
	if (r == 0 && s->windows.is_open && s->plan->stop.kind == KFT_TRIGGER_EVENT &&
	    s->opts->stopped == KFT_CAUSE_TRIGGER)
		kft_cut_windows_close(&s->windows, last_ns, KFT_CAUSE_TRIGGER);
	return r;
}

static bool dropped_events(const struct kft_meta *m, uint32_t cpu)
{
	kft_vec_for_each(&m->stats, stat)
		if (stat->cpu == cpu && stat->dropped_events)
			return true;
	return false;
}

/*
 * When a buffer is full its CPU records no more while the others go on: what they have
 * after the last record of that CPU is no whole picture any more.
 */
static int find_full(struct kft_trace *t, const struct kft_cut_opts *opts,
		     struct kft_cut_limit *limit)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	_cleanup_(kft_map_finish) struct kft_map last = {};
	const struct kft_event *ev;

	if (opts->stopped != KFT_CAUSE_FULL)
		return 0;
	limit->cause = KFT_CAUSE_FULL;
	int r = kft_merge_create(t, NULL, &m);
	while (r == 0 && (r = kft_merge_next(m, &ev)) > 0) {
		uint64_t *place = kft_map_put(&last, ev->cpu);

		if (place)
			*place = ev->ts;
		r = place ? 0 : -ENOMEM;
	}
	for (uint32_t cpu = 0; r == 0 && cpu < t->meta.cpu_count; cpu++) {
		const uint64_t *place = kft_map_get(&last, cpu);

		if (place && dropped_events(&t->meta, cpu))
			limit->ns = KFT_MIN(limit->ns, *place);
	}
	return r;
}

static int compare_ns(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

typedef KFT_VEC(uint64_t) entries_vec;

/* The times at which the calls were entered that are kept so far, the first one first. */
static int sort_entries(const struct scan *s, entries_vec *ret)
{
	for (size_t i = 0; i < s->cut->verdicts.len; i++) {
		uint8_t v = s->cut->verdicts.data[i];

		if ((is_kept_exit(v) || v == KFT_VERDICT_OPEN) &&
		    !kft_vec_push(ret, s->entered.data[i]))
			return -ENOMEM;
	}
	if (ret->len)
		qsort(ret->data, ret->len, sizeof(*ret->data), compare_ns);
	return 0;
}

/* Drops the calls that were entered up to a time, and the records of their entries. */
static void drop_entered_until(struct scan *s, uint64_t ns)
{
	for (size_t i = 0; i < s->cut->verdicts.len; i++) {
		uint8_t *v = &s->cut->verdicts.data[i];

		if (*v < KFT_VERDICT_MARK && s->entered.data[i] <= ns)
			*v = KFT_VERDICT_BEYOND;
	}
}

/*
 * KFT's log is full when a call is entered that it has no room for: that is a limit. With
 * overwrite the calls entered last are kept. Calls that were entered at the same time as one
 * that has no room are dropped with it: there are never more than logentries.
 */
static int apply_logentries(struct scan *s, struct kft_cut_limit *limit)
{
	uint64_t max = s->plan->functions.max_calls;
	entries_vec entries = {};
	int r = sort_entries(s, &entries);

	if (r == 0 && entries.len > max) {
		if (s->plan->overwrite)
			drop_entered_until(s, entries.data[entries.len - max - 1]);
		else
			*limit = (struct kft_cut_limit){entries.data[max] - 1,
							KFT_CAUSE_ENTRIES};
	}
	kft_vec_finish(&entries);
	return r;
}

static void scan_finish(struct scan *s)
{
	kft_map_finish(&s->pending);
	kft_overruns_finish(&s->overruns);
	kft_map_finish(&s->triggers);
	kft_cut_returns_finish(&s->exits);
	kft_cut_filter_finish(&s->filter);
	kft_vec_finish(&s->entered);
}

/* Up to the limit, which becomes less when the log is full before. */
static int scan(struct kft_trace *t, const struct kft_cut_opts *opts,
		struct kft_cut_limit *limit, struct kft_cut *cut)
{
	const struct kft_plan_functions *f = &opts->plan->functions;
	_cleanup_(scan_finish) struct scan s = {
		.trace = t,
		.plan = opts->plan,
		.opts = opts,
		.cut = cut,
		.windows = {.plan = opts->plan, .cut = cut, .limit = *limit},
		.has_entered = f->max_calls || opts->plan->stop.kind == KFT_TRIGGER_EXIT,
	};

	kft_cut_reader_init(&s.events, t, opts->probe_group);
	int r = kft_cut_filter_init(&s.filter, t, opts->plan, opts->tasks_filtered);
	if (r == 0)
		r = feed_all(&s);
	return r == 0 && f->max_calls ? apply_logentries(&s, limit) : r;
}

static uint64_t find_taken(const struct kft_trace *t, const struct kft_cut *cut)
{
	uint64_t taken = 0;

	kft_vec_for_each(&t->meta.stats, stat) {
		uint64_t here = stat->cpu < cut->events.len ? cut->events.data[stat->cpu]
							    : 0;

		if (stat->read_events > here)
			taken += stat->read_events - here;
	}
	return taken;
}

int kft_cut_decide(struct kft_trace *t, const struct kft_cut_opts *opts,
		   struct kft_cut *ret, struct kft_err *e)
{
	struct kft_cut cut = {};
	struct kft_cut_limit limit = {.ns = UINT64_MAX};
	int r = find_full(t, opts, &limit);

	if (r == 0)
		r = scan(t, opts, &limit, &cut);
	bool start_missing = !cut.windows.len && opts->started != KFT_CAUSE_NONE &&
			     limit.cause != KFT_CAUSE_FULL;
	if (r == 0 && (start_missing || limit.cause == KFT_CAUSE_ENTRIES)) {
		kft_cut_finish(&cut);
		cut = (struct kft_cut){.start_missing = start_missing};
		r = scan(t, opts, &limit, &cut);
	}
	if (r < 0) {
		kft_cut_finish(&cut);
		return kft_err_sys(e, r, "cannot judge the records");
	}
	kft_vec_for_each(&cut.verdicts, v)
		cut.counts[*v]++;
	cut.taken = find_taken(t, &cut);
	*ret = cut;
	return 0;
}

void kft_cut_finish(struct kft_cut *cut)
{
	kft_vec_finish(&cut->verdicts);
	kft_vec_finish(&cut->windows);
	kft_vec_finish(&cut->events);
}
