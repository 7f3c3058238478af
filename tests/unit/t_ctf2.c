// SPDX-License-Identifier: GPL-2.0-only
#include "page.h"

#include <errno.h>
#include <stdio.h>

#include "decode/printfmt/print.h"
#include "file/ctf/reader.h"
#include "model/merge.h"

/* JSON with ' for ", each fragment behind a '#'. */
#define BEFORE                                                                         \
	"#{'type':'preamble','version':2}\n"                                           \
	"#{'type':'field-class-alias','name':'u8','field-class':{"                     \
	"'type':'fixed-length-unsigned-integer','length':8,'byte-order':'big-endian'," \
	"'alignment':8}}\n"                                                            \
	"#{'type':'trace-class','environment':{'tracer_major':2,'host':'h'}}\n"        \
	"#{'type':'clock-class','id':'c','name':'mono','frequency':1000000000,"        \
	"'offset-from-origin':{'seconds':7,'cycles':3}}\n"                             \
	"#{'type':'data-stream-class','default-clock-class-id':'c',"                   \
	"'event-record-header-field-class':{'type':'structure','member-classes':[{"    \
	"'name':'t','field-class':{'type':'variable-length-unsigned-integer',"         \
	"'roles':['default-clock-timestamp']}}]}}\n"                                   \
	"#{'type':'event-record-class','name':'e',"                                    \
	"'payload-field-class':{'type':'structure','member-classes':["
#define AFTER		   "]}}\n"
#define FIELD(name, class) "{'name':'" name "','field-class':" class "}"
#define AT(path)	   "'selector-field-location':{'path':[" path "]}"
#define FIXED(type, length)                                \
	"{'type':'fixed-length-" type "','length':" length \
	",'byte-order':'little-endian'}"

static struct kft_trace *trace;
static struct kft_strbuf text;

static int end(void **state)
{
	trace = kft_trace_destroy(trace);
	kft_strbuf_finish(&text);
	return 0;
}

static int open_text(const char *json, const char *bytes, size_t len, struct kft_err *e)
{
	(void)end(NULL);
	for (; *json; json++)
		kft_strbuf_addc(&text, *json == '\'' ? '"' : *json == '#' ? 0x1e : *json);
	assert_int_equal(kft_ctf_create(&trace), 0);
	struct kft_ctf_reader *c = trace->reader;
	struct kft_ctf_file f = {
		.path = "t_0", .data = (const uint8_t *)bytes, .size = len};
	int r = kft_ctf_setup(c, (const uint8_t *)text.buf, text.len, e);
	if (r < 0)
		return r;
	assert_true(kft_vec_push(&c->files, f));
	return kft_ctf_start(c);
}

/* The events of a trace with these fields, a line for each: time, fields. */
static void check(const char *fields, const char *bytes, size_t len, const char *expected)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf json = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf shown = {};
	const struct kft_event *ev;
	struct kft_printer *p;
	struct kft_err e = {};
	struct kft_merge *m;

	kft_strbuf_addf(&json, "%s%s%s", BEFORE, fields, AFTER);
	if (open_text(kft_strbuf_cstr(&json), bytes, len, &e) < 0)
		fail_msg("%s", e.msg);
	assert_int_equal(kft_printer_create(trace, &p), 0);
	assert_int_equal(kft_merge_create(trace, NULL, &m), 0);
	int r;
	while ((r = kft_merge_next(m, &ev)) > 0) {
		kft_strbuf_addf(&shown, "%llu ", (unsigned long long)ev->ts);
		kft_printer_info(p, ev, &shown);
		kft_strbuf_addc(&shown, '\n');
	}
	kft_merge_destroy(m);
	kft_printer_destroy(p);
	if (r < 0 || trace->damage.code)
		fail_msg("%s", trace->damage.msg);
	assert_string_equal(kft_strbuf_cstr(&shown), expected);
}

