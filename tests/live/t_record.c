// SPDX-License-Identifier: GPL-2.0-only
#include "live.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <kft/session.h>
#include <kft/trace.h>

#include "base/io.h"
#include "capture/command.h"

/* Long enough that only a hang exceeds it. */
#define WAKE_LIMIT_MS 30000

/* The global settings of tracing, as a text. */
static char *kernel_state(void)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	FILE *p = popen(TRACEFS_STATE " 2>&1", "re");

	assert_non_null(p);
	assert_int_equal(kft_read_fd(fileno(p), 16 << 20, &sb), 0);
	assert_int_equal(pclose(p), 0);
	return kft_strbuf_detach(&sb);
}

static void assert_unchanged(char *before)
{
	char *after = kernel_state();

	assert_true(strlen(before) > 100);
	assert_string_equal(before, after);
	free(before);
	free(after);
}

struct ids {
	uint64_t count[65536];
};

static void count_id(void *arg, const struct kft_event *ev)
{
	((struct ids *)arg)->count[ev->id]++;
}

static struct ids *count_ids(const struct live *l, uint64_t *ret_all)
{
	struct ids *ids = calloc(1, sizeof(*ids));

	assert_non_null(ids);
	*ret_all = live_events(l, count_id, ids);
	return ids;
}

static void two_sessions_do_not_see_each_other(void **state)
{
	struct hammer ha = {.count = 1000, .cpu = -1};
	struct hammer hb = {.count = 2000, .cpu = -1};
	char *before = kernel_state();
	struct live a;
	struct live b;
	uint64_t all;

	live_init(&a, "a");
	live_init(&b, "b");
	assert_int_equal(kft_plan_set_clock(&a.plan, "boot", NULL), 0);
	assert_int_equal(kft_plan_set_clock(&b.plan, "counter", NULL), 0);
	live_hammers_prepare(&a, &ha, 1);
	live_hammers_prepare(&b, &hb, 1);
	assert_int_equal(
		kft_plan_add_event(&b.plan, "sched:sched_process_exit", NULL, NULL), 0);
	live_start(&a);
	live_start(&b);
	live_hammers_run(&ha, 1);
	live_hammers_run(&hb, 1);
	live_stop(&a);
	live_stop(&b);

	assert_string_equal(a.sink.clock.name, "boot");
	assert_string_equal(b.sink.clock.name, "counter");
	assert_int_equal(b.sink.clock.unit, KFT_CLOCK_COUNT);
	assert_int_equal(live_calls(&a, NULL, NULL), 1000);
	assert_int_equal(live_calls(&b, NULL, NULL), 2000);
	struct ids *ids = count_ids(&a, &all);
	assert_int_equal(all, 1000);
	free(ids);
	ids = count_ids(&b, &all);
	assert_int_equal(ids->count[live_event_id("raw_syscalls/sys_enter")], 2000);
	/* The end of both threads, and whatever else ended meanwhile. */
	assert_true(ids->count[live_event_id("sched/sched_process_exit")] >= 2);
	assert_int_equal(all - 2000,
			 ids->count[live_event_id("sched/sched_process_exit")]);
	free(ids);
	live_finish(&a);
	live_finish(&b);
	assert_unchanged(before);
}

static void nothing_is_recorded_in_a_pause(void **state)
{
	struct hammer h[] = {{.count = 1000, .cpu = -1},
			     {.count = 400, .cpu = -1},
			     {.count = 2000, .cpu = -1}};
	struct kft_progress p;
	char *before = kernel_state();
	struct live l;

	live_init(&l, "pause");
	live_hammers_prepare(&l, h, ARRAY_SIZE(h));
	live_start(&l);
	for (size_t i = 0; i < ARRAY_SIZE(h); i++) {
		assert_int_equal(kft_capture_pause(l.session, i == 1, NULL), 0);
		live_hammers_run(&h[i], 1);
		/* A refresh during the pause must not blame another program for it. */
		if (i == 1)
			assert_int_equal(kft_capture_wait(l.session, NULL, 0, 1100, NULL),
					 0);
	}
	kft_capture_progress(l.session, &p);
	assert_int_equal(p.off_ns, 0);
	live_stop(&l);
	assert_int_equal(live_calls(&l, NULL, NULL), 3000);
	live_finish(&l);
	assert_unchanged(before);
}

