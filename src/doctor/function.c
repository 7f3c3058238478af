// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tries the function tracers and their filters. */
#include "doctor/mechanisms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "doctor/tracer.h"
#include "tracefs/control/catalog.h"

static const char filter_file[] = "set_ftrace_filter";

void kft_doctor_function_list(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	_cleanup_(kft_catalog_finish) struct kft_catalog list = {};
	struct kft_err e;

	if (!kft_doctor_need_tracefs(env, res))
		return;
	int r = kft_catalog_read(env->host, KFT_CATALOG_FUNCTIONS, NULL, &list, &e);

	if (r < 0) {
		kft_doctor_refused(env, res, r, "functions");
		snprintf(res->detail, sizeof(res->detail), "%.200s", e.msg);
		return;
	}
	for (size_t i = 0; i < list.entries.len; i++)
		if (!list.entries.data[i].detail &&
		    !strcmp(list.entries.data[i].name, KFT_DOCTOR_FUNC))
			env->facts->func_line = i + 1;
	if (!list.entries.len)
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "the list of functions is empty");
	else
		kft_doctor_yes(res, "%zu functions%s", list.entries.len,
			       kft_doctor_exists(env->tracefs_fd,
						 "available_filter_functions_addrs")
				       ? ", with addresses"
				       : "");
}

/* Whether the list of functions contains KFT_DOCTOR_FUNC; otherwise fills in the row. */
static bool need_func(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	if (!kft_doctor_need_instance(env, res))
		return false;
	if (env->facts->func_line)
		return true;
	/* Report the refusal itself, not that another row failed. */
	_cleanup_close_ int fd = openat(env->inst_fd, filter_file, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		kft_doctor_refused_file(env, res, -errno, filter_file);
	else
		kft_doctor_unknown(res, KFT_DOCTOR_NEEDS_OTHER,
				   "no list of functions to try one of");
	return false;
}

void kft_doctor_filter_by_index(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	char line[16];

	if (!need_func(env, res))
		return;
	snprintf(line, sizeof(line), "%u", env->facts->func_line);
	int r = kft_doctor_set_as(env->inst_fd, filter_file, line, KFT_DOCTOR_FUNC);

	(void)!kft_doctor_write(env->inst_fd, filter_file, "");
	if (r == -EPROTO) {
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "index %s does not select %s", line,
			      KFT_DOCTOR_FUNC);
	} else if (r < 0) {
		kft_doctor_refused_file(env, res, r, filter_file);
	} else {
		env->facts->func_filter = true;
		kft_doctor_yes(res, "index %s selects %s and nothing else", line,
			       KFT_DOCTOR_FUNC);
	}
}

/* With kernel.ftrace_enabled at 0, tracers start but record nothing. */
static bool ftrace_is_off(const struct kft_doctor_env *env)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	return !kft_control_file_read(env->root_fd, "proc/sys/kernel/ftrace_enabled",
				      &text) &&
	       !strcmp(text.buf, "0");
}

/*
 * Runs a function tracer on one function. Returns its directory, or a negative
 * number with the row filled in.
 */
static int run_tracer(struct kft_doctor_env *env, struct kft_doctor_result *res,
		      const char *tracer, int64_t *ret_count)
{
	int dirfd;
	int r = kft_doctor_start_tracer(env, tracer, &dirfd);

	if (r == -EBUSY) {
		kft_doctor_unknown(res, KFT_DOCTOR_BUSY,
				   "top-level buffer only, and that is in use");
		return r;
	}
	if (r < 0) {
		kft_doctor_refused(env, res, r, "tracer '%s'", tracer);
		return r;
	}
	int64_t n = kft_doctor_record(env, dirfd, kft_doctor_kick_func);

	(void)!kft_doctor_write(dirfd, "current_tracer", "nop");
	if (n < 0) {
		kft_doctor_refused(env, res, n, "cannot record with '%s'", tracer);
		return n;
	}
	*ret_count = n;
	return dirfd;
}

static void not_recording(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	if (ftrace_is_off(env))
		kft_doctor_no(res, KFT_DOCTOR_SWITCHED_OFF, "kernel.ftrace_enabled is 0");
	else
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "starts, but records nothing");
}

void kft_doctor_function(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	int64_t n = 0;

	if (!need_func(env, res))
		return;
	int dirfd = run_tracer(env, res, "function", &n);

	if (dirfd < 0)
		return;
	if (!n)
		not_recording(env, res);
	else if (dirfd == env->inst_fd)
		kft_doctor_yes(res, "in instances");
	else
		kft_doctor_limited(res, KFT_DOCTOR_ABSENT,
				   "in the top-level buffer only");
}

void kft_doctor_function_graph(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf thresh = {};
	int64_t n = 0;

	if (!need_func(env, res))
		return;
	int dirfd = run_tracer(env, res, "function_graph", &n);

	if (dirfd < 0)
		return;
	if (!n && !kft_control_file_read(env->tracefs_fd, "tracing_thresh", &thresh) &&
	    strcmp(thresh.buf, "0")) {
		kft_doctor_unknown(res, KFT_DOCTOR_BUSY,
				   "tracing_thresh is %s: another program uses it",
				   thresh.buf);
	} else if (!n) {
		not_recording(env, res);
	} else if (dirfd == env->inst_fd) {
		env->facts->graph_runs = true;
		kft_doctor_yes(res, "in instances");
	} else {
		env->facts->graph_runs = true;
		kft_doctor_limited(
			res, KFT_DOCTOR_ABSENT,
			"in instances: no (top-level buffer only, one user at a time)");
	}
}

