// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "fake_trace.h"
#include "output/report/report.h"

/* Numbers where the kernel has strings, a string where it has a number. */
static const char *const formats[][2] = {
	{"sched", FORMAT("sched_waking", "1", FIELD("comm", "8") FIELD("pid", "12"))},
	{"ftrace", FORMAT("print", "2", FIELD("buf", "8"))},
	{"irq", FORMAT("irq_handler_entry", "3", FIELD("irq", "8") FIELD("name", "12"))},
	{"raw_syscalls", FORMAT("sys_enter", "4", FIELD("id", "8") FIELD("args", "12"))},
	{"block", FORMAT("block_rq_issue", "5",
			 FIELD("dev", "8") FIELD("sector", "8") FIELD("nr_sector", "8")
				 FIELD("rwbs", "12"))},
};

static void no_info(void *ctx, const struct kft_event *ev, const struct kft_class *c,
		    struct kft_strbuf *sb)
{
}

static void assert_words(struct kft_report *r, uint16_t id, const char *words)
{
	const uint32_t record[] = {id, 7, 24, 1000000};
	const struct kft_event ev = {
		.data = (const uint8_t *)record, .size = sizeof(record), .id = id};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_report_event(r, &ev, &sb);
	assert_non_null(strstr(kft_strbuf_cstr(&sb), words));
}

static void fields_of_other_types_are_left_out(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(kft_report_destroyp) struct kft_report *r = NULL;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	t = fake_trace_of(formats, ARRAY_SIZE(formats));
	assert_true(kft_vec_push(&t->buffers, (struct kft_buffer){}));
	const struct kft_report_opts how = {.trace = t, .info = no_info};

	assert_int_equal(kft_report_create(&kft_report_plain, &how, &r), 0);
	kft_report_begin(r, &sb);
	assert_words(r, 1, "wake  (1000000)\n");
	assert_words(r, 2, "mark \n");
	assert_words(r, 3, "IRQ 24 ()\n");
	assert_words(r, 4, "call 24()\n");
	assert_words(r, 5, "issue request () of 12288 bytes at sector 24 of 0:24\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_of_other_types_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
