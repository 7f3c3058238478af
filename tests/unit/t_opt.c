// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "base/err.h"
#include "base/opt.h"

/* The variables that the options of the test table set. */
static struct {
	bool all;
	bool verbose;
	const char *out;
	struct kft_opt_strings events;
	uint64_t count;
	uint64_t size;
	uint64_t time_ns;
	int style;
	int sum;
} arg;

static int add_up(const struct kft_opt *opt, const char *text, struct kft_err *e)
{
	if (*text == '!')
		return kft_err_set(e, -EINVAL, "no '%s' here", text);
	*(int *)opt->value += (int)strlen(text);
	return 0;
}

static const char *const styles[] = {"trace", "json", NULL};

static const struct kft_opt opts[] = {
	{'a', "all", NULL, "everything", KFT_OPT_FLAG, &arg.all},
	{'v', NULL, NULL, "talk", KFT_OPT_FLAG, &arg.verbose},
	{'o', "output", "FILE", "write to FILE", KFT_OPT_STRING, &arg.out},
	{'e', "event", "EVENT", "an event", KFT_OPT_STRINGS, &arg.events},
	{'c', "count", "N", "how many", KFT_OPT_U64, &arg.count},
	{'b', "size", "SIZE", "how much", KFT_OPT_SIZE, &arg.size},
	{'d', "time", "TIME", "how long", KFT_OPT_DURATION, &arg.time_ns},
	{0, "style", "STYLE",
	 "how it looks: trace or json, which is a long text that "
	 "does not fit in one line",
	 KFT_OPT_ENUM, &arg.style, styles},
	{0, "sum", "WORD", NULL, KFT_OPT_CALLBACK, &arg.sum, NULL, add_up},
	{},
};

static struct kft_err err;
static char *words[16];
static int n_operands;

static int parse_flags(unsigned int flags, const char *line)
{
	static char copy[256];
	int n = 0;

	kft_vec_finish(&arg.events);
	memset(&arg, 0, sizeof(arg));
	memset(&err, 0, sizeof(err));
	n_operands = -1;
	strcpy(copy, line);
	for (char *p = strtok(copy, " "); p; p = strtok(NULL, " "))
		words[n++] = p;
	return kft_opt_parse(opts, flags, n, words, &n_operands, &err);
}

static int parse(const char *line)
{
	return parse_flags(0, line);
}

static int release(void **state)
{
	kft_vec_finish(&arg.events);
	return 0;
}

static void all_spellings_of_an_argument(void **state)
{
	assert_int_equal(parse("-ofile"), 0);
	assert_string_equal(arg.out, "file");
	assert_int_equal(parse("-o file"), 0);
	assert_string_equal(arg.out, "file");
	assert_int_equal(parse("--output=file"), 0);
	assert_string_equal(arg.out, "file");
	assert_int_equal(parse("--output file"), 0);
	assert_string_equal(arg.out, "file");
	assert_int_equal(parse("-avo- --output="), 0);
	assert_true(arg.all && arg.verbose);
	assert_string_equal(arg.out, "");
}

static void values_of_each_kind(void **state)
{
	assert_int_equal(parse("-c 12 -b 4k -d 1.5 --style json --sum abc --sum=de"), 0);
	assert_int_equal(arg.count, 12);
	assert_int_equal(arg.size, 4096);
	assert_int_equal(arg.time_ns, 1500000000);
	assert_int_equal(arg.style, 1);
	assert_int_equal(arg.sum, 5);
	assert_int_equal(parse("-e a -eb --event=c"), 0);
	assert_int_equal(arg.events.len, 3);
	assert_string_equal(arg.events.data[2], "c");
}

static void operands_move_to_the_front(void **state)
{
	assert_int_equal(parse("one -a two - --style json -- -v --foo"), 0);
	assert_int_equal(n_operands, 5);
	assert_string_equal(words[0], "one");
	assert_string_equal(words[1], "two");
	assert_string_equal(words[2], "-");
	assert_string_equal(words[3], "-v");
	assert_string_equal(words[4], "--foo");
	assert_true(arg.all);
	assert_false(arg.verbose);
}

