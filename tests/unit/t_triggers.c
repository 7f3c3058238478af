// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "session/run/triggers.h"
#include "fake.h"

static int setup(void **state)
{
	int r = fake_setup(state);

	fake_mkdir(*state, "run");
	return r;
}

static void open_dir(struct fake *f, struct kft_rundir *d)
{
	assert_int_equal(kft_rundir_open(f->host, "a", true, d, NULL), 0);
}

static void functions_are_kept(void **state)
{
	struct fake *f = *state;
	struct kft_plan in = {};
	struct kft_plan out = {};
	struct kft_rundir d;

	open_dir(f, &d);
	assert_int_equal(kft_plan_trigger_set_function(&in.start, KFT_TRIGGER_ENTRY,
						       "vfs_read", NULL),
			 0);
	assert_int_equal(
		kft_plan_trigger_set_function(&in.stop, KFT_TRIGGER_EXIT, "0xc0de", NULL),
		0);
	assert_int_equal(kft_run_triggers_write(&d, &in, NULL), 0);
	assert_string_equal(fake_read(f, "run/kft/a/start"), "enter vfs_read");
	assert_int_equal(kft_run_triggers_read(&d, &out, NULL), 0);
	assert_int_equal(out.start.kind, KFT_TRIGGER_ENTRY);
	assert_string_equal(out.start.func.name, "vfs_read");
	assert_int_equal(out.stop.kind, KFT_TRIGGER_EXIT);
	assert_int_equal(out.stop.func.kind, KFT_FUNC_ADDR);
	assert_int_equal(out.stop.func.addr, 0xc0de);
	kft_plan_finish(&in);
	kft_plan_finish(&out);
	kft_rundir_close(&d);
}

static void events_are_kept_whatever_their_filters(void **state)
{
	static const char *const filters[] = {NULL, "comm == \"a b\"", "a == 1\n&& b"};
	struct fake *f = *state;
	struct kft_rundir d;

	open_dir(f, &d);
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		struct kft_plan in = {.stop = {.kind = KFT_TRIGGER_TIME, .time_ns = 7}};
		struct kft_plan out = {};

		assert_int_equal(kft_plan_trigger_set_event(&in.start,
							    "sched:sched_wakeup",
							    filters[i], NULL),
				 0);
		assert_int_equal(kft_run_triggers_write(&d, &in, NULL), 0);
		assert_int_equal(kft_run_triggers_read(&d, &out, NULL), 0);
		assert_string_equal(out.start.event.pattern, "sched:sched_wakeup");
		if (filters[i])
			assert_string_equal(out.start.event.filter, filters[i]);
		else
			assert_null(out.start.event.filter);
		assert_int_equal(out.stop.kind, KFT_TRIGGER_TIME);
		assert_int_equal(out.stop.time_ns, 7);
		kft_plan_finish(&in);
		kft_plan_finish(&out);
	}
	kft_rundir_close(&d);
}

static void none_replace_those_of_before(void **state)
{
	struct fake *f = *state;
	const struct kft_plan timed = {.stop = {.kind = KFT_TRIGGER_TIME, .time_ns = 7}};
	const struct kft_plan none = {};
	struct kft_plan out = {};
	struct kft_rundir d;

	open_dir(f, &d);
	assert_int_equal(kft_run_triggers_write(&d, &timed, NULL), 0);
	assert_int_equal(kft_run_triggers_write(&d, &none, NULL), 0);
	assert_int_equal(kft_run_triggers_read(&d, &out, NULL), 0);
	assert_int_equal(out.stop.kind, KFT_TRIGGER_NONE);
	kft_rundir_close(&d);
}

static void what_kft_did_not_write_is_refused(void **state)
{
	static const char *const texts[] = {"",		"enter",      "enter ",
					    "time x",	"time",	      "event sched",
					    "leave me", "enter vfs_*"};
	struct fake *f = *state;
	struct kft_rundir d;

	open_dir(f, &d);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct kft_plan out = {};
		struct kft_err e = {};

		fake_write(f, "run/kft/a/stop", texts[i]);
		assert_int_equal(kft_run_triggers_read(&d, &out, &e), -EINVAL);
		assert_string_equal(e.msg, "cannot understand the stop of session 'a'");
	}
	kft_rundir_close(&d);
}

#define WITH_DIR(f) cmocka_unit_test_setup_teardown(f, setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	WITH_DIR(functions_are_kept),
	WITH_DIR(events_are_kept_whatever_their_filters),
	WITH_DIR(none_replace_those_of_before),
	WITH_DIR(what_kft_did_not_write_is_refused),
};

T_MAIN(tests)