static void the_meta_describes_this_kernel(void **state)
{
	struct hammer h = {.count = 10, .cpu = -1};
	struct live l;
	char comm[16] = "";
	char line[64];

	assert_int_equal(prctl(PR_GET_NAME, comm), 0);
	live_init(&l, "meta");
	l.opts.command_line = "kft record -e 'a b'";
	live_hammers_prepare(&l, &h, 1);
	live_start(&l);
	live_hammers_run(&h, 1);
	live_stop(&l);
	assert_true(l.sink.n_formats > 100);
	assert_string_equal(l.sink.clock.name, "mono");
	assert_string_equal(l.sink.command, "kft record -e 'a b'");
	assert_int_equal(l.sink.page_size % 4096, 0);
	assert_true(l.sink.n_stats >= 1);
	assert_true(l.sink.cpu_count >= l.sink.n_stats);
	/* This process has a name and is its own group, and the thread belongs to it. */
	(void)snprintf(line, sizeof(line), "\n%ld %s\n", (long)getpid(), comm);
	assert_non_null(strstr(l.sink.cmdlines, line));
	(void)snprintf(line, sizeof(line), "\n%d %ld\n", h.tid, (long)getpid());
	assert_non_null(strstr(l.sink.tgids, line));
	live_finish(&l);
}

static char *const *argv_of(const char *const *argv)
{
	return (char *const *)argv;
}

#define ARGV(...) argv_of((const char *const[]){__VA_ARGS__, NULL})

static void wait_for(struct live *l, struct kft_command *c)
{
	struct pollfd fd = {.fd = c->pid_fd, .events = POLLIN};

	while (!kft_command_ended(c))
		(void)kft_capture_wait(l->session, &fd, 1, 100, NULL);
}

/* Four programs are executed by the command, while others execute programs all the time. */
static void only_the_command_and_its_children_are_recorded(void **state)
{
	struct kft_command noise;
	struct kft_command c;
	struct live l;

	live_init(&l, "command");
	assert_int_equal(kft_command_fork(ARGV("sh", "-c", "while :; do /bin/true; done"),
					  &noise, NULL),
			 0);
	assert_int_equal(kft_command_release(&noise, NULL), 0);
	assert_int_equal(
		kft_command_fork(ARGV("sh", "-c", "/bin/true; (/bin/true; /bin/true); :"),
				 &c, NULL),
		0);
	assert_int_equal(kft_plan_add_pid(&l.plan, c.pid, NULL), 0);
	l.plan.follow_children = true;
	assert_int_equal(
		kft_plan_add_event(&l.plan, "sched:sched_process_exec", NULL, NULL), 0);
	live_start(&l);
	assert_int_equal(kft_command_release(&c, NULL), 0);
	wait_for(&l, &c);
	live_stop(&l);
	assert_int_equal(kft_command_exit_code(&c), 0);
	assert_int_equal(live_events(&l, NULL, NULL), 4);
	kft_command_end(&c, false);
	kft_command_end(&noise, false);
	live_finish(&l);
}

/* A child with three threads, which begin their system calls when they can read from a pipe. */
#define THREADS	   3
#define PER_THREAD 500

static void *call_when_told(void *arg)
{
	char c;

	(void)!read(*(int *)arg, &c, 1);
	for (int i = 0; i < PER_THREAD; i++)
		(void)syscall(SYS_getppid, i);
	return NULL;
}

static void threaded_child(int fd, int ready)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, call_when_told, &fd))
			_exit(1);
	(void)!write(ready, "", 1);
	for (int i = 0; i < THREADS; i++)
		(void)pthread_join(threads[i], NULL);
	_exit(0);
}

