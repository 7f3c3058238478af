// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <stdio.h>

#include "session/boot/booted.h"
#include "fake.h"

#define TOP FAKE_TRACEFS "/"
#define LINE                                                                            \
	"root=/dev/sda1 quiet ftrace=function_graph tracing_thresh=500 "                \
	"ftrace_filter=a,b ftrace_notrace=c trace_event=initcall:*,module:module_load " \
	"kprobe_event=p:kft_boot/start,x;r512:kft_boot/stop,y trace_clock=local "       \
	"trace_buf_size=16M trace_options=nooverwrite,nofuncgraph-irqs "                \
	"kft.boot=filter,mintime,500"

/* Writes the files of a kernel that was booted with this command line. */
static int setup(void **state)
{
	static const char *const files[][2] = {
		{"current_tracer", "function_graph\n"},
		{"tracing_thresh", "500\n"},
		{"tracing_on", "1\n"},
		{"set_ftrace_filter", "a\nb\n"},
		{"set_ftrace_notrace", "c\n"},
		{"kprobe_events", "p:kft_boot/start x\nr512:kft_boot/stop y\n"},
		{"events/initcall/enable", "1\n"},
		{"events/module/module_load/enable", "1\n"},
		{"events/sched/enable", "1\n"},
		{"events/kft_boot/enable", "1\n"},
		{"options/overwrite", "0\n"},
		{"options/funcgraph-irqs", "0\n"},
		{"trace_clock", "[local] global\n"},
		{"buffer_size_kb", "16384\n"},
		{"trace", "much\n"},
	};
	int r = fake_tracefs_setup(state);
	char path[128];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		(void)snprintf(path, sizeof(path), TOP "%s", files[i][0]);
		fake_write(*state, path, files[i][1]);
	}
	fake_write(*state, "proc/cmdline", LINE "\n");
	return r;
}

static void assert_file(struct fake *f, const char *file, const char *text)
{
	char path[128];

	(void)snprintf(path, sizeof(path), TOP "%s", file);
	assert_string_equal(fake_read(f, path), text);
}

static void all_that_was_turned_on_is_taken_back(void **state)
{
	struct fake *f = *state;
	struct kft_boot b;

	assert_int_equal(kft_boot_open(f->host, &b, NULL), 0);
	assert_string_equal(b.line.buf, LINE);
	assert_int_equal(b.word_len, strlen("filter,mintime,500"));
	assert_memory_equal(b.word, "filter,mintime,500", b.word_len);
	assert_true(kft_boot_filter_worked(&b));
	assert_false(kft_boot_is_stopped(&b));
	assert_int_equal(kft_boot_stop(&b, NULL), 0);
	assert_file(f, "tracing_on", "0");
	assert_true(kft_boot_is_stopped(&b));
	assert_int_equal(kft_boot_restore(&b, NULL), 0);
	kft_boot_close(&b);
	assert_file(f, "current_tracer", "nop");
	assert_file(f, "tracing_thresh", "0");
	assert_file(f, "tracing_on", "1");
	assert_file(f, "set_ftrace_filter", "");
	assert_file(f, "set_ftrace_notrace", "");
	assert_file(f, "events/initcall/enable", "0");
	assert_file(f, "events/module/module_load/enable", "0");
	assert_file(f, "events/kft_boot/enable", "0");
	assert_file(f, "options/overwrite", "1");
	assert_file(f, "options/funcgraph-irqs", "1");
	assert_file(f, "buffer_size_kb", "1408");
	assert_file(f, "trace", "");
	assert_non_null(strstr(fake_read(f, TOP "kprobe_events"), "-:kft_boot/start"));
	assert_non_null(strstr(fake_read(f, TOP "kprobe_events"), "-:kft_boot/stop"));
}

/* The ledger of a killed kft lists the changes that it has not undone yet. */
static void what_a_killed_one_left_is_restored(void **state)
{
	static const char ledger[] = "run/kft/record++boot/undo";
	struct fake *f = *state;
	struct kft_boot b;
	struct kft_err e = {};

	fake_mkdir(f, "run/kft/record++boot");
	fake_write(f, ledger, "set tracing_on\t1\nempty set_ftrace_filter\n");
	fake_write(f, TOP "tracing_on", "0\n");
	fake_write(f, TOP "current_tracer", "nop\n");
	assert_int_equal(kft_boot_open(f->host, &b, &e), -EALREADY);
	assert_file(f, "set_ftrace_filter", "");
	assert_file(f, "tracing_on", "1");
	assert_false(fake_exists(f, "run/kft/record++boot"));
}

/* Changes that other programs have made since are left alone. */
static void events_without_a_directory_are_taken_back(void **state)
{
	struct fake *f = *state;
	struct kft_boot b;

	fake_remove(f, TOP "events/kft_boot/enable");
	fake_write(f, TOP "set_event", "sched:sched_switch\n");
	assert_int_equal(kft_boot_open(f->host, &b, NULL), 0);
	assert_int_equal(kft_boot_restore(&b, NULL), 0);
	kft_boot_close(&b);
	assert_file(f, "set_event", "sched:sched_switch\n!kft_boot:*");
}

