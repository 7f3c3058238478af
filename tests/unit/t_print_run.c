// SPDX-License-Identifier: GPL-2.0-only
#include "printing.h"

#include <time.h>

/* The operations that have code of their own, against the C library. */
static struct printing p;

static const char fields[] = "\tfield:u8 a;\toffset:8;\tsize:1;\tsigned:0;\n"
			     "\tfield:u16 b;\toffset:10;\tsize:2;\tsigned:0;\n"
			     "\tfield:u32 c;\toffset:12;\tsize:4;\tsigned:0;\n"
			     "\tfield:int d;\toffset:16;\tsize:4;\tsigned:1;\n"
			     "\tfield:u64 e;\toffset:24;\tsize:8;\tsigned:0;\n"
			     "\tfield:long long f;\toffset:32;\tsize:8;\tsigned:1;\n"
			     "\tfield:unsigned long g;\toffset:40;\tsize:8;\tsigned:0;\n"
			     "\tfield:char s[24];\toffset:48;\tsize:24;\tsigned:0;\n";

static int finish(void **state)
{
	printing_finish(&p);
	p = (struct printing){};
	return 0;
}

/* All lengths alike. */
static uint64_t random_number(unsigned int *seed)
{
	uint64_t v = (uint64_t)rand_r(seed) << 42 ^ (uint64_t)rand_r(seed) << 21 ^
		     (uint64_t)rand_r(seed);

	return v >> rand_r(seed) % 64;
}

static void random_numbers_look_as_in_c(void **state)
{
	unsigned int seed = time(NULL);
	char want[512];

	print_message("seed %u\n", seed);
	p.size = 72;
	printing_class(
		&p, "s", "e", fields,
		"\"%u %d %u|%u %d %x %08x|%d %lld|%llu %llx %016llx %04llx|%lld|%p\", "
		"REC->a, REC->a, REC->b, REC->c, REC->c, REC->c, REC->c, REC->d, "
		"(s64)REC->d, REC->e, REC->e, REC->e, REC->e, REC->f, (void *)REC->g",
		8);
	for (int i = 0; i < 20000; i++) {
		uint8_t a = random_number(&seed);
		uint16_t b = random_number(&seed);
		uint32_t c = random_number(&seed);
		int32_t d = random_number(&seed);
		unsigned long long e = random_number(&seed);
		long long f = random_number(&seed) * (i % 2 ? 1 : -1);
		uint64_t g = random_number(&seed);

		printing_put(&p, 8, a, 1);
		printing_put(&p, 10, b, 2);
		printing_put(&p, 12, c, 4);
		printing_put(&p, 16, d, 4);
		printing_put(&p, 24, e, 8);
		printing_put(&p, 32, f, 8);
		printing_put(&p, 40, g, 8);
		snprintf(
			want, sizeof(want),
			"%u %d %u|%u %d %x %08x|%d %lld|%llu %llx %016llx %04llx|%lld|%p",
			a, a, b, c, (int)c, c, c, d, (long long)d, e, e, e, e, f,
			(void *)(uintptr_t)g);
		if (sizeof(void *) == 8)
			assert_string_equal(printing_info(&p), want);
	}
}

static void strings_of_all_lengths_are_copied(void **state)
{
	char want[256];

	p.size = 72;
	printing_class(&p, "s", "e", fields, "\"<%s> <%s>\", REC->s, REC->s", 8);
	for (size_t len = 0; len <= 24; len++) {
		memset(p.record + 48, 0, 24);
		for (size_t i = 0; i < len; i++)
			p.record[48 + i] = 'a' + i;
		snprintf(want, sizeof(want), "<%.*s> <%.*s>", (int)len,
			 "abcdefghijklmnopqrstuvwx", (int)len,
			 "abcdefghijklmnopqrstuvwx");
		assert_string_equal(printing_info(&p), want);
	}
}

static void odd_bytes_are_found_wherever_they_are(void **state)
{
	static const struct {
		uint8_t byte;
		const char *text;
	} odd[] = {{0x01, "\\x01"}, {0x1f, "\\x1f"}, {0x7f, "\\x7f"},
		   {0x80, "\\x80"}, {0xff, "\\xff"}, {'\n', "\\n"}};
	char want[256];

	p.size = 72;
	printing_class(&p, "s", "e", fields, "\"%s\", REC->s", 8);
	for (size_t k = 0; k < ARRAY_SIZE(odd); k++) {
		for (int at = 0; at < 24; at++) {
			memset(p.record + 48, '~', 24);
			p.record[48 + at] = odd[k].byte;
			snprintf(want, sizeof(want), "%.*s%s%.*s", at,
				 "~~~~~~~~~~~~~~~~~~~~~~~~", odd[k].text, 23 - at,
				 "~~~~~~~~~~~~~~~~~~~~~~~~");
			assert_string_equal(printing_info(&p), want);
		}
	}
}

static void long_texts_are_copied_whole(void **state)
{
	char fmt[400];
	char want[400];

	for (size_t len = 0; len < 150; len += 7) {
		memset(fmt, 'x', sizeof(fmt));
		fmt[0] = '"';
		strcpy(fmt + 1 + len, "%u\", REC->a");
		memset(want, 'x', len);
		strcpy(want + len, "9");
		printing_put(&p, 8, 9, 1);
		p.size = 72;
		printing_class(&p, "s", "e", fields, fmt, 8);
		assert_string_equal(printing_info(&p), want);
		finish(NULL);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(random_numbers_look_as_in_c, finish),
	cmocka_unit_test_teardown(strings_of_all_lengths_are_copied, finish),
	cmocka_unit_test_teardown(odd_bytes_are_found_wherever_they_are, finish),
	cmocka_unit_test_teardown(long_texts_are_copied_whole, finish),
};

T_MAIN(tests)
