// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>

#include "tracefs/sources/hist.h"
#include "fake.h"
#include "plan/intervals.h"

#define TOP   FAKE_TRACEFS "/"
#define MINE  TOP "instances/kft-a/"
#define BEGIN "events/irq/irq_handler_entry/"
#define END   "events/irq/irq_handler_exit/"
#define VOID  "events/sched/sched_process_exit/"
#define SYNTH "events/synthetic/kft_1/"

struct hist {
	struct kft_ledger ledger;
	struct kft_tracefs_dir place;
	struct kft_plan plan;
};

static void begin(struct fake *f, struct hist *h)
{
	static char filter[] = "irq == 24";
	static char cancelled[] = "prio == 1";
	static char name[] = "kft_1";
	const struct kft_plan_interval i = {
		.name = name,
		.begin = {"irq:irq_handler_entry", "common_cpu,irq", filter},
		.end = {"irq:irq_handler_exit", "common_cpu,irq", NULL},
		.cancel = {"sched:sched_process_exit", "pid", cancelled},
		.key = "unsigned int irq",
		.room = 64,
		.min_ns = 5000000,
	};

	*h = (struct hist){};
	assert_int_equal(kft_plan_add_interval(&h->plan, &i, NULL), 0);
	fake_write(f, TOP "synthetic_events", "");
	fake_write(f, MINE "trace_clock", "local global [mono] boot\n");
	fake_write(f, MINE BEGIN "trigger", "");
	fake_write(f, MINE END "trigger", "");
	fake_write(f, MINE VOID "trigger", "");
	fake_write(f, MINE SYNTH "enable", "0\n");
	fake_write(f, MINE SYNTH "filter", "none\n");
	fake_mkdir(f, "run");
	int fd = openat(f->host->root_fd, "run", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(kft_ledger_init(&h->ledger, f->host, fd, NULL), 0);
	assert_int_equal(kft_tracefs_dir_open_instance(&h->ledger, "kft-a", &h->place),
			 0);
}

static void end(struct hist *h)
{
	kft_tracefs_dir_close(&h->place);
	(void)close(h->ledger.dir_fd);
	kft_plan_finish(&h->plan);
}

#define BEGIN_TEXT \
	"hist:keys=common_cpu,irq:ts0=common_timestamp:size=64:clock=mono if irq == 24"
#define END_TEXT                                                                  \
	"hist:keys=common_cpu,irq:lat0=common_timestamp-$ts0:size=64:clock=mono:" \
	"onmatch(irq.irq_handler_entry).trace(kft_1,$lat0,irq)"
#define VOID_TEXT \
	"hist:keys=pid:gone0=common_timestamp-$ts0:size=64:clock=mono if prio == 1"

static void the_kernel_is_told_and_gets_it_all_back(void **state)
{
	struct fake *f = *state;
	struct hist h;

	begin(f, &h);
	assert_int_equal(kft_hist_enable(&h.plan, &h.place, NULL), 0);
	assert_string_equal(fake_read(f, TOP "synthetic_events"),
			    "kft_1 u64 lat; unsigned int key");
	assert_string_equal(fake_read(f, MINE BEGIN "trigger"), BEGIN_TEXT);
	assert_string_equal(fake_read(f, MINE END "trigger"), END_TEXT);
	assert_string_equal(fake_read(f, MINE VOID "trigger"), VOID_TEXT);
	assert_string_equal(fake_read(f, MINE SYNTH "filter"), "lat > 5000000");
	assert_string_equal(fake_read(f, MINE SYNTH "enable"), "1");

	/* Plain files keep their old text when the undo writes to them: empty them first. */
	fake_write(f, MINE BEGIN "trigger", "");
	fake_write(f, MINE END "trigger", "");
	fake_write(f, MINE VOID "trigger", "");
	fake_write(f, TOP "synthetic_events", "");
	fake_mkdir(f, TOP "events/synthetic/kft_1");
	assert_int_equal(kft_ledger_undo(&h.ledger, NULL), 0);
	assert_string_equal(fake_read(f, MINE SYNTH "enable"), "0");
	assert_string_equal(fake_read(f, MINE END "trigger"), "!" END_TEXT);
	assert_string_equal(fake_read(f, MINE VOID "trigger"), "!" VOID_TEXT);
	assert_string_equal(fake_read(f, MINE BEGIN "trigger"), "!" BEGIN_TEXT);
	assert_string_equal(fake_read(f, TOP "synthetic_events"),
			    "!kft_1 u64 lat; unsigned int key");
	end(&h);
}

static void what_a_kernel_lacks_is_said(void **state)
{
	struct fake *f = *state;
	struct kft_err e;
	struct hist h;

	begin(f, &h);
	fake_remove(f, MINE END "trigger");
	assert_int_equal(kft_hist_enable(&h.plan, &h.place, &e), -ENOENT);
	assert_non_null(strstr(e.msg, "irq:irq_handler_exit"));
	fake_remove(f, TOP "synthetic_events");
	assert_int_equal(kft_hist_enable(&h.plan, &h.place, &e), -ENOENT);
	assert_string_equal(e.msg, "this kernel has no synthetic events");
	end(&h);
}

static void tables_that_fill_are_noticed(void **state)
{
	static const struct {
		const char *text;
		int is_filling;
	} tables[] = {
		{"{ irq: 24 } hitcount: 33\n\nTotals:\n    Hits: 99\n    Entries: 32\n"
		 "    Dropped: 0\n",
		 0},
		{"Totals:\n    Hits: 99\n    Entries: 33\n    Dropped: 0\n"
		 "Totals:\n    Hits: 99\n    Entries: 1\n    Dropped: 0\n",
		 1},
		{"Totals:\n    Hits: 99\n    Entries: 3\n    Dropped: 1\n", 1},
	};
	struct fake *f = *state;
	struct hist h;

	begin(f, &h);
	assert_int_equal(kft_hist_is_filling(&h.plan, h.place.fd), -ENOENT);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		fake_write(f, MINE BEGIN "hist", tables[0].text);
		fake_write(f, MINE END "hist", tables[i].text);
		fake_write(f, MINE VOID "hist", tables[0].text);
		assert_int_equal(kft_hist_is_filling(&h.plan, h.place.fd),
				 tables[i].is_filling);
	}
	fake_write(f, MINE END "hist", tables[0].text);
	fake_write(f, MINE VOID "hist", tables[1].text);
	assert_int_equal(kft_hist_is_filling(&h.plan, h.place.fd), 1);
	end(&h);
}

#define FAKE_TEST(test) \
	cmocka_unit_test_setup_teardown(test, fake_tracefs_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_TEST(the_kernel_is_told_and_gets_it_all_back),
		FAKE_TEST(what_a_kernel_lacks_is_said),
		FAKE_TEST(tables_that_fill_are_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
