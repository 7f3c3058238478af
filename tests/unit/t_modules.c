// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "decode/kallsyms.h"
#include "session/run/run.h"
#include "tracefs/detached/modules.h"
#include "fake.h"
#include "fake_graph.h"
#include "test_sink.h"

#define KERNEL	      "ffffffff81000000 T _text\n"
#define ALPHA	      "alpha 16384 0 - Live 0xffffffffc0400000\n"
#define BETA	      "beta 20480 0 - Live 0xffffffffc0400000\n"
#define GAMMA	      "gamma 4096 0 - Live 0xffffffffc0800000\n"
#define ALPHA_SYMBOLS "ffffffffc0400010 t alpha_one\t[alpha]\n"
#define BETA_SYMBOLS  "ffffffffc0400020 t beta_one\t[beta]\n"
#define GAMMA_SYMBOLS "ffffffffc0800010 t gamma_one\t[gamma]\n"

static struct kft_plan plan = {.functions = {.enabled = true}};
static const struct kft_run_options options;
static char said[512];

static void keep_note(void *arg, const char *text)
{
	(void)strncpy(said, text, sizeof(said) - 1);
}

static const struct kft_notify notify = {.note = keep_note};

static void modules(const struct fake *f, const char *list, const char *symbols)
{
	fake_write(f, "proc/modules", list);
	fake_write(f, "proc/kallsyms", symbols);
}

/* Starts the run of a session that is set up with alpha loaded. */
static const struct kft_tracefs_part *part_of(const struct kft_run *r)
{
	return kft_tracefs_part_of(kft_run_lead(r));
}

static void start(struct fake *f, struct kft_run *r)
{
	*said = '\0';
	fake_graph_files(f, "a", true);
	modules(f, ALPHA, KERNEL ALPHA_SYMBOLS);
	assert_int_equal(kft_run_load(f->host, "a", "begin end", 9, &options, r, NULL),
			 0);
	assert_int_equal(kft_run_start(r, &plan, KFT_CAUSE_USER, 5, NULL), 0);
}

static void stop_and_take_symbols(struct kft_run *r,
				  void (*check)(const char *kallsyms,
						const char *expected),
				  const char *expected)
{
	struct test_sink sink;

	test_sink_init(&sink);
	assert_int_equal(kft_run_stop(r, &plan, KFT_CAUSE_USER, 9, NULL), 0);
	assert_int_equal(kft_run_take(r, &plan, &sink.base, "kft", NULL, NULL), 0);
	check(sink.kallsyms, expected);
	test_sink_finish(&sink);
	kft_run_modules_warn(part_of(r), &notify);
	assert_int_equal(kft_run_reset(r, NULL), 0);
	kft_run_close(r);
}

static void check_text(const char *kallsyms, const char *expected)
{
	assert_string_equal(kallsyms, expected);
}

static void stop_and_take(struct kft_run *r, const char *expected)
{
	stop_and_take_symbols(r, check_text, expected);
}

/* Exactly one module came and went unseen. */
static void check_unseen(const char *kallsyms, const char *expected)
{
	const char *line = strstr(kallsyms, "\n0 a " KFT_KALLSYMS_UNSEEN);

	assert_non_null(line);
	assert_non_null(strstr(line, expected));
	assert_null(strstr(strchr(line + 1, '\n'), KFT_KALLSYMS_UNSEEN));
}

static void symbols_of_the_beginning_are_kept(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	start(f, &r);
	modules(f, "", KERNEL);
	stop_and_take(&r, KERNEL ALPHA_SYMBOLS);
	assert_string_equal(said, "");
}

static void a_module_that_came_and_went_between_looks_is_known(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	start(f, &r);
	modules(f, ALPHA GAMMA, KERNEL ALPHA_SYMBOLS GAMMA_SYMBOLS);
	kft_run_modules_look(part_of(&r), NULL);
	modules(f, ALPHA, KERNEL ALPHA_SYMBOLS);
	stop_and_take(&r, KERNEL ALPHA_SYMBOLS GAMMA_SYMBOLS);
	assert_string_equal(said, "");
}

