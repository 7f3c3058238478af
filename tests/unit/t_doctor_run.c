// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

#include "doctor/env.h"
#include "fake.h"

/* Mechanisms that end as real ones can; each leaves a change for others to undo. */
static void change(struct kft_doctor_env *env)
{
	if (kft_doctor_change_top(env, "tracing_thresh", "0", "777") < 0)
		_exit(1);
}

static void works(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	change(env);
	kft_doctor_yes(res, "in %s", env->inst);
}

static void dies(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	change(env);
	(void)raise(SIGKILL);
}

static void hangs(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	change(env);
	for (;;)
		(void)pause();
}

static void kills_its_parent(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	change(env);
	(void)kill(getppid(), SIGKILL);
}

static void learns(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	env->facts->func_line = 7;
}

static void knows(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	kft_doctor_yes(res, "%u", env->facts->func_line);
}

static const struct kft_mechanism does_work = {.id = "works", .run = works};

/* A row's limit. Only a row that hangs on purpose is to exceed it, even on a busy machine. */
static int timeout_ms;

static int run(const struct fake *f, const struct kft_mechanism *mechanisms, size_t n,
	       int stop_fd, struct kft_doctor_report *ret)
{
	struct kft_doctor_opts opts = {
		.host = f->host,
		.mechanisms = mechanisms,
		.n_mechanisms = n,
		.timeout_ms = timeout_ms,
		.stop_fd = stop_fd,
	};
	struct kft_err e = {};
	int r = kft_doctor_run(&opts, ret, &e);

	assert_int_equal(e.code, r);
	return r;
}

static int setup(void **state)
{
	if (fake_tracefs_setup(state))
		return -1;
	fake_write(*state, FAKE_TRACEFS "/tracing_thresh", "0\n");
	fake_write(*state, "run/exists", "");
	return 0;
}

/* The file holds "0" after an undo, and "0" with a newline if it was never written. */
static void assert_unchanged(const struct fake *f)
{
	const char *now = fake_read(f, FAKE_TRACEFS "/tracing_thresh");

	assert_int_equal(strtol(now, NULL, 10), 0);
	assert_int_equal(fake_instances(f), 0);
}

static void what_a_row_changed_is_put_back(void **state)
{
	struct fake *f = *state;
	struct kft_doctor_report report;
	char expect[64];

	assert_int_equal(run(f, &does_work, 1, -1, &report), 0);
	assert_int_equal(report.results[0].state, KFT_DOCTOR_YES);
	(void)snprintf(expect, sizeof(expect), "in kft-doctor-%d", getpid());
	assert_string_equal(report.results[0].detail, expect);
	assert_string_equal(report.left_over, "");
	assert_string_equal(fake_read(f, FAKE_TRACEFS "/tracing_thresh"), "0");
	assert_unchanged(f);
	kft_doctor_report_finish(&report);
}

static void one_that_dies_costs_one_row(void **state)
{
	static const struct kft_mechanism mechanisms[] = {
		{.id = "dies", .run = dies},
		{.id = "works", .run = works},
	};
	struct fake *f = *state;
	struct kft_doctor_report report;

	assert_int_equal(run(f, mechanisms, ARRAY_SIZE(mechanisms), -1, &report), 0);
	assert_int_equal(report.results[0].state, KFT_DOCTOR_UNKNOWN);
	assert_string_equal(report.results[0].detail, "trying it ended the process");
	assert_int_equal(report.results[1].state, KFT_DOCTOR_YES);
	assert_unchanged(f);
	kft_doctor_report_finish(&report);
}

/* The next row hangs as well: no other row can exceed the limit, however short it is. */
static void one_that_hangs_costs_one_row(void **state)
{
	static const struct kft_mechanism mechanisms[] = {
		{.id = "hangs", .run = hangs},
		{.id = "too", .run = hangs},
	};
	struct fake *f = *state;
	struct kft_doctor_report report;

	timeout_ms = 20;
	assert_int_equal(run(f, mechanisms, ARRAY_SIZE(mechanisms), -1, &report), 0);
	timeout_ms = 0;
	for (size_t i = 0; i < ARRAY_SIZE(mechanisms); i++) {
		assert_int_equal(report.results[i].state, KFT_DOCTOR_UNKNOWN);
		assert_int_equal(report.results[i].code, -ETIMEDOUT);
	}
	assert_unchanged(f);
	kft_doctor_report_finish(&report);
}

static void stopping_puts_everything_back(void **state)
{
	static const struct kft_mechanism mechanism = {.id = "hangs", .run = hangs};
	struct fake *f = *state;
	struct kft_doctor_report report;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "", 1), 1);
	assert_int_equal(run(f, &mechanism, 1, fds[0], &report), -EINTR);
	assert_unchanged(f);
	kft_doctor_report_finish(&report);
	(void)close(fds[0]);
	(void)close(fds[1]);
}

static void later_rows_know_what_earlier_ones_found(void **state)
{
	static const struct kft_mechanism mechanisms[] = {
		{.id = "learns", .run = learns},
		{.id = "knows", .run = knows},
	};
	struct kft_doctor_report report;

	assert_int_equal(run(*state, mechanisms, ARRAY_SIZE(mechanisms), -1, &report), 0);
	assert_string_equal(report.results[1].detail, "7");
	kft_doctor_report_finish(&report);
}

static void a_killed_doctor_is_cleaned_up_after(void **state)
{
	static const struct kft_mechanism mechanism = {.id = "kills",
						       .run = kills_its_parent};
	struct timespec nap = {.tv_nsec = 10000000};
	struct fake *f = *state;
	struct kft_doctor_report report;
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		(void)run(f, &mechanism, 1, -1, &report);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	/* The guard is not a child of this process: poll until it has done its work. */
	for (int i = 0; i < 500 && fake_instances(f); i++)
		(void)nanosleep(&nap, NULL);
	assert_unchanged(f);
}

static void without_tracefs_rows_can_still_run(void **state)
{
	struct fake *f = *state;
	struct kft_mechanism mechanisms[2] = {};
	struct kft_doctor_report report;

	for (size_t i = 0; i < kft_n_mechanisms; i++) {
		if (!strcmp(kft_mechanisms[i].id, "tracefs"))
			mechanisms[0] = kft_mechanisms[i];
		if (!strcmp(kft_mechanisms[i].id, "events"))
			mechanisms[1] = kft_mechanisms[i];
	}
	assert_int_equal(run(f, mechanisms, ARRAY_SIZE(mechanisms), -1, &report), 0);
	assert_int_equal(report.results[0].state, KFT_DOCTOR_NO);
	assert_int_equal(report.results[0].reason, KFT_DOCTOR_ABSENT);
	assert_int_equal(report.results[1].reason, KFT_DOCTOR_NEEDS_OTHER);
	kft_doctor_report_finish(&report);
}

#define with_tracefs(f) cmocka_unit_test_setup_teardown(f, setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	with_tracefs(what_a_row_changed_is_put_back),
	with_tracefs(one_that_dies_costs_one_row),
	with_tracefs(one_that_hangs_costs_one_row),
	with_tracefs(stopping_puts_everything_back),
	with_tracefs(later_rows_know_what_earlier_ones_found),
	with_tracefs(a_killed_doctor_is_cleaned_up_after),
	cmocka_unit_test_setup_teardown(without_tracefs_rows_can_still_run, fake_setup,
					fake_teardown),
};

T_MAIN(tests)
