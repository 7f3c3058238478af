// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "config.h"
#include "plan/boot.h"

static void assert_word(const char *text, const char *word, const char *back)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};
	_cleanup_(kft_config_finish) struct kft_config again = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf formatted = {};

	t_config_parse(text, &c);
	kft_boot_word_add(&c.runs.data[0], &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), word);
	assert_int_equal(kft_boot_word_parse(sb.buf, sb.len, &again, NULL), 0);
	kft_config_format(&again, &formatted);
	assert_string_equal(kft_strbuf_cstr(&formatted), back);
}

static void it_comes_back(void **state)
{
	assert_word("begin end", "begin,end", "begin\nend\n");
	assert_word("trigger start entry a trigger stop time 5s filter mintime 500ns "
		    "filter noints filter funclist x y_* fend filter pid 1 2 fend",
		    "trigger,start,entry,a,trigger,stop,time,5000000,filter,mintime,"
		    "500ns,filter,noints,filter,pid,1,2,fend",
		    "begin\n  trigger start entry a\n  trigger stop time 5000000\n"
		    "  filter mintime 500ns\n  filter noints\n  filter pid 1 2 fend\n"
		    "end\n");
	assert_word("filter comm \"Web Content\" k* \"end\" fend",
		    "filter,comm,%22Web,Content%22,k*,%22end%22,fend",
		    "begin\n  filter comm \"Web Content\" k* \"end\" fend\nend\n");
}

static void others_are_refused(void **state)
{
	static const char *const words[] = {
		"no,clause",
		"%",
		"%2",
		"%GG",
		"a b",
		"a;b",
		"begin,end,begin,end",
		"filter,mintime,5%00",
		"%0a%ff",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		struct kft_config c = {};
		struct kft_err e = {};

		assert_int_equal(kft_boot_word_parse(words[i], strlen(words[i]), &c, &e),
				 -EINVAL);
		assert_non_null(strstr(e.msg, "kft.boot"));
		assert_int_equal(c.runs.len, 0);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(it_comes_back),
	cmocka_unit_test(others_are_refused),
};

T_MAIN(tests)