static void what_was_not_asked_for_stays(void **state)
{
	struct fake *f = *state;
	struct kft_boot b;

	fake_write(
		f, "proc/cmdline",
		"ftrace=function_graph trace_event=initcall:*,module:module_load kft.boot=begin,end");
	assert_int_equal(kft_boot_open(f->host, &b, NULL), 0);
	assert_int_equal(kft_boot_restore(&b, NULL), 0);
	kft_boot_close(&b);
	assert_file(f, "current_tracer", "nop");
	assert_file(f, "events/initcall/enable", "0");
	assert_file(f, "events/sched/enable", "1\n");
	assert_file(f, "tracing_thresh", "500\n");
	assert_file(f, "set_ftrace_filter", "a\nb\n");
	assert_file(f, "options/overwrite", "0\n");
	assert_file(f, "buffer_size_kb", "16384\n");
	assert_file(f, "events/kft_boot/enable", "1\n");
}

static void assert_refused(struct fake *f, int code, const char *text)
{
	struct kft_boot b;
	struct kft_err e = {};

	assert_int_equal(kft_boot_open(f->host, &b, &e), code);
	if (!strstr(e.msg, text))
		fail_msg("'%s' is not in '%s'", text, e.msg);
}

static void others_are_left_alone(void **state)
{
	struct fake *f = *state;

	fake_write(f, "proc/cmdline", "quiet ftrace=function_graph xkft.boot=a\n");
	assert_refused(f, -ENOENT, "was not booted with");
	fake_write(f, "proc/cmdline", LINE "\n");
	fake_write(f, TOP "events/initcall/enable", "0\n");
	assert_refused(f, -EBUSY, "events of initcalls are off");
	fake_write(f, TOP "events/initcall/enable", "1\n");
	fake_write(f, TOP "current_tracer", "function\n");
	assert_refused(f, -EBUSY, "current_tracer is function");
	fake_write(f, TOP "current_tracer", "nop\n");
	assert_refused(f, -EALREADY, "no longer in the kernel");
	assert_file(f, "tracing_on", "1\n");
}

static void one_at_a_time(void **state)
{
	struct fake *f = *state;
	struct kft_boot b;

	assert_int_equal(kft_boot_open(f->host, &b, NULL), 0);
	assert_refused(f, -EBUSY, "at work already");
	kft_boot_close(&b);
	assert_int_equal(kft_boot_open(f->host, &b, NULL), 0);
	kft_boot_close(&b);
}

static void the_last_word_counts(void **state)
{
	size_t len = 0;
	const char *line = "akft.boot=1 kft.boot=22\tkft.boot=333\nkft.boot";

	assert_ptr_equal(kft_boot_find_word(line, &len), strstr(line, "333"));
	assert_int_equal(len, 3);
	assert_null(kft_boot_find_word("akft.boot=1 kft.boot", &len));
	assert_null(kft_boot_find_word("", &len));
}

static void a_filter_that_is_empty_did_not_work(void **state)
{
	struct fake *f = *state;
	struct kft_boot b;

	fake_write(f, TOP "set_ftrace_filter", "#### all functions enabled ####\n");
	assert_int_equal(kft_boot_open(f->host, &b, NULL), 0);
	assert_false(kft_boot_filter_worked(&b));
	kft_boot_close(&b);
}

static void a_failure_does_not_end_it(void **state)
{
	struct fake *f = *state;
	struct kft_boot b;
	struct kft_err e = {};

	assert_int_equal(kft_boot_open(f->host, &b, NULL), 0);
	fake_remove(f, TOP "tracing_thresh");
	fake_mkdir(f, TOP "tracing_thresh");
	assert_int_equal(kft_boot_restore(&b, &e), -EISDIR);
	assert_non_null(strstr(e.msg, "cannot restore 'set tracing_thresh'"));
	assert_file(f, "events/initcall/enable", "0");
	assert_file(f, "tracing_on", "1\n");
	kft_boot_close(&b);
}

#define WITH_KERNEL(test) cmocka_unit_test_setup_teardown(test, setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	WITH_KERNEL(all_that_was_turned_on_is_taken_back),
	WITH_KERNEL(what_a_killed_one_left_is_restored),
	WITH_KERNEL(events_without_a_directory_are_taken_back),
	WITH_KERNEL(what_was_not_asked_for_stays),
	WITH_KERNEL(others_are_left_alone),
	WITH_KERNEL(one_at_a_time),
	cmocka_unit_test(the_last_word_counts),
	WITH_KERNEL(a_filter_that_is_empty_did_not_work),
	WITH_KERNEL(a_failure_does_not_end_it),
};

T_MAIN(tests)