static void check_names(const char *kallsyms, const char *expected)
{
	struct kft_symbol_table t = {};
	const struct kft_symbol *s;
	size_t bad;

	assert_memory_equal(kallsyms, expected, strlen(expected));
	assert_int_equal(kft_kallsyms_parse(kallsyms, strlen(kallsyms), &t, &bad), 0);
	assert_int_equal(bad, 0);
	s = kft_symbol_lookup(&t, kft_symbol_at(&t, 0xffffffffc0400018, 1));
	assert_memory_equal(s->name, "alpha_one", s->name_len);
	s = kft_symbol_lookup(&t, kft_symbol_at(&t, 0xffffffffc0400028, UINT64_MAX));
	assert_memory_equal(s->name, "beta_one", s->name_len);
	kft_symbol_table_finish(&t);
}

/* For programs that know no times of symbols. */
/* The kernel announces each removal of a module, also of one that came after the last look. */
static void a_module_that_no_look_has_shown_is_named(void **state)
{
	static const char *const messages[] = {"remove@/module/delta",
					       "add@/module/delta",
					       "remove@/module/alpha",
					       "remove@/module/delta/holders",
					       "remove@/devices/virtual/net/delta",
					       "remove@/module/",
					       "remove@/module/\n"};
	struct fake *f = *state;
	struct kft_module_events events = {.has_begun = true};
	struct kft_run r;
	int fds[2];

	start(f, &r);
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, fds), 0);
	events.fd = fds[0];
	kft_run_modules_look(part_of(&r), &events);
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++)
		assert_true(send(fds[1], messages[i], strlen(messages[i]) + 1, 0) > 0);
	modules(f, "", KERNEL);
	kft_run_modules_look(part_of(&r), &events);
	assert_int_equal(events.unseen.len, 0);
	close(fds[1]);
	kft_module_events_end(&events);
	stop_and_take_symbols(&r, check_unseen, "[delta]");
}

/* The first bytes of a name of a Unix socket are where a netlink address has the port. */
static void messages_of_other_programs_do_not_count(void **state)
{
	static const char message[] = "remove@/module/delta";
	const struct sockaddr_un name = {.sun_family = AF_UNIX,
					 .sun_path = "\0kft-t_modules"};
	struct kft_module_events events = {.has_begun = true};
	const struct kft_strbuf now = {};
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, fds), 0);
	events.fd = fds[0];
	assert_true(send(fds[1], message, sizeof(message), 0) > 0);
	kft_module_events_look(&events, &now);
	assert_string_equal(kft_strbuf_cstr(&events.unseen), "delta\n");
	kft_strbuf_clear(&events.unseen);
	assert_int_equal(bind(fds[1], (const struct sockaddr *)&name, sizeof(name)), 0);
	assert_true(send(fds[1], message, sizeof(message), 0) > 0);
	kft_module_events_look(&events, &now);
	assert_int_equal(events.unseen.len, 0);
	close(fds[1]);
	kft_module_events_end(&events);
}

/* A group of programs, in which a receiver that is too slow misses messages as that of the kernel does. */
static void messages_that_the_kernel_dropped_are_told(void **state)
{
	const struct sockaddr_nl group = {.nl_family = AF_NETLINK, .nl_groups = 1};
	struct kft_module_events events = {.has_begun = true};
	const struct kft_strbuf now = {};
	char message[4096] = {0};
	int from = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_USERSOCK);
	int smallest = 1;

	events.fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_USERSOCK);
	if (from < 0 ||
	    bind(events.fd, (const struct sockaddr *)&group, sizeof(group)) < 0) {
		close(from);
		kft_module_events_end(&events);
		skip();
	}
	assert_int_equal(
		setsockopt(events.fd, SOL_SOCKET, SO_RCVBUF, &smallest, sizeof(smallest)),
		0);
	for (int i = 0; i < 16; i++)
		(void)sendto(from, message, sizeof(message), 0,
			     (const struct sockaddr *)&group, sizeof(group));
	kft_module_events_look(&events, &now);
	assert_string_equal(kft_strbuf_cstr(&events.unseen), KFT_MODULES_DROPPED "\n");
	kft_strbuf_clear(&events.unseen);
	kft_module_events_look(&events, &now);
	assert_int_equal(events.unseen.len, 0);
	close(from);
	kft_module_events_end(&events);
}

