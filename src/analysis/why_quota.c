// SPDX-License-Identifier: LGPL-2.1-or-later
/* When a CPU quota held a task back, as far as the timer of its periods tells. */
#include "analysis/why_quota.h"

#include <stdlib.h>

/* The tasks run that were held back, at once or when it is their turn. */
#define NEAR_NS UINT64_C(300000)
#define TURN_NS UINT64_C(10000000)
/* So many times make a rule. */
#define TIMES_MIN 3
/* Periods that are looked at on either side of one; other groups have theirs among them. */
#define PERIODS_NEAR 64

/* A task that could run for long and did not. */
static bool is_kept_off(const struct kft_interval *state)
{
	return kft_why_is_ready(state) && !(state->flags & KFT_INTERVAL_NOT_ENDED) &&
	       state->end_ns - state->begin_ns > KFT_WHY_LONG_WAIT_NS;
}

/* The last period that began within a state and its task's turn after that; 0: none did. */
static uint64_t period_before_turn(const struct kft_why_facts *f,
				   const struct kft_interval *state)
{
	size_t n = kft_vec_count_until(&f->periods, ts, state->end_ns);
	uint64_t ts = n ? f->periods.data[n - 1].ts : 0;

	return ts >= state->begin_ns && state->end_ns - ts <= TURN_NS ? ts : 0;
}

/*
 * Where other tasks want the CPU, a task that is let on again by a new period may have to wait
 * for its turn. Once says nothing: but when nearly all of its long waits end like this it is
 * the quota.
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

/* How long a task ran from begin to end. */
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

/* How long a task ran in the period before one; 0: it was not kept off at its end. */
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
 * A task that ran for the same time in several periods of a quota, and was kept off at the end
 * of each, has used the quota up: by chance it would be more in one and less in another. The
 * time; 0: there is no such quota.
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

/* Whether what a task waits for until end is the period. */
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
