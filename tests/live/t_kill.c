// SPDX-License-Identifier: GPL-2.0-only
#include "live.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

#include <kft/reset.h>

/* Starts a process that records for ever; returns when it has begun to record. */
static pid_t start_victim(struct live *l)
{
	int fds[2];
	char c;

	assert_int_equal(pipe(fds), 0);
	pid_t pid = fork();
	if (pid == 0) {
		(void)close(fds[0]);
		live_start(l);
		(void)!write(fds[1], "", 1);
		for (;;)
			(void)kft_capture_wait(l->session, NULL, 0, -1, NULL);
	}
	(void)close(fds[1]);
	assert_int_equal(read(fds[0], &c, 1), 1);
	(void)close(fds[0]);
	return pid;
}

/* The locks are dropped when the last thread has gone, a moment after the kill. */
static void kill_and_wait(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static enum kft_reset_state reset_state(struct live *l, const char *name)
{
	enum kft_reset_state state = KFT_RESET_FAILED;
	struct kft_reset_report r;
	char full[96];

	(void)snprintf(full, sizeof(full), "kft-%s", name);
	assert_int_equal(kft_reset(l->host, &r, &l->err), 0);
	for (size_t i = 0; i < r.len; i++)
		if (strcmp(r.items[i].name, full) == 0)
			state = r.items[i].state;
	kft_reset_report_finish(&r);
	return state;
}

static void the_kernel_stops_at_once(void **state)
{
	struct live l;

	live_init(&l, "killed");
	assert_int_equal(kft_plan_add_event(&l.plan, "sched", NULL, NULL), 0);
	pid_t pid = start_victim(&l);
	assert_string_equal(live_instance_read(l.plan.name, "tracing_on"), "1\n");
	assert_true(atoi(live_instance_read(l.plan.name, "buffer_size_kb")) > 1000);
	/* A reset must not remove the session of a process that is alive. */
	assert_int_equal(reset_state(&l, l.plan.name), KFT_RESET_ALIVE);
	assert_string_equal(live_instance_read(l.plan.name, "tracing_on"), "1\n");
	kill_and_wait(pid);
	assert_string_equal(live_instance_read(l.plan.name, "tracing_on"), "0\n");
	assert_true(atoi(live_instance_read(l.plan.name, "buffer_size_kb")) < 100);
	assert_int_equal(reset_state(&l, l.plan.name), KFT_RESET_REMOVED);
	assert_false(live_instance_exists(l.plan.name));
	live_finish(&l);
}

static void the_next_session_takes_its_place(void **state)
{
	struct live l;

	live_init(&l, "replaced");
	assert_int_equal(kft_plan_add_event(&l.plan, "sched", NULL, NULL), 0);
	kill_and_wait(start_victim(&l));
	assert_true(live_instance_exists(l.plan.name));
	live_start(&l);
	live_stop(&l);
	live_finish(&l);
}

/* Kills the recorder at any time while it creates, arms, records and removes. */
static void at_any_moment(void **state)
{
	for (int i = 0; i < 20; i++) {
		struct timespec nap = {.tv_nsec = (long)i * i * 500000};
		struct live l;

		live_init(&l, "moments");
		assert_int_equal(kft_plan_add_event(&l.plan, "sched", NULL, NULL), 0);
		(void)fflush(NULL);
		pid_t pid = fork();
		if (pid == 0)
			for (;;) {
				live_start(&l);
				live_stop(&l);
			}
		(void)nanosleep(&nap, NULL);
		kill_and_wait(pid);
		if (live_instance_exists(l.plan.name))
			assert_int_equal(reset_state(&l, l.plan.name), KFT_RESET_REMOVED);
		assert_false(live_instance_exists(l.plan.name));
		live_finish(&l);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_kernel_stops_at_once),
	cmocka_unit_test(the_next_session_takes_its_place),
	cmocka_unit_test(at_any_moment),
};

LIVE_MAIN(tests)
