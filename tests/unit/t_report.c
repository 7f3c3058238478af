// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "fake_trace.h"
#include "model/merge.h"
#include "output/report/report.h"

static void info(void *ctx, const struct kft_event *ev, const struct kft_class *c,
		 struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, ctx);
}

/* Two CPUs: known and unknown tasks, a loss of each kind, an event without a class. */
static struct kft_trace *small_trace(void)
{
	struct kft_trace *t = fake_trace();
	struct fake_stream *cpu0 = fake_add_stream(t, 0, 0);
	struct fake_stream *cpu12 = fake_add_stream(t, 0, 12);

	t->meta.cpu_count = 13;
	assert_int_equal(kft_task_set_comm(&t->tasks, 77, "a\033b", 3), 0);
	fake_add_event(cpu0, 1500, 1, 77, 0);
	fake_add_event(cpu12, 2499, 2, 0, 169);
	fake_add_event(cpu0, UINT64_C(123456789012345), 3, 4194304, KFT_LOST_UNKNOWN);
	fake_add_event(cpu12, UINT64_C(200000000000000), 9, 5, 0);
	return t;
}

static const char *render(struct kft_trace *t, const struct kft_report_style *style,
			  struct kft_report_opts *opts)
{
	_cleanup_(kft_report_destroyp) struct kft_report *r = NULL;
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	static char text[4096];
	const struct kft_event *ev;
	struct kft_strbuf sb = {};

	opts->trace = t;
	opts->info = info;
	opts->info_ctx = (char *)"some info\n";
	assert_int_equal(kft_report_create(style, opts, &r), 0);
	assert_int_equal(kft_merge_create(t, NULL, &m), 0);
	kft_report_begin(r, &sb);
	while (kft_merge_next(m, &ev) > 0)
		kft_report_event(r, ev, &sb);
	assert_true(kft_strbuf_ok(&sb) && sb.len < sizeof(text));
	strcpy(text, kft_strbuf_cstr(&sb));
	kft_strbuf_finish(&sb);
	return text;
}

static void trace_style_is_that_of_ftrace(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = small_trace();

	assert_string_equal(
		render(t, &kft_report_trace, &(struct kft_report_opts){}),
		"cpus=13\n"
		"          a\\x1bb-77    [000]     0.000002: tick:                 some info\n"
		"CPU:12 [169 EVENTS DROPPED]\n"
		"          <idle>-0     [012]     0.000002: wake:                 some info\n"
		"CPU:0 [EVENTS DROPPED]\n"
		"           <...>-4194304 [000] 123456.789012: tick_irq:             some info\n"
		"           <...>-5     [012] 200000.000000: unknown-9:            "
		"raw=0900000005000000010000000080f420\n");
}

static void buffers_have_their_names(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();

	fake_add_event(fake_add_stream(t, 0, 0), 1000, 1, 1, 0);
	fake_add_event(fake_add_stream(t, 1, 0), 2000, 1, 1, 2);
	fake_add_event(fake_add_stream(t, 2, 0), 3000, 1, 1, 0);
	strcpy(t->buffers.data[1].name, "irqs");
	strcpy(t->buffers.data[2].name, "timers");
	t->buffers.data[2].clock.unit = KFT_CLOCK_COUNT;
	assert_string_equal(
		render(t, &kft_report_trace, &(struct kft_report_opts){}),
		"cpus=0\n"
		"                   <...>-1     [000]     0.000001: tick:                 some info\n"
		"  irqs: CPU:0 [2 EVENTS DROPPED]\n"
		"           <...>-1     [000]     0.000002: tick:                 some info\n"
		"timers:            <...>-1     [000]        3000: tick:                 some info\n");
}

#define COMMON_JSON "\"common_flags\":0,\"common_preempt_count\":0,"

static void json_is_an_object_a_line(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = small_trace();

	assert_string_equal(
		render(t, &kft_report_json, &(struct kft_report_opts){}),
		"{\"ts\":1500,\"cpu\":0,\"comm\":\"a\\u001bb\",\"pid\":77," COMMON_JSON
		"\"system\":\"sched\","
		"\"event\":\"tick\",\"fields\":{\"a\":0,\"b\":1500}}\n"
		"{\"lost\":169,\"before\":2499,\"cpu\":12}\n"
		"{\"ts\":2499,\"cpu\":12,\"comm\":\"<idle>\",\"pid\":0," COMMON_JSON
		"\"system\":\"sched\","
		"\"event\":\"wake\",\"fields\":{\"a\":0,\"b\":2499}}\n"
		"{\"lost\":null,\"before\":123456789012345,\"cpu\":0}\n"
		"{\"ts\":123456789012345,\"cpu\":0,\"comm\":\"<...>\",\"pid\":4194304,"
		"" COMMON_JSON
		"\"system\":\"irq\",\"event\":\"tick_irq\",\"fields\":{\"a\":1,\"b\":2249056121}}\n"
		"{\"ts\":200000000000000,\"cpu\":12,\"comm\":\"<...>\",\"pid\":5," COMMON_JSON
		"\"system\":\"\","
		"\"event\":\"unknown-9\",\"fields\":{}}\n");
}

static void chosen_fields_are_columns(void **state)
{
	static const char *const fields[] = {"ts",   "time",  "cpu",	"comm",
					     "pid",  "event", "system", "buffer",
					     "info", "b",     "none"};
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	struct kft_report_opts opts = {.fields = fields, .n_fields = ARRAY_SIZE(fields)};

	fake_add_event(fake_add_stream(t, 0, 3), 1500, 1, 8, 6);
	assert_string_equal(
		render(t, &kft_report_fields, &opts),
		"# CPU:3 [6 EVENTS DROPPED]\n"
		"1500\t0.000002\t3\t<...>\t8\ttick\tsched\t-\tsome info\t1500\t-\n");
	assert_string_equal(
		render(t, &kft_report_json, &opts),
		"{\"lost\":6,\"before\":1500,\"cpu\":3}\n"
		"{\"ts\":1500,\"time\":1500,\"cpu\":3,\"comm\":\"<...>\",\"pid\":8,"
		"\"event\":\"tick\",\"system\":\"sched\",\"buffer\":\"\",\"info\":\"some info\","
		"\"b\":1500,\"none\":null}\n");
}

static void info_stays_in_its_line_and_column(void **state)
{
	static const char *const fields[] = {"info", "cpu"};
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	_cleanup_(kft_report_destroyp) struct kft_report *r = NULL;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_report_opts opts = {.trace = t,
				       .info = info,
				       .info_ctx = (char *)"one\n\ttwo\n",
				       .fields = fields,
				       .n_fields = ARRAY_SIZE(fields)};
	struct fake_stream *f = fake_add_stream(t, 0, 3);

	fake_add_event(f, 1, 1, 1, 0);
	assert_int_equal(kft_report_create(&kft_report_fields, &opts, &r), 0);
	kft_report_event(r, &f->evs[0], &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "one  two\t3\n");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(trace_style_is_that_of_ftrace),
	cmocka_unit_test(buffers_have_their_names),
	cmocka_unit_test(json_is_an_object_a_line),
	cmocka_unit_test(chosen_fields_are_columns),
	cmocka_unit_test(info_stays_in_its_line_and_column),
};

T_MAIN(tests)
