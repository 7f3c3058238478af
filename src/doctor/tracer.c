// SPDX-License-Identifier: LGPL-2.1-or-later
/* Switches tracers on. */
#include "doctor/tracer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/dir.h"
#include "base/scan.h"
#include "doctor/mechanisms.h"

static bool says(int dirfd, const char *path, const char *text)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf now = {};

	return !kft_control_file_read(dirfd, path, &now) &&
	       !strcmp(kft_strbuf_cstr(&now), text);
}

bool kft_doctor_filter_is_empty(int dirfd, const char *path)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf now = {};
	int r = kft_control_file_read(dirfd, path, &now);

	/*
	 * An empty filter prints "#### all functions enabled ####"; triggers
	 * would follow without a '#'.
	 */
	return r == -ENOENT ||
	       (!r && (!now.len || (*now.buf == '#' && !memchr(now.buf, '\n', now.len))));
}

bool kft_doctor_no_tracer_runs(const struct kft_doctor_env *env)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(env->tracefs_fd, "instances");
	bool none = dir && says(env->tracefs_fd, "current_tracer", "nop");
	const char *name;
	char path[300];

	while (none && (name = kft_dir_next(dir))) {
		if (strcmp(name, env->inst) == 0)
			continue;
		snprintf(path, sizeof(path), "%s/current_tracer", name);
		none = says(dirfd(dir), path, "nop");
	}
	return none;
}

bool kft_doctor_top_is_free(const struct kft_doctor_env *env)
{
	return says(env->tracefs_fd, "current_tracer", "nop") &&
	       says(env->tracefs_fd, "set_event", "") &&
	       kft_doctor_filter_is_empty(env->tracefs_fd, "set_ftrace_filter") &&
	       !kft_doctor_count_entries(env->tracefs_fd);
}

static int start_in_top(struct kft_doctor_env *env, const char *tracer)
{
	char line[16];

	if (!kft_doctor_top_is_free(env))
		return -EBUSY;
	snprintf(line, sizeof(line), "%u", env->facts->func_line);
	/* Without a filter all functions would be traced, which takes seconds. */
	if (kft_doctor_exists(env->tracefs_fd, "set_ftrace_filter")) {
		int r = env->facts->func_line
				? kft_doctor_fill_top(env, "set_ftrace_filter", line)
				: -ENOENT;

		if (r < 0)
			return r;
	}
	int r = kft_doctor_note_empty(env, "trace");

	return r < 0 ? r : kft_doctor_change_top(env, "current_tracer", "nop", tracer);
}

int kft_doctor_filter_func(struct kft_doctor_env *env)
{
	char line[16];

	snprintf(line, sizeof(line), "%u", env->facts->func_line);
	return kft_doctor_set_as(env->inst_fd, "set_ftrace_filter",
				 env->facts->func_filter ? line : KFT_DOCTOR_FUNC,
				 KFT_DOCTOR_FUNC);
}

int kft_doctor_start_tracer(struct kft_doctor_env *env, const char *tracer,
			    int *ret_dirfd)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tracers = {};
	/* The top level lists all tracers, an instance only those that it supports. */
	int r = kft_control_file_read(env->tracefs_fd, "available_tracers", &tracers);

	if (r < 0)
		return r;
	if (!kft_has_word(tracers.buf, tracer))
		return -ENOENT;
	if (kft_doctor_exists(env->inst_fd, "set_ftrace_filter")) {
		r = kft_doctor_filter_func(env);
		if (r < 0)
			return r;
	}
	r = kft_doctor_set(env->inst_fd, "current_tracer", tracer);
	*ret_dirfd = env->inst_fd;
	if (r != -EINVAL)
		return r;
	r = start_in_top(env, tracer);
	*ret_dirfd = env->tracefs_fd;
	return r;
}

/* Appends a word to a list, after a comma. */
static void add_word(struct kft_strbuf *list, const char *word)
{
	kft_strbuf_addf(list, "%s%s", list->len ? ", " : "", word);
}

/*
 * Handles rows that stand for several tracers. Nothing is measured: tracing is off in the
 * instance, so that hwlat does not stop a CPU, and functions are not traced.
 */
void kft_doctor_tracers(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	const char *p = env->mechanism->tries;
	char tracer[32];
	size_t len;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf have = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf lack = {};
	bool top = false;
	int worst = 0;
	int dirfd;

	if (!kft_doctor_need_instance(env, res))
		return;
	(void)!kft_doctor_write(env->inst_fd, "options/function-trace", "0");
	(void)!kft_doctor_write(env->inst_fd, "tracing_on", "0");
	for (; (len = strcspn(p, " ")); p += len + (p[len] == ' ')) {
		(void)snprintf(tracer, sizeof(tracer), "%.*s", (int)len, p);
		int r = kft_doctor_start_tracer(env, tracer, &dirfd);

		top |= !r && dirfd != env->inst_fd;
		add_word(r < 0 ? &lack : &have, tracer);
		if (r < 0 && r != -ENOENT)
			worst = r;
		else if (!r)
			(void)!kft_doctor_write(dirfd, "current_tracer", "nop");
	}
	if (!have.len && worst)
		kft_doctor_refused(env, res, worst, "%s", kft_strbuf_cstr(&lack));
	else if (!have.len)
		kft_doctor_no(res, KFT_DOCTOR_ABSENT, "no tracer %s",
			      kft_strbuf_cstr(&lack));
	else if (top || lack.len)
		kft_doctor_limited(res, KFT_DOCTOR_ABSENT, "%s%s%s%s",
				   kft_strbuf_cstr(&have),
				   top ? " (top-level buffer only)" : "",
				   lack.len ? "; not: " : "", kft_strbuf_cstr(&lack));
	else
		kft_doctor_yes(res, "%s", kft_strbuf_cstr(&have));
}
