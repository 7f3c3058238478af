// SPDX-License-Identifier: LGPL-2.1-or-later
/* Detects waits for a CPU quota, from the timer that begins its periods. */
#include "analysis/why/quota.h"

#include <stdlib.h>

/*
 * Maximum times from the start of a period until a task runs that the quota held back: on
 * a free CPU, and behind other tasks.
 */
#define NEAR_NS UINT64_C(300000)
#define TURN_NS UINT64_C(10000000)
/* Waits, or periods, that have to agree before a quota is the explanation. */
#define TIMES_MIN 3
/* Periods that are compared on either side of one, including those of other cgroups. */
#define PERIODS_NEAR 64

/* Whether a state is a long wait of a runnable task for a CPU. */
static bool is_kept_off(const struct kft_interval *state)
{
	return kft_why_is_ready(state) && !(state->flags & KFT_INTERVAL_NOT_ENDED) &&
	       state->end_ns - state->begin_ns > KFT_WHY_LONG_WAIT_NS;
}

/* The last period that began in a wait, at most TURN_NS before its end; 0: there is none. */
static uint64_t period_before_turn(const struct kft_why_facts *f,
				   const struct kft_interval *state)
{
	size_t n = kft_vec_count_until(&f->periods, ts, state->end_ns);
	uint64_t ts = n ? f->periods.data[n - 1].ts : 0;

	return ts >= state->begin_ns && state->end_ns - ts <= TURN_NS ? ts : 0;
}

/*
 * A task that a new period releases may have to wait its turn behind other tasks. One
 * such wait proves nothing, but if nearly all long waits of the task end like this, the
 * quota is the cause.
 */
static bool waits_for_periods(const struct kft_why_facts *f,
			      const struct kft_why_task *task)
{
	size_t near = 0;
	size_t far = 0;

	kft_vec_for_each(&task->states, state) {
		if (!is_kept_off(state))
			continue;
		if (period_before_turn(f, state))
			near++;
		else
			far++;
	}
	return near >= TIMES_MIN && near >= 4 * far;
}

/* The time in ns that a task ran from begin to end. */
static uint64_t ran_between(const struct kft_why_task *task, uint64_t begin, uint64_t end)
{
	size_t i = kft_vec_count_until(&task->states, begin_ns, begin);
	uint64_t ran = 0;

	for (i -= i > 0; i < task->states.len && task->states.data[i].begin_ns < end;
	     i++) {
		const struct kft_interval *state = &task->states.data[i];
		uint64_t since = KFT_MAX(state->begin_ns, begin);
		uint64_t until = KFT_MIN(state->end_ns, end);

		if (kft_why_is_running(state) && since < until)
			ran += until - since;
	}
	return ran;
}

/* The time in ns that a task ran in the period before `period`; 0: no wait at its end. */
static uint64_t used_before(const struct kft_why_facts *f,
			    const struct kft_why_task *task,
			    const struct kft_why_period *period)
{
	uint64_t next;
	const struct kft_interval *state = kft_why_state_at(task, period->ts, &next);

	if (!state || !is_kept_off(state))
		return 0;
	for (const struct kft_why_period *p = period; p > f->periods.data; p--)
		if (p[-1].id == period->id)
			return ran_between(task, p[-1].ts, period->ts);
	return 0;
}

static bool is_same(uint64_t a, uint64_t b)
{
	return a + a / 16 >= b && b + b / 16 >= a;
}

static int compare_times(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa;
	uint64_t b = *(const uint64_t *)pb;

	return a < b ? -1 : a > b;
}

/*
 * The time in ns that a task used in each of several periods of a quota near this one; 0:
 * there is no such quota. A task that ran for the same time and was kept off at the end
 * of each period used the quota up: by chance the times would differ.
 */
static uint64_t quota_near(const struct kft_why_facts *f, const struct kft_why_task *task,
			   const struct kft_why_period *period)
{
	uint64_t used[2 * PERIODS_NEAR];
	size_t at = (size_t)(period - f->periods.data);
	size_t end = KFT_MIN(at + PERIODS_NEAR, f->periods.len);
	size_t n = 0;

	for (size_t i = at - KFT_MIN(at, (size_t)PERIODS_NEAR); i < end; i++) {
		const struct kft_why_period *other = &f->periods.data[i];

		used[n] = other->id == period->id ? used_before(f, task, other) : 0;
		n += used[n] > 0;
	}
	qsort(used, n, sizeof(*used), compare_times);
	for (size_t i = TIMES_MIN - 1; i < n; i++)
		if (is_same(used[i], used[i - (TIMES_MIN - 1)]))
			return used[i];
	return 0;
}

/* Whether a wait that ends at `end` was a wait for the start of `period`. */
static bool waits_for(const struct kft_why_facts *f, const struct kft_why_task *task,
		      const struct kft_why_period *period, uint64_t end)
{
	uint64_t quota = quota_near(f, task, period);

	return quota && (end - period->ts <= TURN_NS ||
			 is_same(used_before(f, task, period), quota));
}

uint64_t kft_why_throttled_until(const struct kft_why_facts *f,
				 const struct kft_why_task *task,
				 const struct kft_interval *state)
{
	size_t n = kft_vec_count_until(&f->periods, ts, state->end_ns);
	const struct kft_why_period *last = n ? &f->periods.data[n - 1] : NULL;

	if (!last || last->ts < state->begin_ns || !is_kept_off(state))
		return 0;
	if (state->end_ns - last->ts <= NEAR_NS)
		return state->end_ns;
	for (; n && f->periods.data[n - 1].ts >= state->begin_ns; n--)
		if (waits_for(f, task, &f->periods.data[n - 1], state->end_ns))
			return f->periods.data[n - 1].ts;
	return waits_for_periods(f, task) ? period_before_turn(f, state) : 0;
}