static void all_threads_of_a_process_are_recorded(void **state)
{
	struct live l;
	char filter[32];
	int go[2];
	int ready[2];
	char c;

	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();
	if (pid == 0)
		threaded_child(go[0], ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	live_init(&l, "threads");
	(void)snprintf(filter, sizeof(filter), "id == %d", SYS_getppid);
	assert_int_equal(
		kft_plan_add_event(&l.plan, "raw_syscalls:sys_enter", filter, NULL), 0);
	assert_int_equal(kft_plan_add_pid(&l.plan, pid, NULL), 0);
	live_start(&l);
	assert_int_equal(write(go[1], "xxx", THREADS), THREADS);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	live_stop(&l);
	assert_int_equal(live_calls(&l, NULL, NULL), THREADS * PER_THREAD);
	live_finish(&l);
	for (int i = 0; i < 2; i++) {
		(void)close(go[i]);
		(void)close(ready[i]);
	}
}

/* Enabling everything is the hardest for "leave it as it was". */
static void all_events_of_the_kernel(void **state)
{
	char *before = kernel_state();
	struct live l;

	live_init(&l, "all");
	assert_int_equal(kft_plan_add_event(&l.plan, "*:*", NULL, NULL), 0);
	live_start(&l);
	assert_true(kft_capture_wait(l.session, NULL, 0, 50, NULL) >= 0);
	live_stop(&l);
	assert_true(live_events(&l, NULL, NULL) > 0);
	assert_int_equal(l.sink.unread, 0);
	live_finish(&l);
	assert_unchanged(before);
}

static int try(struct live *l)
{
	int r = kft_capture_create(l->host, &l->plan, &l->sink.base, &l->opts,
				   &l->session, &l->err);

	if (r == 0)
		r = kft_capture_arm(l->session, &l->err);
	if (r == 0)
		r = kft_capture_start(l->session, &l->err);
	if (r == 0) {
		(void)kft_capture_wait(l->session, NULL, 0, 50, NULL);
		r = kft_capture_stop(l->session, &l->err);
	}
	return r;
}

static void a_bad_filter_is_shown_with_a_caret(void **state)
{
	struct live l;

	live_init(&l, "filter");
	assert_int_equal(kft_plan_add_event(&l.plan, "sched:sched_switch",
					    "prev_pid == 1 && prev_pd == 3", NULL),
			 0);
	assert_int_equal(try(&l), -EINVAL);
	assert_string_equal(l.err.msg, "bad filter for sched:sched_switch: Field not "
				       "found\n"
				       "  prev_pid == 1 && prev_pd == 3\n"
				       "                   ^");
	live_finish(&l);
	/* For other errors the caret stays at the kernel's position. */
	live_init(&l, "filter");
	assert_int_equal(kft_plan_add_event(&l.plan, "sched:sched_switch",
					    "prev_comm > \"a\"", NULL),
			 0);
	assert_int_equal(try(&l), -EINVAL);
	assert_string_equal(l.err.msg, "bad filter for sched:sched_switch: Illegal "
				       "operation for field type\n"
				       "  prev_comm > \"a\"\n"
				       "               ^");
	live_finish(&l);
}

static void a_filter_that_some_events_cannot_have(void **state)
{
	struct live l;

	live_init(&l, "some");
	assert_int_equal(kft_plan_add_event(&l.plan, "sched", "prev_pid == 1", NULL), 0);
	assert_int_equal(try(&l), 0);
	live_finish(&l);
}

static void unknown_things_are_named(void **state)
{
	struct live l;

	live_init(&l, "unknown");
	assert_int_equal(kft_plan_add_event(&l.plan, "sched:sched_swich", NULL, NULL), 0);
	assert_int_equal(try(&l), -ENOENT);
	assert_string_equal(l.err.hint, "did you mean 'sched:sched_switch'?");
	live_finish(&l);
	live_init(&l, "unknown");
	assert_int_equal(kft_plan_add_event(&l.plan, "sched:sched_switch", NULL, NULL),
			 0);
	assert_int_equal(kft_plan_set_clock(&l.plan, "sundial", NULL), 0);
	assert_int_equal(try(&l), -EINVAL);
	assert_non_null(strstr(l.err.hint, "mono"));
	live_finish(&l);
}

static void too_much_memory_is_refused(void **state)
{
	struct live l;

	live_init(&l, "memory");
	assert_int_equal(kft_plan_add_event(&l.plan, "sched:sched_switch", NULL, NULL),
			 0);
	l.plan.buffer_bytes = UINT64_C(1) << 40;
	assert_int_equal(try(&l), -ENOMEM);
	live_finish(&l);
}

static void a_name_is_taken_while_it_is_alive(void **state)
{
	struct live a;
	struct live b;

	live_init(&a, "twice");
	live_init(&b, "twice");
	assert_int_equal(kft_plan_add_event(&a.plan, "sched:sched_switch", NULL, NULL),
			 0);
	assert_int_equal(kft_plan_add_event(&b.plan, "sched:sched_switch", NULL, NULL),
			 0);
	live_start(&a);
	assert_int_equal(try(&b), -EBUSY);
	assert_non_null(strstr(b.err.msg, "is already recording"));
	live_stop(&a);
	live_finish(&a);
	assert_int_equal(try(&b), 0);
	live_finish(&b);
}

static void a_failing_sink_leaves_nothing(void **state)
{
	static const enum test_sink_step steps[] = {
		TEST_SINK_BEGIN,
		TEST_SINK_CPU_FD,
		TEST_SINK_WRITE,
		TEST_SINK_END,
	};
	char *before = kernel_state();

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		struct live l;

		live_init(&l, "sink");
		l.sink.fail_at = steps[i];
		assert_int_equal(kft_plan_add_event(&l.plan, "sched", NULL, NULL), 0);
		assert_true(try(&l) < 0);
		live_finish(&l);
	}
	assert_unchanged(before);
}

