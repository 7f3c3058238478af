// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every function of the installed headers, called with NULL where something is needed and
 * out of order: an error or nothing, never a crash, and nothing left in the kernel.
 */
#include "dat.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/wait.h>

#include <kft/pause.h>
#include <kft/reset.h>
#include <kft/session.h>
#include <kft/snapshot.h>
#include <kft/trace.h>

#include "base/io.h"
#include "fake.h"
#include "tmpdir.h"

#define REFUSED(call)                              \
	do {                                       \
		struct kft_err e = {};             \
		struct kft_err *const err = &e;    \
                                                   \
		assert_int_equal(call, -EINVAL);   \
		assert_int_equal(e.code, -EINVAL); \
		assert_true(e.msg[0]);             \
		(void)err;                         \
	} while (0)

static void plans(void)
{
	struct kft_plan p = {};
	struct kft_plan_trigger t = {};

	REFUSED(kft_plan_add_event(NULL, "sched", NULL, err));
	REFUSED(kft_plan_add_event(&p, NULL, NULL, err));
	REFUSED(kft_plan_add_event(&p, "", NULL, err));
	REFUSED(kft_plan_add_for(NULL, "why", err));
	REFUSED(kft_plan_add_for(&p, NULL, err));
	REFUSED(kft_plan_add_for(&p, "whynot", err));
	REFUSED(kft_plan_add_pid(NULL, 1, err));
	REFUSED(kft_plan_add_pid(&p, 0, err));
	REFUSED(kft_plan_add_probe(NULL, false, "f", err));
	REFUSED(kft_plan_add_probe(&p, false, NULL, err));
	REFUSED(kft_plan_add_probe(&p, true, "f", err));
	REFUSED(kft_plan_set_name(NULL, "a", err));
	REFUSED(kft_plan_set_name(&p, NULL, err));
	REFUSED(kft_plan_set_name(&p, "a/b", err));
	REFUSED(kft_plan_set_samples(NULL, NULL, err));
	REFUSED(kft_plan_set_samples(&p, "x", err));
	REFUSED(kft_plan_set_clock(NULL, "mono", err));
	REFUSED(kft_plan_set_clock(&p, NULL, err));
	REFUSED(kft_plan_set_clock(&p, "", err));
	REFUSED(kft_plan_add_function(NULL, "f", err));
	REFUSED(kft_plan_add_function(&p, NULL, err));
	REFUSED(kft_plan_exclude_function(NULL, "f", err));
	REFUSED(kft_plan_exclude_function(&p, NULL, err));
	REFUSED(kft_plan_add_entered(NULL, "f", err));
	REFUSED(kft_plan_add_entered(&p, NULL, err));
	REFUSED(kft_plan_add_root(NULL, "f", err));
	REFUSED(kft_plan_add_root(&p, NULL, err));
	REFUSED(kft_plan_trigger_set_function(NULL, KFT_TRIGGER_ENTRY, "f", err));
	REFUSED(kft_plan_trigger_set_function(&t, KFT_TRIGGER_ENTRY, NULL, err));
	REFUSED(kft_plan_trigger_set_event(NULL, "sched:sched_switch", NULL, err));
	REFUSED(kft_plan_trigger_set_event(&t, NULL, NULL, err));
	REFUSED(kft_plan_add_comm(NULL, "c", err));
	REFUSED(kft_plan_add_comm(&p, NULL, err));
	assert_int_equal(kft_plan_add_event(&p, NULL, NULL, NULL), -EINVAL);
	kft_plan_functions_finish(NULL);
	kft_plan_finish(NULL);
	kft_plan_finish(&p);
	kft_plan_finish(&p);
}

/* Sessions without a name that could be one: this machine's own are left alone. */
static void detached_sessions(void)
{
	static const char *const names[] = {"", ".", "../kft", "a/b", "record+a", "a\nb"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		REFUSED(kft_pause(names[i], err));
		REFUSED(kft_resume(names[i], err));
		REFUSED(kft_snapshot(names[i], NULL, NULL, err));
		REFUSED(kft_snapshot(names[i], "x.dat", "why", err));
	}
	assert_int_equal(kft_pause("a/b", NULL), -EINVAL);
	assert_int_equal(kft_resume("a/b", NULL), -EINVAL);
	assert_int_equal(kft_snapshot("a/b", NULL, NULL, NULL), -EINVAL);
}

