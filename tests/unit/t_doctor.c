// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <stdio.h>

#include "cli/doctor.h"
#include "output/result.h"

#define WIDTH_MAX 100

/* A report in which every row has the same result. */
static struct kft_doctor_report all(enum kft_doctor_state state,
				    enum kft_doctor_reason reason, const char *detail)
{
	struct kft_doctor_report r = {
		.results = calloc(kft_n_mechanisms, sizeof(*r.results)),
	};

	assert_non_null(r.results);
	for (size_t i = 0; i < kft_n_mechanisms; i++) {
		r.results[i] = (struct kft_doctor_result){.state = state,
							  .reason = reason};
		(void)snprintf(r.results[i].detail, sizeof(r.results[i].detail), "%s",
			       detail);
	}
	return r;
}

static struct kft_doctor_result *row(struct kft_doctor_report *r, const char *id)
{
	for (size_t i = 0; i < kft_n_mechanisms; i++)
		if (!strcmp(kft_mechanisms[i].id, id))
			return &r->results[i];
	fail_msg("no row '%s'", id);
	return NULL;
}

static const char *text(const struct kft_doctor_report *r, size_t width,
			struct kft_strbuf *sb)
{
	kft_strbuf_clear(sb);
	doctor_text(r, width, sb);
	return kft_strbuf_cstr(sb);
}

static void recording_needs_three_mechanisms(void **state)
{
	static const char *const needed[] = {"tracefs", "instances", "events"};
	struct kft_doctor_report r = all(KFT_DOCTOR_NO, KFT_DOCTOR_ABSENT, "");

	assert_false(doctor_can_record(&r));
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		assert_false(doctor_can_record(&r));
		row(&r, needed[i])->state = KFT_DOCTOR_YES;
	}
	assert_true(doctor_can_record(&r));
	kft_doctor_report_finish(&r);
}

static void missing_rows_say_what_is_lost_and_needed(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_doctor_report r = all(KFT_DOCTOR_YES, KFT_DOCTOR_FINE, "");
	struct kft_doctor_result *hist = row(&r, "hist-triggers");

	hist->state = KFT_DOCTOR_NO;
	hist->reason = KFT_DOCTOR_ABSENT;
	(void)snprintf(hist->detail, sizeof(hist->detail), "refused\033[31m: \nno");
	assert_non_null(
		strstr(text(&r, 80, &sb),
		       "  hist triggers             no       refused\\x1b[31m: \\nno\n"
		       "      lost:  in-kernel histograms; kft computes them from the "
		       "trace\n"
		       "      needs: CONFIG_HIST_TRIGGERS\n"
		       "  synthetic events          yes\n"));
	assert_non_null(strstr(text(&r, 80, &sb), "kft record works here.\n"));
	kft_doctor_report_finish(&r);
}

static void shared_remedies_are_said_once(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_doctor_report r = all(KFT_DOCTOR_NO, KFT_DOCTOR_LOCKDOWN, "refused");
	const char *t = text(&r, 80, &sb);
	const char *first = strstr(t, "boot with lockdown=none");
	char counted[64];

	assert_non_null(first);
	assert_null(strstr(first + 1, "boot with lockdown=none"));
	assert_null(strstr(t, "needs:"));
	(void)snprintf(counted, sizeof(counted), "\nlockdown (%zu): boot",
		       kft_n_mechanisms);
	assert_non_null(strstr(t, counted));
	kft_doctor_report_finish(&r);
}

static void what_is_forbidden_asks_for_no_configuration(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_doctor_report r = all(KFT_DOCTOR_NO, KFT_DOCTOR_FAILED, "refused");

	for (size_t i = 0; i < kft_n_mechanisms; i++)
		r.results[i].code = -EPERM;
	const char *t = text(&r, WIDTH_MAX, &sb);

	assert_null(strstr(t, "needs: CONFIG"));
	assert_non_null(strstr(t, "needs: a kernel that allows it to root"));
	kft_doctor_report_finish(&r);
}

static void no_line_is_wider_than_asked(void **state)
{
	static const size_t widths[] = {72, 80, WIDTH_MAX};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_doctor_report r = all(
		KFT_DOCTOR_LIMITED, KFT_DOCTOR_ABSENT,
		"a detail that is long enough to be broken into several lines, whatever the "
		"width is that the terminal has, because it goes on and on until here");

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		for (const char *p = text(&r, widths[i], &sb); *p;) {
			size_t len = strcspn(p, "\n");

			assert_true(len <= widths[i]);
			p += len + 1;
		}
	}
	kft_doctor_report_finish(&r);
}

static void json_has_all_of_a_row(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_result_finish) struct kft_result result = {};
	struct kft_doctor_report r = all(KFT_DOCTOR_YES, KFT_DOCTOR_FINE, "");
	struct kft_doctor_result *hist = row(&r, "hist-triggers");

	*hist = (struct kft_doctor_result){
		.state = KFT_DOCTOR_NO,
		.reason = KFT_DOCTOR_ABSENT,
		.code = -EINVAL,
		.detail = "\"no\"",
	};
	doctor_result(&r, &result);
	kft_result_json(&result, &(struct kft_output_how){}, &sb);
	const char *t = kft_strbuf_cstr(&sb);

	assert_non_null(strstr(
		t,
		"{\"id\":\"hist-triggers\",\"group\":\"Probes and in-kernel analysis\","
		"\"title\":\"hist triggers\",\"state\":\"no\",\"reason\":\"absent\","
		"\"errno\":22,\"detail\":\"\\\"no\\\"\","));
	assert_non_null(strstr(t, "\"can_record\":true,"));
	assert_non_null(strstr(t, "\"limited\":0,\"no\":1,\"unknown\":0}"));
	assert_string_equal(t + strlen(t) - 4, "}]}\n");
	kft_doctor_report_finish(&r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(recording_needs_three_mechanisms),
	cmocka_unit_test(missing_rows_say_what_is_lost_and_needed),
	cmocka_unit_test(shared_remedies_are_said_once),
	cmocka_unit_test(what_is_forbidden_asks_for_no_configuration),
	cmocka_unit_test(no_line_is_wider_than_asked),
	cmocka_unit_test(json_has_all_of_a_row),
};

T_MAIN(tests)