/* Runs in a child, because dropped privileges cannot be regained. */
static int record_without_privileges(void)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct hammer h = {.count = 1000, .cpu = -1};
	struct live l;

	live_init(&l, "caps");
	l.opts.drop_privileges = true;
	live_hammers_prepare(&l, &h, 1);
	live_start(&l);
	if (kft_read_at(AT_FDCWD, "/proc/thread-self/status", 1 << 16, &sb) < 0)
		return 1;
	const char *caps = strstr(kft_strbuf_cstr(&sb), "CapPrm:\t");
	if (!caps || (strtoull(caps + 8, NULL, 16) & ~(1ULL << CAP_SYS_NICE)))
		return 1;
	/* Threads must still be able to raise their priority. */
	if (setpriority(PRIO_PROCESS, 0, 5) < 0 || setpriority(PRIO_PROCESS, 0, -10) < 0)
		return 3;
	live_hammers_run(&h, 1);
	live_stop(&l);
	if (live_calls(&l, NULL, NULL) != 1000)
		return 2;
	live_finish(&l);
	return 0;
}

static void no_capability_is_needed_once_armed(void **state)
{
	int status;

	(void)fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		_exit(record_without_privileges());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* The first process of a namespace of its own: its 1 is not the kernel's 1. */
static int limit_to_pid_1(void)
{
	struct live l;

	live_init(&l, "container");
	if (kft_plan_add_event(&l.plan, "sched:sched_switch", NULL, NULL) < 0 ||
	    kft_plan_add_pid(&l.plan, 1, NULL) < 0)
		return 1;
	int r = try(&l);
	live_finish(&l);
	return r == -EXDEV ? 0 : 2;
}

static void pids_of_a_container_are_refused(void **state)
{
	int status;

	live_need_private_mounts();
	(void)fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		int inner = 1;

		if (unshare(CLONE_NEWPID) < 0)
			_exit(3);
		pid_t init = fork();
		if (init == 0) {
			/* Mount an own /proc, like a container. */
			if (unshare(CLONE_NEWNS) < 0 ||
			    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
			    mount("proc", "/proc", "proc", 0, NULL) < 0)
				_exit(4);
			_exit(limit_to_pid_1());
		}
		(void)waitpid(init, &inner, 0);
		_exit(WEXITSTATUS(inner));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* A program that waits for events as they happen is not left waiting for a full buffer. */
static void the_first_event_wakes_who_waits(void **state)
{
	const struct kft_session_opts opts = {.size = sizeof(opts)};
	_cleanup_(kft_plan_finish) struct kft_plan plan = {.size = sizeof(plan)};
	const struct kft_event *ev;
	struct kft_session *s;
	char filter[64];

	/*
	 * The event comes from this process, and no child is made: a child that closes its
	 * inherited files of the kernel's buffers wakes all waiters.
	 */
	(void)snprintf(filter, sizeof(filter), "pid == %d && sig == %d", getpid(),
		       SIGWINCH);
	assert_int_equal(
		kft_plan_add_event(&plan, "signal:signal_generate", filter, NULL), 0);
	assert_int_equal(kft_session_open(&plan, &opts, &s, NULL), 0);
	assert_int_equal(kft_session_start(s, NULL), 0);
	struct pollfd fd = {.fd = kft_session_fd(s), .events = POLLIN};
	for (int i = 0; i < 3; i++) {
		assert_int_equal(kill(getpid(), SIGWINCH), 0);
		do
			assert_int_equal(poll(&fd, 1, WAKE_LIMIT_MS), 1);
		while (kft_reader_next(kft_session_reader(s), &ev) != 1);
	}
	assert_int_equal(kft_session_stop(s, NULL), 0);
	assert_int_equal(kft_session_close(s, NULL), 0);
}

static void it_may_be_closed_while_it_records(void **state)
{
	const struct kft_session_opts opts = {.size = sizeof(opts)};
	_cleanup_(kft_plan_finish) struct kft_plan plan = {.size = sizeof(plan)};
	char *before = kernel_state();
	const struct kft_event *ev;
	struct kft_session *s;

	assert_int_equal(kft_plan_add_event(&plan, "sched:sched_switch", NULL, NULL), 0);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(kft_session_open(&plan, &opts, &s, NULL), 0);
		assert_int_equal(kft_session_start(s, NULL), 0);
		struct pollfd fd = {.fd = kft_session_fd(s), .events = POLLIN};
		assert_int_equal(poll(&fd, 1, WAKE_LIMIT_MS), 1);
		(void)kft_reader_next(kft_session_reader(s), &ev);
		assert_int_equal(kft_session_close(s, NULL), 0);
	}
	assert_unchanged(before);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(two_sessions_do_not_see_each_other),
	cmocka_unit_test(nothing_is_recorded_in_a_pause),
	cmocka_unit_test(the_meta_describes_this_kernel),
	cmocka_unit_test(only_the_command_and_its_children_are_recorded),
	cmocka_unit_test(all_threads_of_a_process_are_recorded),
	cmocka_unit_test(all_events_of_the_kernel),
	cmocka_unit_test(a_bad_filter_is_shown_with_a_caret),
	cmocka_unit_test(a_filter_that_some_events_cannot_have),
	cmocka_unit_test(unknown_things_are_named),
	cmocka_unit_test(too_much_memory_is_refused),
	cmocka_unit_test(a_name_is_taken_while_it_is_alive),
	cmocka_unit_test(a_failing_sink_leaves_nothing),
	cmocka_unit_test(no_capability_is_needed_once_armed),
	cmocka_unit_test(pids_of_a_container_are_refused),
	cmocka_unit_test(the_first_event_wakes_who_waits),
	cmocka_unit_test(it_may_be_closed_while_it_records),
};

LIVE_MAIN(tests)