static void hosts(const struct fake *f)
{
	struct kft_host *h;

	REFUSED(kft_host_open(NULL, NULL, err));
	assert_null(kft_host_close(NULL));
	assert_int_equal(kft_host_open(f->root, &h, NULL), 0);
	REFUSED(kft_reset(h, NULL, err));
	assert_null(kft_host_close(h));
	struct kft_reset_report report;
	REFUSED(kft_reset(NULL, &report, err));
	kft_reset_report_finish(NULL);
}

static void session_without_one(void)
{
	struct kft_progress progress;
	struct kft_session *s;
	struct pollfd fd = {.fd = -1};
	struct kft_session_opts opts = {.size = sizeof(opts)};
	struct kft_session_opts sizeless = {.output = "x.dat"};
	struct kft_session_opts nameless = {.size = sizeof(opts), .output = ""};
	struct kft_session_opts version = {
		.size = sizeof(opts), .output = "x.dat", .file_version = 5};
	struct kft_plan p = {.size = sizeof(p)};
	struct kft_plan sizeless_plan = {};
	struct kft_plan wild_plan = {.size = SIZE_MAX};

	REFUSED(kft_session_open(&sizeless_plan, &opts, &s, err));
	REFUSED(kft_session_open(&wild_plan, &opts, &s, err));
	REFUSED(kft_session_open(NULL, &opts, &s, err));
	REFUSED(kft_session_open(&p, NULL, &s, err));
	REFUSED(kft_session_open(&p, &opts, NULL, err));
	REFUSED(kft_session_open(&p, &sizeless, &s, err));
	REFUSED(kft_session_open(&p, &nameless, &s, err));
	REFUSED(kft_session_open(&p, &version, &s, err));
	REFUSED(kft_session_start(NULL, err));
	REFUSED(kft_session_wait(NULL, &fd, 1, 0, err));
	REFUSED(kft_session_stop(NULL, err));
	REFUSED(kft_session_pause(NULL, err));
	REFUSED(kft_session_resume(NULL, err));
	assert_null(kft_session_reader(NULL));
	assert_null(kft_session_trace(NULL));
	assert_int_equal(kft_session_fd(NULL), -EINVAL);
	assert_int_equal(kft_session_progress(NULL, &progress), -EINVAL);
	assert_int_equal(kft_session_close(NULL, NULL), 0);
}

/* Members of a later version are refused unless they are zero. */
static void session_of_a_later_version(const struct fake *f)
{
	struct {
		struct kft_session_opts opts;
		uint64_t later;
	} o = {.opts = {.size = sizeof(o), .host = f->host}, .later = 1};
	struct {
		struct kft_plan plan;
		uint64_t later;
	} p = {.plan = {.size = sizeof(p)}};
	struct kft_session *s = NULL;
	struct kft_err e = {};

	assert_int_equal(kft_plan_add_event(&p.plan, "sched", NULL, NULL), 0);
	assert_int_equal(kft_session_open(&p.plan, &o.opts, &s, &e), -E2BIG);
	assert_true(e.msg[0]);
	o.later = 0;
	p.later = 1;
	assert_int_equal(kft_session_open(&p.plan, &o.opts, &s, &e), -E2BIG);
	p.later = 0;
	assert_int_equal(kft_session_open(&p.plan, &o.opts, &s, &e), 0);
	assert_int_equal(kft_session_close(s, NULL), 0);
	kft_plan_finish(&p.plan);
}

/* A program that was built with shorter structs has something else behind them. */
static void session_of_an_earlier_version(const struct fake *f)
{
	struct kft_session_opts opts = {
		.size = offsetof(struct kft_session_opts, stream_fd),
		.host = f->host,
		.stream_fd = -1,
		.plain = true};
	struct kft_plan p = {.size = offsetof(struct kft_plan, intervals),
			     .n_intervals = 1};
	struct kft_progress progress = {.size = offsetof(struct kft_progress, lost),
					.events = UINT64_MAX,
					.lost = 4711,
					.over = true};
	struct kft_session *s = NULL;

	assert_int_equal(kft_plan_add_event(&p, "sched", NULL, NULL), 0);
	assert_int_equal(kft_session_open(&p, &opts, &s, NULL), 0);
	assert_int_equal(kft_session_progress(s, &progress), 0);
	assert_int_equal(progress.size, offsetof(struct kft_progress, lost));
	assert_int_equal(progress.events, 0);
	assert_int_equal(progress.lost, 4711);
	assert_true(progress.over);
	progress.size = 0;
	assert_int_equal(kft_session_progress(s, &progress), -EINVAL);
	progress.size = SIZE_MAX;
	assert_int_equal(kft_session_progress(s, &progress), -EINVAL);
	assert_int_equal(kft_session_close(s, NULL), 0);
	p.n_intervals = 0;
	kft_plan_finish(&p);
}

