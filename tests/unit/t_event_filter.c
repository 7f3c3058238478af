// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "model/event_filter.h"

/* Fields of each kind; texts is a __data_loc. */
static const struct kft_field fields[] = {
	{.name = "s32", .offset = 0, .size = 4, .elem_size = 4, .is_signed = true},
	{.name = "u32", .offset = 4, .size = 4, .elem_size = 4},
	{.name = "u64", .offset = 8, .size = 8, .elem_size = 8},
	{.name = "u8", .offset = 16, .size = 1, .elem_size = 1},
	{.name = "comm",
	 .offset = 20,
	 .size = 8,
	 .elem_size = 1,
	 .kind = KFT_FIELD_STRING},
	{.name = "text",
	 .offset = 28,
	 .size = 4,
	 .elem_size = 1,
	 .kind = KFT_FIELD_STRING,
	 .place = KFT_FIELD_DATA_LOC},
	{.name = "list",
	 .offset = 32,
	 .size = 8,
	 .elem_size = 4,
	 .kind = KFT_FIELD_ARRAY},
};
static const struct kft_class cls = {.system = "test",
				     .name = "one",
				     .fields = fields,
				     .n_fields = ARRAY_SIZE(fields)};

struct record {
	int32_t s32;
	uint32_t u32;
	uint64_t u64;
	uint8_t u8;
	uint8_t pad[3];
	char comm[8];
	uint32_t loc;
	uint32_t list[2];
	char text[8];
};

static const struct record record = {
	.s32 = -5,
	.u32 = 0xfffffffb,
	.u64 = UINT64_C(1) << 63,
	.u8 = 200,
	.comm = "kworker",
	.loc = offsetof(struct record, text) | 5 << 16,
	.text = "/a b",
};

static bool match(const char *text)
{
	_cleanup_(kft_filter_destroyp) struct kft_filter *f = NULL;
	const struct kft_event ev = {
		.data = (const uint8_t *)&record, .size = sizeof(record), .cpu = 3};
	struct kft_err e = {};

	if (kft_filter_compile(text, &cls, &f, &e) < 0)
		fail_msg("%s: %s", text, e.msg);
	return kft_filter_match(f, &ev, false);
}

static void all_match(const char *const *texts, size_t n, bool want)
{
	for (size_t i = 0; i < n; i++)
		if (match(texts[i]) != want)
			fail_msg("'%s' is %s", texts[i], want ? "false" : "true");
}

static void numbers(void **state)
{
	static const char *const yes[] = {
		"s32 == -5",
		"s32<0",
		"s32 == 4294967291",
		"u32 == -5",
		"u32 > 0",
		"u32==0xFFFFFFFB",
		"u8 == 0310",
		"u8 >= 200",
		"u8 <= 200",
		"u64 > 5",
		"u64 & 0x8000000000000000",
		"s32 != 5",
		"s32 > -6",
		"CPU == 3",
		"cpu < 4",
		" u8==200 ",
		"s32 & 3",
	};
	static const char *const no[] = {
		"s32 > 0",  "u32 < 0", "u64 == 1", "u8 < 200",
		"CPU != 3", "u8 & 7",  "s32 < -5", "u64 <= 9223372036854775807"};

	all_match(yes, ARRAY_SIZE(yes), true);
	all_match(no, ARRAY_SIZE(no), false);
}

static void strings(void **state)
{
	static const char *const yes[] = {
		"comm == \"kworker\"",
		"comm == 'kworker'",
		"comm == kworker",
		"comm != kworke",
		"comm ~ \"k*\"",
		"comm ~ k*r",
		"comm ~ *",
		"comm ~ kw?rk[a-f]r",
		"comm ~ kworke[!a-q]",
		"text == \"/a b\"",
		"text ~ '*a*b'",
		"text ~ \"/a\\ b\"",
	};
	static const char *const no[] = {
		"comm == \"kworker \"",
		"comm == kworkerx",
		"comm ~ k",
		"comm ~ ?",
		"comm ~ *x*",
		"text != '/a b'",
		"text ~ ''",
		"comm ~ kworke[a-q]",
		"comm ~ [!k]*",
		"comm == ''",
	};

	all_match(yes, ARRAY_SIZE(yes), true);
	all_match(no, ARRAY_SIZE(no), false);
}

