// SPDX-License-Identifier: GPL-2.0-only
#include "printing.h"

static struct printing p;

static const char fields[] =
	"\tfield:int n;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long addr;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:void * ptr;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:char comm[8];\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:u8 mac[4];\toffset:40;\tsize:4;\tsigned:0;\n"
	"\tfield:s16 words[2];\toffset:44;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc char[] name;\toffset:48;\tsize:4;\tsigned:0;\n"
	"\tfield:s8 tiny;\toffset:52;\tsize:1;\tsigned:1;\n"
	"\tfield:bool on;\toffset:53;\tsize:1;\tsigned:0;\n"
	"\tfield:short small;\toffset:54;\tsize:2;\tsigned:1;\n"
	"\tfield:struct x odd;\toffset:56;\tsize:3;\tsigned:0;\n";

static int create(void **state)
{
	printing_put(&p, 8, (uint32_t)-7, 4);
	printing_put(&p, 16, 0xffff0000, 8);
	printing_put(&p, 24, 0x1234, 8);
	printing_puts(&p, 32, "a\"b");
	memcpy(p.record + 40, "\x01\x02\xff\x80", 4);
	printing_put(&p, 44, (uint16_t)-1, 2);
	printing_put(&p, 46, 5, 2);
	printing_put(&p, 48, 60 | 4 << 16, 4);
	printing_put(&p, 52, (uint8_t)-3, 1);
	printing_put(&p, 53, 1, 1);
	printing_put(&p, 54, 6, 2);
	printing_puts(&p, 60, "hey");
	printing_class(&p, "sys", "ev", fields,
		       "\"n=0x%08x on=%d\", REC->n, (int)REC->on", 8);
	return 0;
}

static int finish(void **state)
{
	printing_finish(&p);
	p = (struct printing){};
	return 0;
}

static const char *field(const char *name, bool json)
{
	struct kft_event ev = printing_event(&p);
	const struct kft_class *c = kft_trace_class(p.trace, PRINTING_ID);
	const struct kft_field *f = kft_class_field(c, name);

	assert_non_null(f);
	kft_strbuf_clear(&p.out);
	if (json)
		kft_printer_field_json(printing_printer(&p), &ev, f, &p.out);
	else
		kft_printer_field(printing_printer(&p), &ev, f, &p.out);
	return kft_strbuf_cstr(&p.out);
}

static void all_fields_are_shown_with_their_names(void **state)
{
	struct kft_event ev = printing_event(&p);

	kft_printer_raw(printing_printer(&p), &ev, &p.out);
	assert_string_equal(kft_strbuf_cstr(&p.out),
			    " n=0xfffffff9 addr=0xffff0000 ptr=0x1234 comm=a\"b "
			    "mac=ARRAY[01, 02, ff, 80] words=ARRAY["
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
			    "ff, ff, 05, 00"
#else
			    "ff, ff, 00, 05"
#endif
			    "] name=hey tiny=-3 on=1 small= 6 odd=0");
}

static void single_fields_are_shown_alike(void **state)
{
	assert_string_equal(field("n", false), "0xfffffff9");
	assert_string_equal(field("name", false), "hey");
	assert_string_equal(field("common_pid", false), "0");
}

static void json_has_the_right_types(void **state)
{
	assert_string_equal(field("n", true), "-7");
	assert_string_equal(field("addr", true), "4294901760");
	assert_string_equal(field("comm", true), "\"a\\\"b\"");
	assert_string_equal(field("mac", true), "[1,2,255,128]");
	assert_string_equal(field("words", true), "[-1,5]");
	assert_string_equal(field("name", true), "\"hey\"");
	assert_string_equal(field("on", true), "1");
	assert_string_equal(field("odd", true), "[0,0,0]");
	p.size = 10;
	assert_string_equal(field("n", true), "null");
	assert_string_equal(field("name", true), "null");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(all_fields_are_shown_with_their_names, create,
					finish),
	cmocka_unit_test_setup_teardown(single_fields_are_shown_alike, create, finish),
	cmocka_unit_test_setup_teardown(json_has_the_right_types, create, finish),
};

T_MAIN(tests)