static void steps_out_of_order(const struct fake *f, const char *output)
{
	struct kft_session_opts opts = {
		.size = sizeof(opts), .host = f->host, .output = output};
	struct pollfd fd = {.fd = -1};
	struct kft_session *s = NULL;
	struct kft_plan p = {.size = sizeof(p)};

	/* A plan without anything to record, and options that exclude each other. */
	REFUSED(kft_session_open(&p, &opts, &s, err));
	assert_int_equal(kft_plan_add_event(&p, "sched", NULL, NULL), 0);
	p.overwrite = !output;
	if (!output)
		REFUSED(kft_session_open(&p, &opts, &s, err));
	p.overwrite = false;
	assert_int_equal(kft_session_open(&p, &opts, &s, NULL), 0);
	REFUSED(kft_session_wait(s, &fd, 1, 0, err));
	REFUSED(kft_session_stop(s, err));
	REFUSED(kft_session_pause(s, err));
	REFUSED(kft_session_resume(s, err));
	assert_int_equal(kft_session_start(s, NULL), 0);
	assert_int_equal(kft_session_resume(s, NULL), 0);
	assert_int_equal(kft_session_pause(s, NULL), 0);
	assert_int_equal(kft_session_pause(s, NULL), 0);
	assert_int_equal(kft_session_wait(s, NULL, 0, 0, NULL), 0);
	REFUSED(kft_session_start(s, err));
	assert_int_equal(kft_session_resume(s, NULL), 0);
	REFUSED(kft_session_start(s, err));
	REFUSED(kft_session_wait(s, NULL, 1, 0, err));
	assert_int_equal(kft_session_progress(s, NULL), -EINVAL);
	assert_int_equal(kft_session_wait(s, NULL, 0, 0, NULL), 0);
	assert_int_equal(kft_session_stop(s, NULL), 0);
	REFUSED(kft_session_stop(s, err));
	REFUSED(kft_session_wait(s, &fd, 1, 0, err));
	REFUSED(kft_session_pause(s, err));
	REFUSED(kft_session_resume(s, err));
	REFUSED(kft_session_start(s, err));
	/* The caller cannot destroy the objects that the session owns. */
	assert_null(kft_reader_destroy(kft_session_reader(s)));
	assert_null(kft_trace_close(kft_session_trace(s)));
	assert_int_equal(kft_session_fd(s) >= 0, !output);
	assert_int_equal(kft_session_close(s, NULL), 0);
	kft_plan_finish(&p);
	assert_int_equal(fake_instances(f), 0);
}

/* All that a child of fork() may try with the session of its parent: 0, or the line that failed. */
static int try_in_child(struct kft_session *s)
{
	struct kft_progress progress = {.size = sizeof(progress)};
	struct kft_err e = {};

	if (kft_session_wait(s, NULL, 0, 0, NULL) != -EINVAL ||
	    kft_session_pause(s, NULL) != -EINVAL ||
	    kft_session_resume(s, NULL) != -EINVAL ||
	    kft_session_start(s, NULL) != -EINVAL ||
	    kft_session_stop(s, NULL) != -EINVAL ||
	    kft_session_progress(s, &progress) != -EINVAL ||
	    kft_session_fd(s) != -EINVAL || kft_session_reader(s) || kft_session_trace(s))
		return __LINE__;
	return kft_session_close(s, &e) == -EINVAL && strstr(e.msg, "belongs to process")
		       ? 0
		       : __LINE__;
}

