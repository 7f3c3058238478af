// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Timers: their functions while they run, and the delay of high-resolution timers. For
 * timers of the wheel the kernel records the delay only in jiffies, not in ns: it is
 * their value.
 */
#include <errno.h>
#include <stdlib.h>

#include "derive/engine/async.h"
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"
#include "derive/kinds/timer_passes.h"

enum { ARMED, EXPIRED, CANCELLED };

struct late {
	void *armed; /* owned: struct kft_async */
	/*
	 * Per CPU: 1 + the timer that was cancelled last in an interrupt. Some kernels
	 * record a cancel of each timer just before it expires; only the other cancels
	 * are real.
	 */
	KFT_VEC(uint64_t) cancelled;
	bool has_context; /* events have flags that show interrupts */
	struct kft_timer_passes *passes; /* owned */
};

static void destroy_late(void *state)
{
	struct late *l = state;

	if (l->armed)
		kft_async_destroy(l->armed);
	kft_vec_finish(&l->cancelled);
	kft_timer_passes_destroy(l->passes);
	free(l);
}

static int create_late(struct kft_trace *t, void **ret_state)
{
	struct late *l = calloc(1, sizeof(*l));

	if (!l)
		return -ENOMEM;
	int r = kft_async_create(t, &l->armed);

	l->passes = kft_timer_passes_create();
	if (r < 0 || !l->passes) {
		destroy_late(l);
		return -ENOMEM;
	}
	*ret_state = l;
	return 0;
}

static bool is_in_interrupt(const struct kft_kind_input *in)
{
	return in->flags & (KFT_FLAG_HARDIRQ | KFT_FLAG_SOFTIRQ | KFT_FLAG_NMI);
}

static int cancel(struct late *l, const struct kft_kind_input *in)
{
	if (l->has_context && !is_in_interrupt(in)) {
		kft_async_cancel(l->armed, in->fields[0]);
		return 0;
	}
	while (l->cancelled.len <= in->cpu)
		if (!kft_vec_push(&l->cancelled, UINT64_C(0)))
			return -ENOMEM;
	uint64_t *before = &l->cancelled.data[in->cpu];

	if (*before && *before != in->fields[0] + 1)
		kft_async_cancel(l->armed, *before - 1);
	*before = in->fields[0] + 1;
	return 0;
}

static void forget_cancelled(struct late *l, const struct kft_kind_input *in)
{
	if (in->cpu < l->cancelled.len && l->cancelled.data[in->cpu] == in->fields[0] + 1)
		l->cancelled.data[in->cpu] = 0;
}

/*
 * Until a timer expires, its begin_ns is the time for which it is set, on its own clock,
 * and its end_ns the time when it was set.
 */
static int arm(struct late *l, struct kft_interval *i, const struct kft_kind_input *in)
{
	forget_cancelled(l, in);
	i->begin_ns = in->fields[2];
	i->end_ns = in->ts;
	i->value = (int64_t)(in->fields[2] - in->fields[3]);
	return kft_async_begin(l->armed, in->fields[0], i, in, NULL);
}

/*
 * Whether a timer was set again after the recorded start, by a start that is not in the
 * trace: some kernels do not record the start of the tick when a CPU leaves idle. In this
 * case it expires before it may, or was due in the pass before.
 */
static bool is_set_again(const struct kft_interval *armed,
			 const struct kft_kind_input *in,
			 const struct kft_timer_pass *pass)
{
	uint64_t pass_ns = armed->cause.cpu == in->cpu ? pass->first_ns : pass->after_ns;

	return in->fields[2] < armed->begin_ns - (uint64_t)armed->value ||
	       (pass->now_ns > armed->begin_ns && pass_ns > armed->end_ns);
}

static int expire(struct late *l, struct kft_interval *i, const struct kft_kind_input *in,
		  const struct kft_interval_sink *sink)
{
	struct kft_interval armed;
	struct kft_timer_pass before;
	int r = kft_timer_passes_note(l->passes, in, in->fields[2], &before);

	if (r < 0)
		return r;
	l->has_context |= is_in_interrupt(in);
	forget_cancelled(l, in);
	if (kft_async_take(l->armed, in->fields[0], in, &armed)) {
		int64_t late = (int64_t)(in->fields[2] - armed.begin_ns);
		uint64_t due_ns = late > 0 ? in->ts - (uint64_t)late : in->ts;

		i->begin_ns = KFT_MAX(due_ns, KFT_MIN(armed.end_ns, in->ts));
		i->value = armed.value;
		i->cause = armed.cause;
		i->flags = armed.flags;
		if (is_set_again(&armed, in, &before))
			i->flags |= KFT_INTERVAL_LOSSES;
	} else {
		i->begin_ns = in->first_ts;
		i->cause = (struct kft_interval_cause){.pid = -1};
		i->flags = KFT_INTERVAL_BEGUN_BEFORE;
	}
	i->end_ns = in->ts;
	return sink->take(sink->arg, i);
}