static void another_module_at_its_place_has_names_with_times(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	start(f, &r);
	modules(f, BETA, KERNEL BETA_SYMBOLS);
	stop_and_take_symbols(&r, check_names,
			      KERNEL "ffffffffc0400010 t 0xffffffffc0400010\n"
				     "ffffffffc0400020 t 0xffffffffc0400020\n");
}

/* The file of modules pretends that the last look was at the boot of the machine. */
static void a_time_without_looks_is_told(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	start(f, &r);
	fake_write(f, "run/kft/a/modules", "1 0 0\nalpha 0xffffffffc0400000\n");
	modules(f, ALPHA GAMMA, KERNEL ALPHA_SYMBOLS GAMMA_SYMBOLS);
	stop_and_take(&r, KERNEL ALPHA_SYMBOLS GAMMA_SYMBOLS);
	assert_string_equal(said,
			    "for a time no kft looked at the modules in session 'a': "
			    "functions of modules that came and went then have no names, "
			    "or those of others; new ones: gamma");
}

static void functions_of_the_list_that_came_later_are_told(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	/* The stand-in has no functions to choose from: they are chosen after the start. */
	start(f, &r);
	assert_int_equal(kft_plan_add_function(&plan, "alpha_*", NULL), 0);
	assert_int_equal(kft_plan_add_function(&plan, "gamma_*", NULL), 0);
	assert_int_equal(kft_plan_exclude_function(&plan, "*_two", NULL), 0);
	kft_run_modules_begin(part_of(&r), &plan);
	modules(f, ALPHA GAMMA,
		KERNEL ALPHA_SYMBOLS GAMMA_SYMBOLS
		"ffffffffc0800020 t gamma_two\t[gamma]\n"
		"ffffffffc0800030 T gamma_three\t[gamma]\n"
		"ffffffffc0800038 t __pfx_gamma_four\t[gamma]\n"
		"ffffffffc0800040 d gamma_data\t[gamma]\n");
	kft_run_modules_look(part_of(&r), NULL);
	kft_run_modules_warn(part_of(&r), &notify);
	assert_string_equal(said, "functions that match were left out, as their modules "
				  "were loaded after the start: up to 2 of gamma");
	assert_int_equal(kft_run_reset(&r, NULL), 0);
	kft_run_close(&r);
	kft_plan_functions_finish(&plan.functions);
	plan.functions = (struct kft_plan_functions){.enabled = true};
}

static void symbols_that_cannot_be_read_are_read_later(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	start(f, &r);
	fake_write(f, "proc/modules", ALPHA GAMMA);
	fake_remove(f, "proc/kallsyms");
	kft_run_modules_look(part_of(&r), NULL);
	fake_write(f, "proc/kallsyms", KERNEL ALPHA_SYMBOLS GAMMA_SYMBOLS);
	kft_run_modules_look(part_of(&r), NULL);
	modules(f, "", KERNEL);
	stop_and_take(&r, KERNEL ALPHA_SYMBOLS GAMMA_SYMBOLS);
}

static void a_new_run_begins_anew(void **state)
{
	struct fake *f = *state;
	struct kft_run r;

	start(f, &r);
	modules(f, GAMMA, KERNEL GAMMA_SYMBOLS);
	kft_run_modules_begin(part_of(&r), &plan);
	stop_and_take(&r, KERNEL GAMMA_SYMBOLS);
}

#define FAKE_TEST(fn) \
	cmocka_unit_test_setup_teardown(fn, fake_tracefs_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(symbols_of_the_beginning_are_kept),
	FAKE_TEST(a_module_that_came_and_went_between_looks_is_known),
	FAKE_TEST(a_module_that_no_look_has_shown_is_named),
	FAKE_TEST(messages_of_other_programs_do_not_count),
	FAKE_TEST(messages_that_the_kernel_dropped_are_told),
	FAKE_TEST(another_module_at_its_place_has_names_with_times),
	FAKE_TEST(a_time_without_looks_is_told),
	FAKE_TEST(functions_of_the_list_that_came_later_are_told),
	FAKE_TEST(symbols_that_cannot_be_read_are_read_later),
	FAKE_TEST(a_new_run_begins_anew),
};

T_MAIN(tests)