static void session_of_the_parent(const struct fake *f)
{
	struct kft_session_opts opts = {.size = sizeof(opts), .host = f->host};
	struct kft_plan p = {.size = sizeof(p)};
	struct kft_session *s = NULL;
	int status;

	assert_int_equal(kft_plan_add_event(&p, "sched", NULL, NULL), 0);
	assert_int_equal(kft_session_open(&p, &opts, &s, NULL), 0);
	assert_int_equal(kft_session_start(s, NULL), 0);
	pid_t pid = fork();
	if (pid == 0)
		_exit(try_in_child(s) != 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(fake_instances(f), 1);
	assert_int_equal(kft_session_wait(s, NULL, 0, 0, NULL), 0);
	assert_int_equal(kft_session_stop(s, NULL), 0);
	assert_int_equal(kft_session_close(s, NULL), 0);
	kft_plan_finish(&p);
}

static void sessions(const struct fake *f)
{
	struct tmpdir *d;

	assert_int_equal(tmpdir_setup((void **)&d), 0);
	session_without_one();
	session_of_a_later_version(f);
	session_of_an_earlier_version(f);
	session_of_the_parent(f);
	steps_out_of_order(f, NULL);
	steps_out_of_order(f, tmpdir_path(d, "x.dat"));
	assert_int_equal(tmpdir_teardown((void **)&d), 0);
}

static void nothing_of_no_trace(const struct kft_event *ev, const struct kft_field *field)
{
	struct kft_trace *t;
	struct kft_reader *r;
	struct kft_event_type kind = {.size = sizeof(kind)};
	size_t place = 0;
	uint64_t number;
	const char *str;
	size_t len;

	REFUSED(kft_trace_open(NULL, &t, err));
	REFUSED(kft_trace_open("x.dat", NULL, err));
	assert_null(kft_trace_close(NULL));
	assert_false(kft_trace_damage(NULL, NULL));
	assert_false(kft_trace_is_unfinished(NULL));
	assert_int_equal(kft_trace_cpu_count(NULL), 0);
	assert_null(kft_trace_buffer_name(NULL, 0));
	assert_null(kft_trace_buffer_clock(NULL, 0));
	assert_false(kft_trace_buffer_is_ns(NULL, 0));
	assert_string_equal(kft_trace_comm(NULL, 1), "<...>");
	assert_null(kft_trace_event_system(NULL, ev));
	assert_null(kft_trace_event_name(NULL, ev));
	assert_null(kft_trace_field(NULL, ev, "n"));
	assert_false(kft_trace_next_event_type(NULL, &place, &kind));
	assert_null(kft_trace_kind_field(NULL, 1, 0));
	assert_false(kft_trace_field_int(NULL, ev, field, &number));
	assert_false(kft_trace_field_str(NULL, ev, field, &str, &len));
	REFUSED(kft_reader_create(NULL, NULL, &r, err));
}

static void nothing_of_no_event(struct kft_trace *t, const struct kft_event *ev,
				const struct kft_field *field)
{
	struct kft_field_info info = {.size = sizeof(info)};
	struct kft_event_type kind = {.size = sizeof(kind)};
	size_t place = 0;
	uint64_t number;
	const char *str;
	size_t len;

	assert_null(kft_trace_event_system(t, NULL));
	assert_null(kft_trace_event_name(t, NULL));
	assert_null(kft_trace_field(t, NULL, "n"));
	assert_null(kft_trace_field(t, ev, NULL));
	assert_false(kft_trace_field_int(t, NULL, field, &number));
	assert_false(kft_trace_field_int(t, ev, NULL, &number));
	assert_false(kft_trace_field_int(t, ev, field, NULL));
	assert_false(kft_trace_field_str(t, NULL, field, &str, &len));
	assert_false(kft_trace_field_str(t, ev, NULL, &str, &len));
	assert_false(kft_trace_field_str(t, ev, field, NULL, NULL));
	assert_false(kft_trace_next_event_type(t, NULL, &kind));
	assert_false(kft_trace_next_event_type(t, &place, NULL));
	kft_field_info(NULL, &info);
	kft_field_info(field, NULL);
	kind.size = 0;
	assert_false(kft_trace_next_event_type(t, &place, &kind));
	info.size = 0;
	kft_field_info(field, &info);
}

static void readers(struct kft_trace *t, struct kft_reader *r, const struct kft_event *ev)
{
	struct kft_reader *other;
	const char *text;

	REFUSED(kft_reader_create(t, NULL, NULL, err));
	assert_int_equal(kft_reader_next(NULL, &ev), -EINVAL);
	assert_int_equal(kft_reader_next(r, NULL), -EINVAL);
	assert_int_equal(kft_reader_text(NULL, ev, &text), -EINVAL);
	assert_int_equal(kft_reader_text(r, NULL, &text), -EINVAL);
	assert_int_equal(kft_reader_text(r, ev, NULL), -EINVAL);
	assert_null(kft_reader_destroy(NULL));
	/* One reader at a time. */
	assert_int_equal(kft_reader_create(t, NULL, &other, NULL), -EBUSY);
	/* The reader is destroyed behind its trace. */
	assert_null(kft_trace_close(t));
	assert_null(kft_reader_destroy(r));
}

static void traces(void)
{
	struct kft_reader_opts holes = {};
	const struct kft_event *ev;
	struct kft_reader *r;
	struct kft_trace *t;
	struct tmpdir *d;
	struct t_dat dat;

	assert_int_equal(tmpdir_setup((void **)&d), 0);
	t_dat_build(&dat, &(struct t_dat_spec){});
	tmpdir_write(d, "x.dat", dat.bytes.buf, dat.bytes.len);
	t_dat_finish(&dat);
	assert_int_equal(kft_trace_open(tmpdir_path(d, "x.dat"), &t, NULL), 0);
	REFUSED(kft_reader_create(t, &holes, &r, err));
	holes = (struct kft_reader_opts){.size = sizeof(holes), .n_events = 1};
	REFUSED(kft_reader_create(t, &holes, &r, err));
	holes = (struct kft_reader_opts){.size = sizeof(holes), .n_cpus = 1};
	REFUSED(kft_reader_create(t, &holes, &r, err));
	/* Members beyond the end of a shorter struct are not read. */
	holes.size = offsetof(struct kft_reader_opts, cpus);
	assert_int_equal(kft_reader_create(t, &holes, &r, NULL), 0);
	assert_null(kft_reader_destroy(r));
	assert_int_equal(kft_reader_create(t, NULL, &r, NULL), 0);
	assert_int_equal(kft_reader_next(r, &ev), 1);
	const struct kft_field *field = kft_trace_field(t, ev, "n");
	assert_non_null(field);
	nothing_of_no_trace(ev, field);
	nothing_of_no_event(t, ev, field);
	readers(t, r, ev);
	assert_int_equal(tmpdir_teardown((void **)&d), 0);
}

static void no_misuse_crashes_or_leaves_anything(void **state)
{
	struct fake *f = *state;

	plans();
	hosts(f);
	traces();
	detached_sessions();
	sessions(f);
}

/* Appends the file without its comments. */
static void add_code(struct kft_strbuf *sb, int dirfd, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	const char *end;

	assert_int_equal(kft_read_at(dirfd, name, 1 << 20, &text), 0);
	for (const char *p = kft_strbuf_cstr(&text); *p; p = end + 2) {
		const char *start = strstr(p, "/*");

		kft_strbuf_add(sb, p, start ? (size_t)(start - p) : strlen(p));
		end = start ? strstr(start, "*/") : NULL;
		if (!end)
			break;
	}
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* The next "kft_...(" from *p on, which is stepped behind it. */
static bool next_function(const char **p, char *ret, size_t size)
{
	const char *paren = strchr(*p, '(');

	for (; paren; paren = strchr(paren + 1, '(')) {
		const char *start = paren;

		while (start > *p && is_name(start[-1]))
			start--;
		if (strncmp(start, "kft_", 4))
			continue;
		(void)snprintf(ret, size, "%.*s(", (int)(paren - start), start);
		*p = paren + 1;
		return true;
	}
	return false;
}

static void every_installed_function_is_misused_here(void **state)
{
	_cleanup_close_ int top = open(getenv("KFT_SOURCE_ROOT"),
				       O_PATH | O_DIRECTORY | O_CLOEXEC);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf headers = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf test = {};
	static const char *const names[] = {"plan",  "host",   "reset",
					    "error", "notify", "session",
					    "trace", "pause",  "snapshot"};
	char name[64];
	size_t n = 0;

	assert_true(top >= 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		(void)snprintf(name, sizeof(name), "include/kft/%s.h", names[i]);
		add_code(&headers, top, name);
	}
	assert_int_equal(kft_read_at(top, "tests/unit/t_misuse.c", 1 << 20, &test), 0);
	for (const char *p = kft_strbuf_cstr(&headers);
	     next_function(&p, name, sizeof(name)); n++)
		if (!strstr(kft_strbuf_cstr(&test), name))
			fail_msg("%s) is not misused", name);
	assert_true(n > 30);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(no_misuse_crashes_or_leaves_anything,
					fake_tracefs_setup, fake_teardown),
	cmocka_unit_test(every_installed_function_is_misused_here),
};

T_MAIN(tests)
