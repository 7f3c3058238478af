// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "base/pool.h"

#define N_JOBS 2000

struct counted {
	struct kft_job job;
	unsigned int runs;
	unsigned int worker;
};

static void count(struct kft_job *job, unsigned int worker)
{
	struct counted *c = container_of(job, struct counted, job);

	c->runs++;
	c->worker = worker;
}

static struct counted jobs[N_JOBS];

static void submit_all(struct kft_pool *p)
{
	memset(jobs, 0, sizeof(jobs));
	for (size_t i = 0; i < N_JOBS; i++) {
		jobs[i].job.run = count;
		kft_pool_submit(p, &jobs[i].job);
	}
}

static void every_job_runs_once(void **state)
{
	_cleanup_(kft_pool_destroyp) struct kft_pool *p = NULL;

	(void)state;
	assert_int_equal(kft_pool_create(4, &p), 0);
	submit_all(p);
	/* The last first: a job may be waited for in any order. */
	for (size_t i = N_JOBS; i-- > 0;) {
		kft_pool_wait(p, &jobs[i].job);
		assert_int_equal(jobs[i].runs, 1);
		assert_true(jobs[i].worker <= kft_pool_threads(p));
	}
}

static void without_threads_the_waiter_works(void **state)
{
	_cleanup_(kft_pool_destroyp) struct kft_pool *p = NULL;

	(void)state;
	assert_int_equal(kft_pool_create(0, &p), 0);
	submit_all(p);
	assert_false(kft_pool_is_done(p, &jobs[0].job));
	for (size_t i = 0; i < N_JOBS; i++) {
		kft_pool_wait(p, &jobs[i].job);
		assert_int_equal(jobs[i].runs, 1);
		assert_int_equal(jobs[i].worker, 0);
	}
}

static void what_is_cancelled_has_run_or_never_does(void **state)
{
	_cleanup_(kft_pool_destroyp) struct kft_pool *p = NULL;

	(void)state;
	assert_int_equal(kft_pool_create(2, &p), 0);
	submit_all(p);
	bool has_run[N_JOBS];
	for (size_t i = 0; i < N_JOBS; i++) {
		has_run[i] = kft_pool_cancel(p, &jobs[i].job);
		assert_int_equal(jobs[i].runs, has_run[i]);
	}
	/* Idle ones may be submitted again. */
	for (size_t i = 0; i < N_JOBS; i++)
		kft_pool_submit(p, &jobs[i].job);
	for (size_t i = 0; i < N_JOBS; i++) {
		kft_pool_wait(p, &jobs[i].job);
		assert_int_equal(jobs[i].runs, 1 + has_run[i]);
	}
}

static void idle_jobs_are_neither_waited_for_nor_done(void **state)
{
	_cleanup_(kft_pool_destroyp) struct kft_pool *p = NULL;
	struct counted c = {.job.run = count};

	(void)state;
	assert_int_equal(kft_pool_create(1, &p), 0);
	kft_pool_wait(p, &c.job);
	assert_false(kft_pool_is_done(p, &c.job));
	assert_false(kft_pool_cancel(p, &c.job));
	assert_int_equal(c.runs, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_job_runs_once),
		cmocka_unit_test(without_threads_the_waiter_works),
		cmocka_unit_test(what_is_cancelled_has_run_or_never_does),
		cmocka_unit_test(idle_jobs_are_neither_waited_for_nor_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
