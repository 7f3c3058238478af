// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tries triggers of events. */
#include "base/scan.h"
#include "doctor/mechanisms.h"

#include <stdio.h>
#include <string.h>

/*
 * Makes the path of an event's file in doctor's instance; false with the row filled in.
 */
static bool event_file(struct kft_doctor_env *env, struct kft_doctor_result *res,
		       const char *file, char *path, size_t size)
{
	if (!kft_doctor_need_instance(env, res))
		return false;
	const char *event = kft_doctor_event(env);

	if (!event) {
		kft_doctor_unknown(res, KFT_DOCTOR_NEEDS_OTHER, "no event to try it on");
		return false;
	}
	snprintf(path, size, "events/%s/%s", event, file);
	return true;
}

void kft_doctor_event_triggers(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf on = {};
	char path[96];

	if (!event_file(env, res, "trigger", path, sizeof(path)))
		return;
	int r = kft_doctor_write(env->inst_fd, path, "traceoff if common_pid != 0");

	if (r < 0) {
		kft_doctor_refused_file(env, res, r, path);
		return;
	}
	r = kft_doctor_kick_sched(env);
	if (!r)
		r = kft_control_file_read(env->inst_fd, "tracing_on", &on);
	(void)!kft_doctor_write(env->inst_fd, path, "!traceoff");
	if (r < 0)
		kft_doctor_refused(env, res, r, "cannot see whether it fired");
	else if (strcmp(on.buf, "0"))
		kft_doctor_no(res, KFT_DOCTOR_FAILED,
			      "accepted, but traceoff did not fire");
	else
		kft_doctor_yes(res, "traceoff with a condition fired");
}

/* Whether the histogram counted a hit: "    Hits: 12" after "Totals:". */
static bool has_hits(const char *hist)
{
	uint64_t n;

	return kft_scan_named(hist, "\n    Hits: ", &n) && n;
}

void kft_doctor_hist_triggers(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	static const char hist[] = "hist:keys=common_pid";
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	char remove[32];
	char path[96];
	char out[96];

	if (!event_file(env, res, "trigger", path, sizeof(path)) ||
	    !event_file(env, res, "hist", out, sizeof(out)))
		return;
	snprintf(remove, sizeof(remove), "!%s", hist);
	int r = kft_doctor_write(env->inst_fd, path, hist);

	if (r < 0) {
		kft_doctor_refused(env, res, r, "cannot write a histogram to '%s'", path);
		return;
	}
	r = kft_doctor_kick_sched(env);
	if (!r)
		r = kft_control_file_read(env->inst_fd, out, &text);
	(void)!kft_doctor_write(env->inst_fd, path, remove);
	if (r < 0)
		kft_doctor_refused_file(env, res, r, out);
	else if (!has_hits(text.buf))
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "accepted, but counts nothing");
	else
		kft_doctor_yes(res, "counted by task");
}
