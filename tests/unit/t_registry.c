// SPDX-License-Identifier: GPL-2.0-only
#include "dat.h"

#include <errno.h>
#include <sys/stat.h>

#include "file/registry.h"
#include "tmpdir.h"

static void check_refused(struct tmpdir *d, const char *name, int code, const char *word)
{
	struct kft_trace *t;
	struct kft_err e = {};

	assert_int_equal(kft_file_open(tmpdir_path(d, name), &t, &e), code);
	assert_int_equal(e.code, code);
	assert_non_null(strstr(e.msg, name));
	assert_non_null(strstr(e.msg, word));
	assert_int_equal(kft_file_open(tmpdir_path(d, name), &t, NULL), code);
}

static void what_is_no_trace_is_refused_with_its_name(void **state)
{
	struct tmpdir *d = *state;

	check_refused(d, "missing", -ENOENT, "No such file");
	tmpdir_write(d, "empty", "", 0);
	check_refused(d, "empty", -ENODATA, "is empty");
	tmpdir_write(d, "text", "hello, this is no trace at all", 30);
	check_refused(d, "text", -EINVAL, "unknown trace format");
	tmpdir_write(d, "short", "\x17\x08\x44trac", 7);
	check_refused(d, "short", -EINVAL, "unknown trace format");
	tmpdir_write(d, "cut", "\x17\x08\x44tracing7\0\0", 13);
	check_refused(d, "cut", -ENODATA, "ends");
	tmpdir_write(d, "old", "\x17\x08\x44tracing5\0\0\10aaaa", 18);
	check_refused(d, "old", -ENOTSUP, "version");
	tmpdir_write(d, "lz4", "\x17\x08\x44tracing7\0\0\10\0\20\0\0lz4\0\0AAAAAAAA", 31);
	check_refused(d, "lz4", -ENOTSUP, "'lz4'");
}

static void check_hint(struct tmpdir *d, const char *text, size_t len, const char *word)
{
	struct kft_trace *t;
	struct kft_err e = {};

	tmpdir_write(d, "other", text, len);
	assert_int_equal(kft_file_open(tmpdir_path(d, "other"), &t, &e), -EINVAL);
	if (word)
		assert_non_null(strstr(e.hint, word));
	else
		assert_string_equal(e.hint, "");
}

static void formats_that_are_not_read_are_named(void **state)
{
	static const struct {
		const char *text;
		const char *word;
	} texts[] = {
		{"# tracer: nop\n#\n", "tracefs"},
		{"<!DOCTYPE html>\n<html>", "HTML"},
		{"{\"traceEvents\":[", "Chrome"},
		{"[{\"name\":\"x\",\"ph\":\"B\"}", "Chrome"},
		{"sleep  4242 [001]   100.000001: sched:sched_switch: a", "perf script"},
		{"perf-exec 17/17  12.345678:     250000 cpu-clock:pppH:  ffff",
		 "perf script"},
		{"cpus=2\n   sleep-42 [001] 1.000001: x: y", "trace-cmd"},
		{"           <...>-42    [000] d..2.  100.000001: sched_switch: a",
		 "trace-cmd"},
		{"execve(\"/bin/ls\", [\"ls\"], 0x7ffd /* 9 vars */) = 0\n", "strace"},
		{"[pid  12] 10:00:00.1 read(3, \"\", 1) = ?\n", "strace"},
		{"\n\2xy\n\1"
		 "c",
		 "Perfetto"},
		{"Ftrace!", "uftrace"},
		{"# DURATION     TID     FUNCTION\n", "uftrace prints"},
		{"   1.234 us [ 12345] |   foo();\n", "uftrace prints"},
		{"% time     seconds  usecs/call     calls    errors syscall\n",
		 "strace -c"},
		{"hello (world) = nothing\n", NULL},
		{"\n\n\n", NULL},
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		check_hint(*state, texts[i].text, strlen(texts[i].text), texts[i].word);
}

static void nothing_but_a_regular_file_is_read(void **state)
{
	struct tmpdir *d = *state;
	struct kft_trace *t;
	struct kft_err e = {};

	assert_int_equal(mkdir(tmpdir_path(d, "dir"), 0700), 0);
	check_refused(d, "dir", -EISDIR, "directory");
	tmpdir_write(d, "dir/info", "Ftrace!", 8);
	assert_int_equal(kft_file_open(tmpdir_path(d, "dir"), &t, &e), -EISDIR);
	assert_non_null(strstr(e.hint, "uftrace"));
	/* Without a writer a blocking open would never return. */
	assert_int_equal(mkfifo(tmpdir_path(d, "fifo"), 0600), 0);
	check_refused(d, "fifo", -EINVAL, "regular");
}

static void the_format_is_told_by_the_content(void **state)
{
	struct tmpdir *d = *state;
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_err e = {};
	struct t_dat dat;

	t_dat_build(&dat, &(struct t_dat_spec){});
	tmpdir_write(d, "any.name", dat.bytes.buf, dat.bytes.len);
	assert_int_equal(kft_file_open(tmpdir_path(d, "any.name"), &t, &e), 0);
	assert_int_equal(t->buffers.len, 1);
	assert_int_equal(t->damage.code, 0);
	t_dat_finish(&dat);
}

/* A KPTrace file with the time of day as its clock has a long first line. */
static void times_of_day_are_those_of_a_trace(void **state)
{
	static const char text[] = "1795272716.315144 140 C 140 17\n";
	struct tmpdir *d = *state;
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_err e = {};

	tmpdir_write(d, "day.kpt", text, strlen(text));
	assert_int_equal(kft_file_open(tmpdir_path(d, "day.kpt"), &t, &e), 0);
	assert_int_equal(t->buffers.data[0].streams.len, 1);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(what_is_no_trace_is_refused_with_its_name,
					tmpdir_setup, tmpdir_teardown),
	cmocka_unit_test_setup_teardown(formats_that_are_not_read_are_named, tmpdir_setup,
					tmpdir_teardown),
	cmocka_unit_test_setup_teardown(nothing_but_a_regular_file_is_read, tmpdir_setup,
					tmpdir_teardown),
	cmocka_unit_test_setup_teardown(the_format_is_told_by_the_content, tmpdir_setup,
					tmpdir_teardown),
	cmocka_unit_test_setup_teardown(times_of_day_are_those_of_a_trace, tmpdir_setup,
					tmpdir_teardown),
};

T_MAIN(tests)