static void a_command_keeps_its_options(void **state)
{
	assert_int_equal(parse_flags(KFT_OPT_STOP_AT_OPERAND, "-a ls -v -- -x"), 0);
	assert_int_equal(n_operands, 4);
	assert_string_equal(words[2], "--");
	assert_false(arg.verbose);
	assert_int_equal(parse_flags(KFT_OPT_STOP_AT_OPERAND, "-- -v"), 0);
	assert_int_equal(n_operands, 1);
}

static void expect_error(const char *line, const char *msg)
{
	assert_int_equal(parse(line), -EINVAL);
	assert_string_equal(err.msg, msg);
	assert_int_equal(err.code, -EINVAL);
	assert_int_equal(n_operands, -1);
}

static void errors_say_what_is_wrong(void **state)
{
	expect_error("--stile json",
		     "unknown option '--stile' (did you mean '--style'?)");
	expect_error("--zzzzzz=1", "unknown option '--zzzzzz'");
	expect_error("-ax", "unknown option '-x'");
	expect_error("-o", "option '--output' needs an argument: FILE");
	expect_error("--output", "option '--output' needs an argument: FILE");
	expect_error("--all=yes", "option '--all' takes no argument");
	expect_error("-c 1x", "option '--count': '1x' is not a number");
	expect_error("-b 4q", "option '--size': '4q' is not a size (like 64k or 4M)");
	expect_error("-d soon", "option '--time': 'soon' is not a time (like 5s, 2.5 or "
				"10ms)");
	expect_error("--style=xml", "option '--style': 'xml' is not one of trace, json");
	expect_error("--sum !", "no '!' here");
	expect_error("--\033[2J", "unknown option '--\\x1b[2J'");
}

static void hidden_options_are_not_suggested(void **state)
{
	expect_error("--sums", "unknown option '--sums'");
}

static void every_table_has_help(void **state)
{
	assert_int_equal(parse("-a --help --nonsense"), KFT_OPT_HELP);
	assert_int_equal(parse("-ah"), KFT_OPT_HELP);
	assert_int_equal(parse("-- --help"), 0);
	expect_error("--help=x", "option '--help' takes no argument");
}

static void help_is_aligned_and_wrapped(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_opt_help(opts, 60, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb),
			    "  -a, --all                 everything\n"
			    "  -v                        talk\n"
			    "  -o, --output=FILE         write to FILE\n"
			    "  -e, --event=EVENT         an event\n"
			    "  -c, --count=N             how many\n"
			    "  -b, --size=SIZE           how much\n"
			    "  -d, --time=TIME           how long\n"
			    "      --style=STYLE         how it looks: trace or json,\n"
			    "                            which is a long text that does\n"
			    "                            not fit in one line\n"
			    "  -h, --help                show this help\n");
}

static void wrapping_keeps_lines_and_long_words(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_add_wrapped(&sb, "a bb ccccccccccccc d\n\n  code here", 0, 2, 8);
	assert_string_equal(kft_strbuf_cstr(&sb),
			    "  a bb\n  ccccccccccccc\n  d\n\n    code\n  here");
}

static void options_are_found_by_word(void **state)
{
	assert_ptr_equal(kft_opt_find(opts, "-o", 2), &opts[2]);
	assert_ptr_equal(kft_opt_find(opts, "--output=x", 8), &opts[2]);
	assert_null(kft_opt_find(opts, "--outpu", 7));
	assert_null(kft_opt_find(opts, "--", 2));
	assert_null(kft_opt_find(opts, "o", 1));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(all_spellings_of_an_argument, release),
	cmocka_unit_test_teardown(values_of_each_kind, release),
	cmocka_unit_test_teardown(operands_move_to_the_front, release),
	cmocka_unit_test_teardown(a_command_keeps_its_options, release),
	cmocka_unit_test_teardown(errors_say_what_is_wrong, release),
	cmocka_unit_test_teardown(hidden_options_are_not_suggested, release),
	cmocka_unit_test_teardown(every_table_has_help, release),
	cmocka_unit_test(help_is_aligned_and_wrapped),
	cmocka_unit_test(wrapping_keeps_lines_and_long_words),
	cmocka_unit_test(options_are_found_by_word),
};

T_MAIN(tests)
