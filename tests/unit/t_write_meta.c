// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "file/tracedat/format.h"
#include "file/tracedat/write/meta.h"
#include "sample.h"

static void header_texts_are_named_and_counted(void **state)
{
	struct kft_meta m = {.header_page = {"PP", 2}, .header_event = {"EEE", 3}};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	static const char want[] = "header_page\0\2\0\0\0\0\0\0\0PP"
				   "header_event\0\3\0\0\0\0\0\0\0EEE";

	kft_encode_header_info(&sb, &m, kft_host_is_big_endian());
	assert_int_equal(sb.len, sizeof(want) - 1);
	assert_memory_equal(sb.buf, want, sb.len);
}

static void add(struct kft_meta *m, const char *system, const char *text)
{
	const struct kft_format_text f = {.system = system, .text = {text, strlen(text)}};

	assert_true(kft_vec_push(&m->formats, f));
}

static void tracers_own_formats_are_apart(void **state)
{
	struct kft_meta m = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf own = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf rest = {};
	static const char want_own[] = "\0\0\0\1\0\0\0\0\0\0\0\1F";
	static const char want_rest[] = "\0\0\0\2"
					"irq\0\0\0\0\2\0\0\0\0\0\0\0\1a\0\0\0\0\0\0\0\2bb"
					"sched\0\0\0\0\1\0\0\0\0\0\0\0\1c";

	add(&m, "irq", "a");
	add(&m, "irq", "bb");
	add(&m, "ftrace", "F");
	add(&m, "sched", "c");
	kft_encode_ftrace_events(&own, &m, !kft_host_is_big_endian());
	assert_int_equal(own.len, sizeof(want_own) - 1);
	assert_memory_equal(own.buf, want_own, own.len);
	kft_encode_event_formats(&rest, &m, !kft_host_is_big_endian());
	assert_int_equal(rest.len, sizeof(want_rest) - 1);
	assert_memory_equal(rest.buf, want_rest, rest.len);
	kft_meta_finish(&m);
}

static void missing_texts_have_no_bytes(void **state)
{
	struct kft_meta m = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	static const char zero[16];

	kft_encode_kallsyms(&sb, &m, false);
	kft_encode_printk(&sb, &m, false);
	kft_encode_cmdlines(&sb, &m, false);
	assert_int_equal(sb.len, sizeof(zero));
	assert_memory_equal(sb.buf, zero, sb.len);
}

static void what_no_reader_would_take_is_refused(void **state)
{
	struct kft_meta m = {};
	struct kft_err e = {};

	sample_meta(&m);
	assert_int_equal(kft_tracedat_check_meta(&m, &e), 0);
	m.page_size = 4095;
	assert_int_equal(kft_tracedat_check_meta(&m, &e), -EINVAL);
	assert_string_equal(e.msg, "4095 bytes in a ring-buffer page");
	m.page_size = KFT_TRACEDAT_MAX_PAGE_BYTES * 2;
	assert_int_equal(kft_tracedat_check_meta(&m, &e), -EINVAL);
	m.page_size = KFT_TRACEDAT_MAX_PAGE_BYTES;
	assert_int_equal(kft_tracedat_check_meta(&m, &e), 0);
	m.cpu_count = KFT_TRACEDAT_MAX_CPUS + 1;
	assert_int_equal(kft_tracedat_check_meta(&m, &e), -EINVAL);
	m.cpu_count = 1;
	m.long_size = 2;
	assert_int_equal(kft_tracedat_check_meta(&m, &e), -EINVAL);
	m.long_size = 4;
	/* Only lengths are looked at. */
	m.kallsyms.len = KFT_TRACEDAT_MAX_SECTION_BYTES;
	assert_int_equal(kft_tracedat_check_meta(&m, &e), -EFBIG);
	m.kallsyms.len = 0;
	m.formats.data[0].text.len = SIZE_MAX - 8;
	assert_int_equal(kft_tracedat_check_meta(&m, &e), -EFBIG);
	m.formats.data[0].text.len = 0;
	m.tgids.len = KFT_TRACEDAT_MAX_OPTION_BYTES;
	assert_int_equal(kft_tracedat_check_meta(&m, &e), -EFBIG);
	kft_meta_finish(&m);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(header_texts_are_named_and_counted),
	cmocka_unit_test(tracers_own_formats_are_apart),
	cmocka_unit_test(missing_texts_have_no_bytes),
	cmocka_unit_test(what_no_reader_would_take_is_refused),
};

T_MAIN(tests)
