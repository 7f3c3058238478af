// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "tracefs/sources/events.h"
#include "fake.h"

static const char *resolve(struct fake *f, const char *const *patterns, struct kft_err *e)
{
	static char text[1024];
	struct kft_plan plan = {};
	struct kft_event_choices c;
	size_t len = 0;

	for (; *patterns; patterns++)
		assert_int_equal(kft_plan_add_event(&plan, *patterns, NULL, NULL), 0);
	*text = '\0';
	int r = kft_event_choices_resolve(f->host, &plan, &c, e);
	if (r == 0) {
		kft_vec_for_each(&c.choices, it) {
			len += snprintf(text + len, sizeof(text) - len, "%s:%s=%zu ",
					it->system, it->name, it->pattern);
		}
		kft_event_choices_finish(&c);
	}
	kft_plan_finish(&plan);
	return r < 0 ? NULL : text;
}

#define RESOLVE(f, e, ...) resolve(f, (const char *const[]){__VA_ARGS__, NULL}, e)

static void patterns_choose_events(void **state)
{
	struct fake *f = *state;

	assert_string_equal(RESOLVE(f, NULL, "sched:sched_switch"),
			    "sched:sched_switch=0 ");
	assert_string_equal(RESOLVE(f, NULL, "sched"),
			    "sched:sched_switch=0 sched:sched_wakeup=0 ");
	assert_string_equal(RESOLVE(f, NULL, "[is]*:*_[ew]*"),
			    "sched:sched_wakeup=0 irq:irq_handler_entry=0 ");
	assert_string_equal(RESOLVE(f, NULL, "*_entry"), "irq:irq_handler_entry=0 ");
	assert_string_equal(RESOLVE(f, NULL, "sched_wakeup"), "sched:sched_wakeup=0 ");
}

static void a_later_pattern_wins(void **state)
{
	struct fake *f = *state;

	assert_string_equal(RESOLVE(f, NULL, "sched", "*:sched_wakeup", "irq"),
			    "sched:sched_switch=0 sched:sched_wakeup=1 "
			    "irq:irq_handler_entry=2 ");
}

static void excluded_events_are_not_chosen(void **state)
{
	struct fake *f = *state;
	struct kft_err e;

	assert_string_equal(RESOLVE(f, NULL, "sched", "!sched:*_wakeup"),
			    "sched:sched_switch=0 ");
	assert_string_equal(RESOLVE(f, NULL, "!sched", "sched", "irq"),
			    "irq:irq_handler_entry=2 ");
	assert_null(RESOLVE(f, &e, "sched", "!sched:sched_swich"));
	assert_int_equal(e.code, -ENOENT);
	assert_string_equal(e.hint, "did you mean 'sched:sched_switch'?");
	struct kft_plan plan = {};
	assert_int_equal(kft_plan_add_event(&plan, "!irq", "irq == 1", &e), -EINVAL);
	assert_int_equal(kft_plan_add_event(&plan, "!", NULL, &e), -EINVAL);
	kft_plan_finish(&plan);
}

static void unknown_events_have_neighbours(void **state)
{
	struct fake *f = *state;
	struct kft_err e;

	assert_null(RESOLVE(f, &e, "sched", "sched:sched_swich"));
	assert_int_equal(e.code, -ENOENT);
	assert_string_equal(e.msg, "this kernel has no event 'sched:sched_swich'");
	assert_string_equal(e.hint, "did you mean 'sched:sched_switch'?");
	assert_null(RESOLVE(f, &e, "sched_wakup"));
	assert_string_equal(e.hint, "did you mean 'sched_wakeup'?");
	assert_null(RESOLVE(f, &e, "ftrace:function"));
	assert_non_null(strstr(e.hint, "tracers"));
	assert_null(RESOLVE(f, &e, "zzzzzz*"));
	assert_non_null(strstr(e.hint, "kft list"));
}

/* The template serves as the instance here. */
#define INSTANCE "template"

static char noted[512];

static void keep_note(void *arg, const char *text)
{
	(void)snprintf(noted, sizeof(noted), "%s", text);
}

static int enable(struct fake *f, const char *pattern, const char *filter,
		  struct kft_err *e)
{
	struct kft_notify notify = {.note = keep_note};
	struct kft_plan plan = {};
	struct kft_event_choices c;
	_cleanup_close_ int fd = openat(f->host->root_fd, INSTANCE,
					O_PATH | O_DIRECTORY | O_CLOEXEC);

	*noted = '\0';
	assert_int_equal(kft_plan_add_event(&plan, pattern, filter, NULL), 0);
	assert_int_equal(kft_event_choices_resolve(f->host, &plan, &c, NULL), 0);
	struct kft_ledger ledger = {.host = f->host, .dir_fd = -1};
	struct kft_tracefs_dir place = {.ledger = &ledger, .fd = fd};
	int r = kft_event_choices_enable(&c, &place, &notify, e);
	kft_event_choices_finish(&c);
	kft_plan_finish(&plan);
	return r;
}

static void chosen_events_are_filtered_and_enabled(void **state)
{
	struct fake *f = *state;

	assert_int_equal(enable(f, "sched", "common_pid == 1", NULL), 0);
	assert_string_equal(fake_read(f, INSTANCE "/events/sched/sched_switch/enable"),
			    "1");
	assert_string_equal(fake_read(f, INSTANCE "/events/sched/sched_wakeup/enable"),
			    "1");
	assert_string_equal(fake_read(f, INSTANCE "/events/sched/sched_wakeup/filter"),
			    "common_pid == 1");
	assert_string_equal(fake_read(f, INSTANCE "/events/irq/irq_handler_entry/enable"),
			    "0\n");
	assert_string_equal(noted, "");
}

static void some_may_refuse(void **state)
{
	struct fake *f = *state;

	fake_template_remove(f, "events/sched/sched_wakeup/enable");
	fake_mkdir(f, INSTANCE "/events/sched/sched_wakeup/enable");
	assert_int_equal(enable(f, "sched", NULL, NULL), 0);
	assert_string_equal(noted, "1 of 2 events of 'sched' are not recorded: cannot "
				   "enable event sched:sched_wakeup: Is a directory");
}

static void but_not_all(void **state)
{
	struct fake *f = *state;
	struct kft_err e;

	fake_template_remove(f, "events/irq/irq_handler_entry/filter");
	assert_int_equal(enable(f, "irq", "irq == 3", &e), -ENOENT);
	assert_non_null(strstr(e.msg, "irq:irq_handler_entry"));
	/* Never without its filter. */
	assert_string_equal(fake_read(f, INSTANCE "/events/irq/irq_handler_entry/enable"),
			    "0\n");
}

#define FAKE_TEST(fn) \
	cmocka_unit_test_setup_teardown(fn, fake_tracefs_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(patterns_choose_events),
	FAKE_TEST(a_later_pattern_wins),
	FAKE_TEST(excluded_events_are_not_chosen),
	FAKE_TEST(unknown_events_have_neighbours),
	FAKE_TEST(chosen_events_are_filtered_and_enabled),
	FAKE_TEST(some_may_refuse),
	FAKE_TEST(but_not_all),
};

T_MAIN(tests)
