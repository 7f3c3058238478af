// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "tracefs/control/ledger.h"
#include "fake.h"

#define TOP FAKE_TRACEFS "/"

static void open_undo(struct fake *f, struct kft_ledger *u)
{
	if (!fake_exists(f, "run"))
		fake_mkdir(f, "run");
	int fd = openat(f->host->root_fd, "run", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(kft_ledger_init(u, f->host, fd, NULL), 0);
}

static void changes_are_noted_before_and_undone(void **state)
{
	struct fake *f = *state;
	struct kft_ledger u;

	fake_write(f, TOP "tracing_thresh", "0\n");
	fake_write(f, TOP "current_tracer", "nop\n");
	open_undo(f, &u);
	assert_false(kft_ledger_exists(&u));
	assert_int_equal(kft_ledger_set_u64(&u, "tracing_thresh", 500, NULL), 0);
	assert_int_equal(kft_ledger_set(&u, "current_tracer", "function_graph", NULL), 0);
	assert_int_equal(kft_ledger_set(&u, "trace_clock", "mono", NULL), 0);
	assert_string_equal(fake_read(f, TOP "tracing_thresh"), "500");
	assert_string_equal(fake_read(f, "run/undo"), "set tracing_thresh\t0\n"
						      "set current_tracer\tnop\n"
						      "set trace_clock\tlocal\n");
	assert_true(kft_ledger_exists(&u));
	assert_int_equal(kft_ledger_undo(&u, NULL), 0);
	assert_string_equal(fake_read(f, TOP "tracing_thresh"), "0");
	assert_string_equal(fake_read(f, TOP "current_tracer"), "nop");
	assert_string_equal(fake_read(f, TOP "trace_clock"), "local");
	assert_false(kft_ledger_exists(&u));
	assert_int_equal(kft_ledger_undo(&u, NULL), 0);
	(void)close(u.dir_fd);
}

static void what_is_so_already_is_not_noted(void **state)
{
	struct fake *f = *state;
	struct kft_ledger u;

	fake_write(f, TOP "buffer_size_kb", "7 (expanded: 1408)\n");
	open_undo(f, &u);
	assert_int_equal(kft_ledger_set(&u, "trace_clock", "local", NULL), 0);
	assert_false(kft_ledger_exists(&u));
	assert_int_equal(kft_ledger_set_u64(&u, "buffer_size_kb", 64, NULL), 0);
	assert_string_equal(fake_read(f, "run/undo"), "set buffer_size_kb\t1408\n");
	(void)close(u.dir_fd);
}

static void the_last_change_is_undone_first(void **state)
{
	struct fake *f = *state;
	struct kft_ledger u;

	fake_write(f, TOP "tracing_thresh", "0\n");
	open_undo(f, &u);
	assert_int_equal(kft_ledger_set_u64(&u, "tracing_thresh", 5, NULL), 0);
	assert_int_equal(kft_ledger_set_u64(&u, "tracing_thresh", 7, NULL), 0);
	assert_int_equal(kft_ledger_undo(&u, NULL), 0);
	assert_string_equal(fake_read(f, TOP "tracing_thresh"), "0");
	(void)close(u.dir_fd);
}

static bool has_openat2(void)
{
	return syscall(SYS_openat2, -1, "", NULL, 0) < 0 && errno != ENOSYS &&
	       errno != EPERM;
}

/* Another program may have written to the file: no line of it leads out of tracefs. */
static void lines_that_leave_tracefs_are_refused(void **state)
{
	static const char *const lines[] = {
		"set ../outside\tx\n",
		"set events/../../outside\tx\n",
		"empty ../outside\n",
		"trigger ../outside\tx\n",
		"sysctl ../../outside\tx\n",
		"dynamic trace_clock\t../outside\tx\n",
		"instance ..\n",
		"instance kft-a/../..\n",
		"set /etc/passwd\tx\n",
		"empty events/..\n",
		"set link/outside\tx\n",
		"empty link/outside\n",
		"trigger link/outside\tx\n",
		"dynamic trace_clock\tlink/outside\tx\n",
	};
	struct fake *f = *state;
	struct kft_ledger u;

	fake_write(f, "sys/kernel/outside", "1\n");
	fake_write(f, "outside", "1\n");
	if (!fake_exists(f, "proc/sys"))
		fake_mkdir(f, "proc/sys");
	if (!fake_exists(f, TOP "events"))
		fake_mkdir(f, TOP "events");
	fake_link(f, TOP "link", "../");
	open_undo(f, &u);
	/* Before Linux 5.6, text alone shows that a line leads out. */
	size_t n = ARRAY_SIZE(lines) - (has_openat2() ? 0 : 4);
	for (size_t i = 0; i < n; i++) {
		fake_write(f, "run/undo", lines[i]);
		assert_int_equal(kft_ledger_undo(&u, NULL), -EINVAL);
		assert_string_equal(fake_read(f, "sys/kernel/outside"), "1\n");
		assert_string_equal(fake_read(f, "outside"), "1\n");
	}
	(void)close(u.dir_fd);
}

static void only_a_regular_file_is_read(void **state)
{
	struct fake *f = *state;
	struct kft_ledger u;
	struct kft_err e = {};

	open_undo(f, &u);
	assert_int_equal(mkfifoat(u.dir_fd, "undo", 0600), 0);
	assert_int_equal(kft_ledger_undo(&u, &e), -EINVAL);
	assert_int_equal(unlinkat(u.dir_fd, "undo", 0), 0);
	fake_write(f, "run/elsewhere", "set trace_clock\tmono\n");
	fake_link(f, "run/undo", "elsewhere");
	assert_int_equal(kft_ledger_undo(&u, &e), -ELOOP);
	(void)close(u.dir_fd);
}

static void what_was_made_is_removed(void **state)
{
	struct fake *f = *state;
	struct kft_ledger u;

	fake_write(f, TOP "kprobe_events", "");
	fake_write(f, TOP "set_ftrace_filter", "schedule\n");
	open_undo(f, &u);
	assert_int_equal(kft_ledger_note_instance(&u, "kft+a", NULL), 0);
	fake_mkdir(f, TOP "instances/kft+a");
	assert_int_equal(kft_ledger_note_probe(&u, "kft_a/start", NULL), 0);
	fake_write(f, TOP "events/kft_a/start/trigger", "traceon:count=0\n");
	assert_int_equal(kft_ledger_note_trigger(&u, "events/kft_a/start/trigger",
						 "traceon", NULL),
			 0);
	assert_int_equal(kft_ledger_note_empty(&u, "set_ftrace_filter", NULL), 0);
	assert_int_equal(kft_ledger_undo(&u, NULL), 0);
	assert_int_equal(fake_instances(f), 0);
	assert_string_equal(fake_read(f, TOP "kprobe_events"), "-:kft_a/start");
	assert_string_equal(fake_read(f, TOP "set_ftrace_filter"), "");
	assert_string_equal(fake_read(f, TOP "events/kft_a/start/trigger"),
			    "!traceoncount=0\n");
	(void)close(u.dir_fd);
}

/* Noted, but the process died before it was done. */
static void what_was_never_made_does_no_harm(void **state)
{
	struct fake *f = *state;
	struct kft_ledger u;

	open_undo(f, &u);
	fake_write(f, "run/undo", "instance kft+a\nset no_such_file\t1\nempty neither\n");
	assert_int_equal(kft_ledger_undo(&u, NULL), 0);
	assert_false(kft_ledger_exists(&u));
	(void)close(u.dir_fd);
}

/* Through any of the files that define such events, and only while it is there. */
static void a_dynamic_event_is_deleted_while_it_is_there(void **state)
{
	struct fake *f = *state;
	struct kft_ledger u;

	for (int there = 0; there < 2; there++) {
		open_undo(f, &u);
		fake_write(f, TOP "dynamic_events", "");
		if (there)
			fake_mkdir(f, TOP "events/user_events/mine");
		assert_int_equal(kft_ledger_note_dynamic(&u, "events/user_events/mine",
							 "dynamic_events",
							 "-:user_events/mine", NULL),
				 0);
		assert_int_equal(kft_ledger_undo(&u, NULL), 0);
		assert_string_equal(fake_read(f, TOP "dynamic_events"),
				    there ? "-:user_events/mine" : "");
		assert_false(kft_ledger_exists(&u));
		(void)close(u.dir_fd);
	}
}

/* The ledger is read by a process that has given up CAP_DAC_OVERRIDE. */
static void its_owner_can_read_it_whatever_the_umask(void **state)
{
	struct fake *f = *state;
	struct kft_ledger u;
	struct stat st;

	open_undo(f, &u);
	mode_t old = umask(0777);
	assert_int_equal(kft_ledger_note_empty(&u, "set_event", NULL), 0);
	(void)umask(old);
	assert_int_equal(fstatat(u.dir_fd, "undo", &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	(void)close(u.dir_fd);
}

static void a_failure_keeps_the_file_and_undoes_the_rest(void **state)
{
	struct fake *f = *state;
	struct kft_ledger u;
	struct kft_err e = {};

	open_undo(f, &u);
	fake_write(f, TOP "tracing_thresh", "5\n");
	fake_write(f, "run/undo", "set tracing_thresh\t0\nnonsense\n");
	assert_int_equal(kft_ledger_undo(&u, &e), -EINVAL);
	assert_string_equal(fake_read(f, TOP "tracing_thresh"), "0");
	assert_true(kft_ledger_exists(&u));
	assert_non_null(strstr(e.msg, "cannot restore 'nonsense'"));
	(void)close(u.dir_fd);
}

#define WITH_TRACEFS(test) \
	cmocka_unit_test_setup_teardown(test, fake_tracefs_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	WITH_TRACEFS(changes_are_noted_before_and_undone),
	WITH_TRACEFS(what_is_so_already_is_not_noted),
	WITH_TRACEFS(the_last_change_is_undone_first),
	WITH_TRACEFS(what_was_made_is_removed),
	WITH_TRACEFS(what_was_never_made_does_no_harm),
	WITH_TRACEFS(a_dynamic_event_is_deleted_while_it_is_there),
	WITH_TRACEFS(a_failure_keeps_the_file_and_undoes_the_rest),
	WITH_TRACEFS(lines_that_leave_tracefs_are_refused),
	WITH_TRACEFS(only_a_regular_file_is_read),
	WITH_TRACEFS(its_owner_can_read_it_whatever_the_umask),
};

T_MAIN(tests)