void kft_doctor_graph_details(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	static const struct {
		const char *option;
		const char *title;
	} details[] = {
		{"funcgraph-irqs", "interrupts on/off"},
		{"funcgraph-retaddr", "call site"},
		{"funcgraph-retval", "return value"},
		{"funcgraph-args", "arguments"},
	};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf have = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf lack = {};
	char path[64];

	if (!kft_doctor_need_tracefs(env, res))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(details); i++) {
		snprintf(path, sizeof(path), "options/%s", details[i].option);
		struct kft_strbuf *list = kft_doctor_exists(env->tracefs_fd, path)
						  ? &have
						  : &lack;

		kft_strbuf_addf(list, "%s%s", list->len ? ", " : "", details[i].title);
	}
	if (!have.len)
		kft_doctor_no(res, KFT_DOCTOR_ABSENT, "no options/funcgraph-*");
	else if (lack.len)
		kft_doctor_limited(res, KFT_DOCTOR_ABSENT, "%s; not: %s",
				   kft_strbuf_cstr(&have), kft_strbuf_cstr(&lack));
	else
		kft_doctor_yes(res, "%s", kft_strbuf_cstr(&have));
}

void kft_doctor_tracing_thresh(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf now = {};
	static const char file[] = "tracing_thresh";
	int64_t n = 0;

	if (!kft_doctor_need_tracefs(env, res))
		return;
	int r = kft_control_file_read(env->tracefs_fd, file, &now);

	if (r < 0) {
		kft_doctor_refused_file(env, res, r, file);
		return;
	}
	if (strcmp(now.buf, "0") || !kft_doctor_no_tracer_runs(env)) {
		kft_doctor_unknown(res, KFT_DOCTOR_BUSY,
				   "global, and a tracer or a threshold (%s) is in use",
				   now.buf);
		return;
	}
	/* Ten seconds, longer than any call of the function. */
	r = kft_doctor_change_top(env, file, "0", "10000000");
	if (r < 0) {
		kft_doctor_refused_file(env, res, r, file);
		return;
	}
	if (!env->facts->graph_runs) {
		kft_doctor_limited(res, KFT_DOCTOR_NEEDS_OTHER,
				   "can be set, but this kernel has no function_graph");
		return;
	}
	if (run_tracer(env, res, "function_graph", &n) < 0)
		return;
	if (n)
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "can be set, but does not filter");
	else
		kft_doctor_yes(res,
			       "global: one value for all instances, whole microseconds");
}

void kft_doctor_function_triggers(struct kft_doctor_env *env,
				  struct kft_doctor_result *res)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf on = {};

	if (!need_func(env, res))
		return;
	int r = kft_doctor_append(env->inst_fd, filter_file,
				  KFT_DOCTOR_FUNC ":traceoff:1\n");

	if (r < 0) {
		kft_doctor_refused(env, res, r, "cannot add a trigger to '%s'",
				   filter_file);
		return;
	}
	r = kft_doctor_kick_func(env);
	if (!r)
		r = kft_control_file_read(env->inst_fd, "tracing_on", &on);
	(void)!kft_doctor_append(env->inst_fd, filter_file,
				 "!" KFT_DOCTOR_FUNC ":traceoff:0\n");
	if (r < 0)
		kft_doctor_refused(env, res, r, "cannot see whether it fired");
	else if (strcmp(on.buf, "0"))
		not_recording(env, res);
	else
		kft_doctor_yes(res, "traceoff at %s fired", KFT_DOCTOR_FUNC);
}

/*
 * The stack tracer's switch, filter and result are all global, and its last
 * result cannot be erased. It is therefore switched on for a single function
 * that is not called meanwhile.
 */
void kft_doctor_stack_tracer(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	static const char name[] = "kernel/stack_tracer_enabled";
	static const char sysctl[] = "proc/sys/kernel/stack_tracer_enabled";
	_cleanup_(kft_strbuf_finish) struct kft_strbuf enabled = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf max = {};
	char line[16];

	if (!kft_doctor_need_tracefs(env, res))
		return;
	int r = kft_control_file_read(env->root_fd, sysctl, &enabled);

	if (r < 0) {
		kft_doctor_refused_file(env, res, r, sysctl);
		return;
	}
	if (strcmp(enabled.buf, "0") ||
	    !kft_doctor_filter_is_empty(env->tracefs_fd, "stack_trace_filter")) {
		kft_doctor_unknown(res, KFT_DOCTOR_BUSY, "global, and in use");
		return;
	}
	if (!need_func(env, res))
		return;
	r = kft_control_file_read(env->tracefs_fd, "stack_max_size", &max);
	if (!r && strcmp(max.buf, "0")) {
		kft_doctor_yes(
			res, "global; holds a stack of %s bytes found before, left alone",
			max.buf);
		return;
	}
	snprintf(line, sizeof(line), "%u", env->facts->func_line);
	if (!r)
		r = kft_doctor_fill_top(env, "stack_trace_filter", line);
	if (!r)
		r = kft_doctor_change_top(env, "stack_max_size", "0", "0");
	if (!r)
		r = kft_doctor_change_sysctl(env, name, "0", "1");
	if (r < 0)
		kft_doctor_refused(env, res, r, "cannot run it");
	else
		kft_doctor_yes(res, "global: one user at a time");
}