static void logic(void **state)
{
	static const char *const yes[] = {
		"u8==1 || s32==-5",
		"u8==200 && s32==-5",
		"u8==200 || u8==1 && u8==2",
		"!(u8==1) && !(s32==1)",
		"!!(u8==200)",
		"!u8==1",
		"(u8==1 || s32==-5) && (comm~k* || u8==1)",
		"u8==1 || u8==2 || u8==3 || u8==200",
		"(u8==1 && (u8==200 || u8==200)) || u8==200",
	};
	static const char *const no[] = {
		"(u8==200 || u8==1) && u8==2",
		"!(u8==1 || s32==-5)",
		"u8==200 && u8==200 && u8==1",
		"!(u8==200 && !(s32==1))",
	};

	all_match(yes, ARRAY_SIZE(yes), true);
	all_match(no, ARRAY_SIZE(no), false);
}

static void expect(const char *text, int code, const char *msg)
{
	struct kft_filter *f = NULL;
	struct kft_err e = {};

	assert_int_equal(kft_filter_compile(text, &cls, &f, &e), code);
	assert_null(f);
	assert_string_equal(e.msg, msg);
}

static void mistakes_are_pointed_at(void **state)
{
	expect("", -EINVAL, "not a filter: '': expected a field at its end");
	expect("u8", -EINVAL,
	       "not a filter: 'u8': expected ==, !=, <, <=, >, >=, & or ~ at its end");
	expect("u8 && u8", -EINVAL,
	       "not a filter: 'u8 && u8': expected ==, !=, <, <=, >, >=, & or ~ at '&& u8'");
	expect("u8 == x", -EINVAL, "not a filter: 'u8 == x': expected a number at 'x'");
	expect("u8 == 09", -EINVAL,
	       "not a filter: 'u8 == 09': expected a number at '09'");
	expect("u8 == 18446744073709551616", -EINVAL,
	       "not a filter: 'u8 == 18446744073709551616': expected a number of 64 bits "
	       "at '6'");
	expect("u8 ~ 1", -EINVAL,
	       "not a filter: 'u8 ~ 1': expected ==, !=, <, <=, >, >= or & for a number at "
	       "'~ 1'");
	expect("comm > 1", -EINVAL,
	       "not a filter: 'comm > 1': expected ==, != or ~ for a string at '> 1'");
	expect("comm == \"a", -EINVAL,
	       "not a filter: 'comm == \"a': expected the quote that ends a string at its "
	       "end");
	expect("(u8 == 1", -EINVAL,
	       "not a filter: '(u8 == 1': expected &&, || or ) at its end");
	expect("u8 == 1)", -EINVAL, "not a filter: 'u8 == 1)': expected && or || at ')'");
	expect("none == 1", -ENOENT, "event 'test:one' has no field 'none'");
	expect("list == 1", -ENOENT,
	       "field 'list' of event 'test:one' is neither a number nor a string");
}

static void limits(void **state)
{
	char deep[2 * KFT_FILTER_DEPTH_MAX];
	char *text = calloc(1, KFT_FILTER_BYTES_MAX + 2);
	struct kft_filter *f = NULL;

	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	assert_int_equal(kft_filter_compile(deep, &cls, &f, NULL), -EINVAL);
	memset(text, ' ', KFT_FILTER_BYTES_MAX + 1);
	assert_int_equal(kft_filter_compile(text, &cls, &f, NULL), -EINVAL);
	memcpy(text, "u8==200", 7);
	text[KFT_FILTER_BYTES_MAX] = '\0';
	assert_int_equal(kft_filter_compile(text, &cls, &f, NULL), 0);
	(void)kft_filter_destroy(f);
	free(text);
}

static void a_record_that_is_too_short_does_not_match(void **state)
{
	static const char *const texts[] = {"u32 == -5", "u32 != 1", "comm != x",
					    "text ~ *"};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_(kft_filter_destroyp) struct kft_filter *f = NULL;
		const struct kft_event ev = {.data = (const uint8_t *)&record, .size = 6};

		assert_int_equal(kft_filter_compile(texts[i], &cls, &f, NULL), 0);
		assert_false(kft_filter_match(f, &ev, false));
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(numbers),
	cmocka_unit_test(strings),
	cmocka_unit_test(logic),
	cmocka_unit_test(mistakes_are_pointed_at),
	cmocka_unit_test(limits),
	cmocka_unit_test(a_record_that_is_too_short_does_not_match),
};

T_MAIN(tests)