static void every_field_class_is_read(void **state)
{
	static const char fields[] = FIELD("n", "{'type':'variable-length-unsigned-integer'}") "," FIELD(
		"s",
		"{'type':'dynamic-length-string',"
		"'length-field-location':{'path':['n']}}") "," FIELD("b",
								     FIXED(
									     "boolean",
									     "8")) "," FIELD("o",
											     "{'type':'optional','field-class':" FIXED(
												     "unsigned-integer",
												     "16") "," AT("'b'") "}") "," FIELD("v",
																	"{'type':'variant'," AT("'n'") ",'options':["
																				       "{'selector-field-ranges':[[0,1],[2,2]],'field-class':'u8'},"
																				       "{'selector-field-ranges':[[3,9]],'field-class':"
																				       "{'type':'null-terminated-string'}}]}") "," FIELD("blob", "{'type':'static-length-blob','length':2}") "," FIELD("i", "{'type':'variable-length-signed-integer'}") "," FIELD("in",
																																										   "{'type':'structure','member-classes':[" FIELD("x", FIXED("bit-map", "8")) "," FIELD(
																																											   "arr", "{'type':'dynamic-length-array',"
																																												  "'element-field-class':'u8','length-field-location':"
																																												  "{'path':['x',null,null,'n']}}") "]}") "," FIELD("m", "{'type':'static-length-array','element-field-class':'u8',"
																																																			"'length':2,'minimum-alignment':32}") "," FIELD("a word",
																																																									"{'type':'static-length-string','length':4}") "," FIELD("k",
																																																																"{'type':'fixed-length-signed-integer','length':8,"
																																																																"'byte-order':'little-endian','mappings':{'minus':[[-2,-2]]}}");
	/* The widest alignment in it is the payload's. */
	static const char bytes[] =
		"\x05\0\0\0\x03"
		"abc\x01\x02\x01hi\0\xaa\xbb\x7e\x09\x01\x02\x03\0\0\0"
		"\x07\x08wo\0d\xfe"
		"\x06\0\0\x2a\xcc\xdd\x02\xff\0\x01\x02word\x01";

	check(fields, bytes, sizeof(bytes) - 1,
	      "7000000008 n=3 s=abc b=true o=258 v=hi blob={0xaa,0xbb} i=-2 in_x=0x9 "
	      "in_arr={0x1,0x2,0x3} m={0x7,0x8} a_word=wo k=minus\n"
	      "7000000009 n=0 s= b=false o= v=42 blob={0xcc,0xdd} i=2 in_x=0xff "
	      "in_arr={} m={0x1,0x2} a_word=word k=0x1\n");
}

static void what_is_not_read_is_named(void **state)
{
	static const struct {
		const char *field;
		const char *what;
		int code;
	} known[] = {
		{"{'type':'complex-number'}", "'complex-number'", -ENOTSUP},
		{FIXED("floating-point-number", "16"), "length of 16", -ENOTSUP},
		{"{'type':'null-terminated-string','encoding':'utf-16le'}", "'utf-16le'",
		 -ENOTSUP},
		{"{'type':'fixed-length-bit-array','length':8,'byte-order':"
		 "'little-endian','bit-order':'last-to-first'}",
		 "'last-to-first'", -ENOTSUP},
		{"{'type':'fixed-length-boolean','length':65}", "'length'", -EINVAL},
		{"{'type':'fixed-length-boolean','length':8}", "'byte-order'", -EINVAL},
		{"'u9'", "'u9'", -EINVAL},
		{"{'type':'static-length-blob'}", "'length'", -EINVAL},
		{"{'type':'dynamic-length-blob','length-field-location':{'path':"
		 "['later']}}",
		 "'later'", -EINVAL},
		{"{'type':'variant','options':[]," AT("null,null,'x'") "}", "'x'",
		 -EINVAL},
		{"{'type':'fixed-length-boolean'", "JSON", -EINVAL},
		{"7", "field class", -EINVAL},
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf json = {};
		struct kft_err e = {};

		kft_strbuf_addf(&json, "%s{'name':'f','field-class':%s}%s", BEFORE,
				known[i].field, AFTER);
		int r = open_text(kft_strbuf_cstr(&json), "", 0, &e);
		if (r != known[i].code || !strstr(e.msg, known[i].what))
			fail_msg("%s: %d, %s", known[i].field, r, e.msg);
	}
}

/* Another version, a draft, extensions, and unknown fragments. */
static void what_is_not_known_is_not_read(void **state)
{
	static const char *const known[][2] = {
		{"#{'type':'preamble','version':3}", "version 3"},
		{"#{'type':'preamble','version':2,'extensions':{'a':{}}}", "extensions"},
		{"#{'type':'novelty'}", "'novelty'"},
		{"#{'type':'preamble','version':2}"
		 "#{'type':'clock-class','name':'mono','frequency':1000}",
		 "draft of CTF 2"},
		{"#{'type':'preamble','version':2}"
		 "#{'type':'data-stream-class','default-clock-class-name':'mono'}",
		 "draft of CTF 2"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		struct kft_err e = {};

		assert_int_equal(open_text(known[i][0], "", 0, &e), -ENOTSUP);
		assert_non_null(strstr(e.msg, known[i][1]));
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(every_field_class_is_read, end),
	cmocka_unit_test_teardown(what_is_not_read_is_named, end),
	cmocka_unit_test_teardown(what_is_not_known_is_not_read, end),
};

#if HAVE_JSON
T_MAIN(tests)
#else
int main(void)
{
	(void)tests;
	(void)puts("kft was built without json-c");
	return 77;
}
#endif
