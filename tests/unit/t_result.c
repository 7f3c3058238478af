// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "output/result.h"

static const struct kft_result_column columns[] = {
	{"where", "WHERE", .is_text = true, .is_optional = true},
	{"what", "WHAT", .is_text = true},
	{"count", "COUNT"},
	{"missing", "MISSING", .is_optional = true},
};

static const struct kft_result_column counters[] = {
	{"cpu", "CPU"},
	{"bad", "BAD", .is_optional = true},
};

static struct kft_value number(enum kft_value_kind kind, uint64_t n)
{
	return kft_value_number(kind, n);
}

static void add_row(struct kft_result *r, struct kft_result_table *t, const char *what,
		    uint64_t count, uint64_t missing)
{
	kft_result_put(t, kft_value_text(r, ""));
	kft_result_put(t, kft_value_text(r, what));
	kft_result_put(t, number(KFT_VALUE_COUNT, count));
	kft_result_put(t, number(KFT_VALUE_COUNT, missing));
}

static void fill(struct kft_result *r, uint64_t missing, uint64_t bad)
{
	kft_result_add(r, "name", "Name", kft_value_text(r, "a\"\033"));
	kft_result_add(r, "start", "Start", number(KFT_VALUE_TIME, 1234567890499));
	kft_result_add(r, "ticks", "Ticks", number(KFT_VALUE_TICKS, 42));
	kft_result_add(r, "span", "Span", number(KFT_VALUE_DURATION, 2500000));
	kft_result_add(r, "rate", "Rate", number(KFT_VALUE_RATE, 1234567));
	kft_result_add(r, "none", "None", (struct kft_value){});
	kft_result_add(r, "well", "Well", number(KFT_VALUE_BOOL, 1));
	kft_result_add_optional(r, "ill", "Ill", number(KFT_VALUE_BOOL, bad));
	struct kft_result_table *t = kft_result_add_table(r, "things", columns,
							  ARRAY_SIZE(columns));
	t->top = 2;
	add_row(r, t, "first", 1000, 0);
	add_row(r, t, "second", 2, missing);
	add_row(r, t, "third", 1, 0);
	t = kft_result_add_table(r, "counters", counters, ARRAY_SIZE(counters));
	t->is_optional = true;
	kft_result_put(t, number(KFT_VALUE_ID, 10000));
	kft_result_put(t, number(KFT_VALUE_COUNT, bad));
}

static const struct kft_output_how top = {};
static const struct kft_output_how all = {.all = true};

#define FIELDS                 \
	"Name   a\"\\x1b\n"    \
	"Start  1234.567890\n" \
	"Ticks  42\n"          \
	"Span   2.500 ms\n"    \
	"Rate   1,234.6\n"     \
	"None   -\n"           \
	"Well   yes\n"

static void people_see_what_matters(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_result_finish) struct kft_result r = {};

	fill(&r, 0, 0);
	kft_result_text(&r, &top, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), FIELDS "\n"
							 "WHAT    COUNT\n"
							 "first   1,000\n"
							 "second      2\n"
							 "... and 1 more (--all)\n");
}

static void people_see_all_when_asked_and_what_is_not_zero(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_result_finish) struct kft_result r = {};

	fill(&r, 7, 1);
	kft_result_text(&r, &all, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), FIELDS "Ill    yes\n"
							 "\n"
							 "WHAT    COUNT  MISSING\n"
							 "first   1,000        0\n"
							 "second      2        7\n"
							 "third       1        0\n"
							 "\n"
							 "  CPU  BAD\n"
							 "10000    1\n");
}

static void programs_see_everything(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_result_finish) struct kft_result r = {};

	fill(&r, 0, 0);
	kft_result_json(&r, &top, &sb);
	assert_string_equal(
		kft_strbuf_cstr(&sb),
		"{\"name\":\"a\\\"\\u001b\",\"start\":1234567890499,\"ticks\":42,"
		"\"span\":2500000,\"rate\":1234.567,\"none\":null,"
		"\"well\":true,\"ill\":false,\"things\":["
		"{\"where\":\"\",\"what\":\"first\",\"count\":1000,\"missing\":0},"
		"{\"where\":\"\",\"what\":\"second\",\"count\":2,\"missing\":0},"
		"{\"where\":\"\",\"what\":\"third\",\"count\":1,\"missing\":0}],"
		"\"counters\":[{\"cpu\":10000,\"bad\":0}]}\n");
}