/*
 * The interval from the time for which a timer is set to its expiry, on the clock that it
 * is set on: "now" is that clock at the interrupt. A timer that is set to a time in the
 * past is late from then on: clock_nanosleep() of a task that was stopped resumes with
 * the old time. The value is the slack that it allows, which is over when it is late.
 */
static int feed_late(const struct kft_interval_kind *kind, void *state,
		     const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink)
{
	if (in->event == CANCELLED)
		return cancel(state, in);
	struct kft_interval i = kft_nested_pairs_interval(kind, in->fields[1], in);

	return in->event == ARMED ? arm(state, &i, in) : expire(state, &i, in, sink);
}

/* A timer that has not expired yet is not late. */
static int flush_late(void *state, const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink)
{
	return 0;
}

static const struct kft_kind_event late_events[] = {
	[ARMED] = {"timer",
		   "hrtimer_start",
		   {"hrtimer", "function", "expires", "softexpires"}},
	[EXPIRED] = {"timer", "hrtimer_expire_entry", {"hrtimer", "function", "now"}},
	[CANCELLED] = {"timer", "hrtimer_cancel", {"hrtimer"}},
	{},
};

const struct kft_interval_kind kft_kind_hrtimer_late = {
	.name = "hrtimer-late",
	.group = "timer",
	.about = "timers of high resolution, from when they should have expired",
	.key = "function",
	.value = "slack_ns",
	.events = late_events,
	.key_name = kft_key_function,
	.create = create_late,
	.feed = feed_late,
	.flush = flush_late,
	.destroy = destroy_late,
};

static const struct kft_kind_event hrtimer_events[] = {
	{"timer", "hrtimer_expire_entry", {"hrtimer", "function"}, KFT_KIND_BEGINS},
	{"timer", "hrtimer_expire_exit", {"hrtimer"}, KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_hrtimer = {
	.name = "hrtimer",
	.group = "timer",
	.about = "functions of timers of high resolution",
	.key = "function",
	.per_cpu = true,
	.events = hrtimer_events,
	.pairs = {.n_ids = 1, .key = 1, .by_cpu = true},
	.key_name = kft_key_function,
	.create = kft_nested_pairs_create,
	.feed = kft_nested_pairs_by_cpu,
	.flush = kft_nested_pairs_flush,
	.destroy = kft_nested_pairs_destroy,
};

/* The value is the delay in jiffies; kernels before 5.0 do not record it. */
static int feed_timer(const struct kft_interval_kind *kind, void *state,
		      const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink)
{
	struct kft_interval i = kft_nested_pairs_interval(kind, in->fields[1], in);

	if (in->event == 0 && in->has[2] && in->has[3])
		i.value = (int64_t)(in->fields[2] - in->fields[3]);
	if (in->event == 0)
		return kft_nested_pairs_begin(state, in->cpu, in->fields[0], &i, in,
					      sink);
	i.key = KFT_INTERVAL_NO_KEY;
	return kft_nested_pairs_end(state, in->cpu, in->fields[0], &i, in, sink);
}

static const struct kft_kind_event timer_events[] = {
	{"timer", "timer_expire_entry", {"timer", "function", "?now", "?baseclk"}},
	{"timer", "timer_expire_exit", {"timer"}, KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_timer = {
	.name = "timer",
	.group = "timer",
	.about = "functions of timers of the wheel",
	.key = "function",
	.value = "late_jiffies",
	.per_cpu = true,
	.events = timer_events,
	.pairs = {.n_ids = 1, .key = 1, .by_cpu = true},
	.key_name = kft_key_function,
	.create = kft_nested_pairs_create,
	.feed = feed_timer,
	.flush = kft_nested_pairs_flush,
	.destroy = kft_nested_pairs_destroy,
};
