// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/utsname.h>

#include "tracefs/detached/stack_tracer.h"
#include "fake.h"
#include "fake_graph.h"

#define ENABLED "proc/sys/kernel/stack_tracer_enabled"

struct watched {
	struct kft_ledger ledger;
	struct kft_tracefs_dir place;
	struct kft_plan plan;
	struct kft_session_state rec;
	uint64_t all; /* bytes of a stack */
};

static void begin(struct fake *f, struct watched *w, enum kft_watch_kind kind)
{
	struct utsname u;

	*w = (struct watched){
		.plan = {.functions = {.watch = kind, .watch_bytes = 4096}}};
	fake_graph_files(f, "a", true);
	fake_write(f, ENABLED, "0\n");
	fake_write(f, TOP "stack_max_size", "0\n");
	fake_write(f, TOP "stack_trace",
		   "        Depth    Size   Location    (2 entries)\n"
		   "        -----    ----   --------\n"
		   "  0)     7000      48   vfs_read+0x5/0x20\n"
		   " 10)      176     176   entry+0x6e/0xd8\n");
	int fd = openat(f->host->root_fd, "run", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(kft_ledger_init(&w->ledger, f->host, fd, NULL), 0);
	assert_int_equal(kft_tracefs_dir_open(&w->ledger, "a", true, &w->place), 0);
	assert_int_equal(uname(&u), 0);
	w->all = kft_watch_stack_bytes(u.machine);
}

static void end(struct watched *w)
{
	kft_tracefs_dir_close(&w->place);
	(void)close(w->ledger.dir_fd);
}

static void set_max(struct fake *f, uint64_t bytes)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%llu\n", (unsigned long long)bytes);
	fake_write(f, TOP "stack_max_size", text);
}

/* Whether the stack is lower than any before. */
static bool look(struct watched *w)
{
	uint64_t lowest = w->rec.lowest_stack_bytes;

	assert_int_equal(kft_watch_look(&w->place, &w->plan, &w->rec), 1);
	return w->rec.lowest_stack_bytes != lowest;
}

/* Markers are written one over the other into a plain file: the last one is seen. */
static const char *last_mark(struct fake *f)
{
	const char *text = fake_read(f, TOP "trace_marker");

	fake_write(f, TOP "trace_marker", "");
	return text;
}

static void the_tracer_is_armed_and_given_back(void **state)
{
	struct fake *f = *state;
	struct watched w;
	char text[32];

	begin(f, &w, KFT_WATCH_STACK);
	assert_int_equal(kft_watch_arm(&w.ledger, &w.plan, NULL), 0);
	assert_string_equal(fake_read(f, ENABLED), "1");
	(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)w.all - 4096);
	assert_string_equal(fake_read(f, TOP "stack_max_size"), text);
	assert_int_equal(kft_ledger_undo(&w.ledger, NULL), 0);
	assert_string_equal(fake_read(f, ENABLED), "0");
	assert_string_equal(fake_read(f, TOP "stack_max_size"), "0");
	end(&w);
}

static void what_cannot_be_is_refused(void **state)
{
	struct fake *f = *state;
	struct watched w;
	struct kft_err e = {};

	begin(f, &w, KFT_WATCH_STACK);
	fake_write(f, ENABLED, "1\n");
	assert_int_equal(kft_watch_arm(&w.ledger, &w.plan, &e), -EBUSY);
	fake_write(f, ENABLED, "0\n");
	w.plan.functions.watch_bytes = w.all;
	assert_int_equal(kft_watch_arm(&w.ledger, &w.plan, &e), -EINVAL);
	fake_remove(f, ENABLED);
	w.plan.functions.watch_bytes = 1;
	assert_int_equal(kft_watch_arm(&w.ledger, &w.plan, &e), -ENOENT);
	assert_non_null(strstr(e.hint, "CONFIG_STACK_TRACER"));
	w.plan.functions.watch = KFT_WATCH_NONE;
	assert_int_equal(kft_watch_arm(&w.ledger, &w.plan, &e), 0);
	assert_false(kft_ledger_exists(&w.ledger));
	end(&w);
}

static void each_new_low_is_saved_once(void **state)
{
	struct fake *f = *state;
	struct watched w;

	begin(f, &w, KFT_WATCH_WORST_STACK);
	set_max(f, w.all - 4096);
	assert_false(look(&w));
	assert_string_equal(last_mark(f), "");
	set_max(f, w.all - 3000);
	assert_true(look(&w));
	assert_int_equal(w.rec.lowest_stack_bytes, 3000);
	/* "kft: frame 176 176 entry+0x6e/0xd8" over longer ones. */
	assert_int_equal(strncmp(last_mark(f), "kft: frame 176 176 entry+0x6e/0xd8", 34),
			 0);
	assert_false(look(&w));
	assert_string_equal(last_mark(f), "");
	set_max(f, w.all - 2000);
	assert_true(look(&w));
	assert_int_equal(w.rec.lowest_stack_bytes, 2000);
	end(&w);
}

/* An underflow is saved even if an earlier one was deeper. */
static void each_underflow_is_saved(void **state)
{
	struct fake *f = *state;
	struct watched w;

	begin(f, &w, KFT_WATCH_STACK);
	set_max(f, w.all - 2000);
	assert_true(look(&w));
	(void)last_mark(f);
	set_max(f, w.all - 3000);
	assert_false(look(&w));
	assert_int_equal(strncmp(last_mark(f), "kft: frame", 10), 0);
	assert_int_equal(w.rec.lowest_stack_bytes, 2000);
	assert_false(look(&w));
	assert_string_equal(last_mark(f), "");
	/* Each of the two may be one of several. */
	assert_int_equal(w.rec.watch.looks, 3);
	assert_int_equal(w.rec.watch.stacks, 2);
	w.rec.watch.last_ns -= 1000000000;
	assert_false(look(&w));
	assert_true(w.rec.watch.longest_ns >= 1000000000);
	end(&w);
}

static void what_was_before_the_start_does_not_count(void **state)
{
	struct fake *f = *state;
	struct watched w;

	begin(f, &w, KFT_WATCH_WORST_STACK);
	set_max(f, w.all - 100);
	w.rec.watch.looks = 7;
	assert_int_equal(kft_watch_begin(&w.place, &w.plan, &w.rec), 0);
	assert_false(look(&w));
	assert_int_equal(w.rec.watch.looks, 1);
	end(&w);
}

static void stacks_have_the_size_of_the_machine(void **state)
{
	assert_int_equal(kft_watch_stack_bytes("x86_64"), 16384);
	assert_int_equal(kft_watch_stack_bytes("aarch64"), 16384);
	assert_int_equal(kft_watch_stack_bytes("armv7l"), 8192);
	assert_int_equal(kft_watch_stack_bytes("i686"), 8192);
}

#define WITH_TRACEFS(test) \
	cmocka_unit_test_setup_teardown(test, fake_tracefs_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	WITH_TRACEFS(the_tracer_is_armed_and_given_back),
	WITH_TRACEFS(what_cannot_be_is_refused),
	WITH_TRACEFS(each_new_low_is_saved_once),
	WITH_TRACEFS(each_underflow_is_saved),
	WITH_TRACEFS(what_was_before_the_start_does_not_count),
	cmocka_unit_test(stacks_have_the_size_of_the_machine),
};

T_MAIN(tests)