static void csv_has_a_block_for_each_table(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_result_finish) struct kft_result r = {};

	fill(&r, 7, 1);
	kft_result_csv(&r, &top, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "table,key,value\n"
						  "result,name,\"a\"\"\\x1b\"\n"
						  "result,start,1234567890499\n"
						  "result,ticks,42\n"
						  "result,span,2500000\n"
						  "result,rate,1234.567\n"
						  "result,none,\n"
						  "result,well,true\n"
						  "result,ill,true\n"
						  "\n"
						  "table,where,what,count,missing\n"
						  "things,,first,1000,0\n"
						  "things,,second,2,7\n"
						  "things,,third,1,0\n"
						  "\n"
						  "table,cpu,bad\n"
						  "counters,10000,1\n");
}

static void values_say_what_they_are(void **state)
{
	static const struct kft_result_column one[] = {{"yes", "YES"}, {"no", "NO"}};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf json = {};
	_cleanup_(kft_result_finish) struct kft_result r = {};

	kft_result_add(&r, "bytes", "Bytes", number(KFT_VALUE_BYTES, 1234567));
	kft_result_add(&r, "part", "Part", number(KFT_VALUE_RATIO, 123456));
	kft_result_add(&r, "cpu", "CPU", kft_value_cpu(1000));
	kft_result_add(&r, "pid", "PID", kft_value_pid(1000));
	kft_result_add(&r, "no_pid", "No PID", kft_value_pid(-3));
	kft_result_add(&r, "task", "Task", kft_value_task(&r, "a,\n"));
	kft_result_add(&r, "function", "Function", kft_value_function(&r, "vfs_read"));
	struct kft_result_table *t = kft_result_add_table(&r, "counts", one, 2);
	t->is_record = true;
	kft_result_put(t, kft_value_count(3));
	kft_result_put(t, kft_value_count(4));
	kft_result_text(&r, &top, &text);
	kft_result_json(&r, &top, &json);
	assert_string_equal(kft_strbuf_cstr(&text), "Bytes     1.2 MB\n"
						    "Part      12.3 %\n"
						    "CPU       1000\n"
						    "PID       1000\n"
						    "No PID    -\n"
						    "Task      a,\\n\n"
						    "Function  vfs_read\n"
						    "\n"
						    "YES  NO\n"
						    "  3   4\n");
	assert_string_equal(
		kft_strbuf_cstr(&json),
		"{\"bytes\":1234567,\"part\":0.123456,\"cpu\":1000,"
		"\"pid\":1000,\"no_pid\":null,\"task\":\"a,\\u000a\","
		"\"function\":\"vfs_read\",\"counts\":{\"yes\":3,\"no\":4}}\n");
}

static void make_row(const struct kft_result_table *t, size_t row, struct kft_value *ret)
{
	const uint64_t *numbers = t->arg;

	ret[0] = kft_value_count(numbers[row]);
}

static void count_drains(void *arg)
{
	++*(int *)arg;
}

static void rows_can_be_made_when_they_are_asked_for(void **state)
{
	static const struct kft_result_column one[] = {{"n", "N"}};
	static const uint64_t numbers[] = {5, 6, 7};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_result_finish) struct kft_result r = {};
	int drains = 0;
	const struct kft_output_how how = {.drain = count_drains, .arg = &drains};
	struct kft_result_table *t = kft_result_add_table(&r, "t", one, 1);

	t->make = make_row;
	t->arg = numbers;
	t->n_made = ARRAY_SIZE(numbers);
	kft_result_json(&r, &how, &sb);
	assert_int_equal(drains, 3);
	kft_result_csv(&r, &how, &sb);
	assert_int_equal(drains, 6);
	kft_result_text(&r, &how, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb),
			    "{\"t\":[{\"n\":5},{\"n\":6},{\"n\":7}]}\n"
			    "table,key,value\n\ntable,n\nt,5\nt,6\nt,7\n"
			    "\nN\n5\n6\n7\n");
}

static void a_failed_result_fails_its_output(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_result_finish) struct kft_result r = {.arena = {.limit_bytes = 1}};

	kft_result_put(kft_result_add_table(&r, "t", columns, 1), (struct kft_value){});
	assert_false(kft_result_ok(&r));
	kft_result_json(&r, &top, &sb);
	assert_false(kft_strbuf_ok(&sb));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(people_see_what_matters),
	cmocka_unit_test(people_see_all_when_asked_and_what_is_not_zero),
	cmocka_unit_test(programs_see_everything),
	cmocka_unit_test(csv_has_a_block_for_each_table),
	cmocka_unit_test(values_say_what_they_are),
	cmocka_unit_test(rows_can_be_made_when_they_are_asked_for),
	cmocka_unit_test(a_failed_result_fails_its_output),
};

T_MAIN(tests)
