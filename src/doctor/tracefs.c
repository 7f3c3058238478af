// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tries tracefs, instances, events and filters. */
#include "doctor/mechanisms.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "tracefs/control/catalog.h"
#include "plan/for.h"

void kft_doctor_tracefs(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	char link[32];
	char path[128];

	if (env->tracefs_fd < 0) {
		kft_doctor_refused(env, res, env->tracefs_fd, "tracefs");
		snprintf(res->detail, sizeof(res->detail), "%.200s", env->err.msg);
		return;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", env->tracefs_fd);
	ssize_t len = readlink(link, path, sizeof(path) - 1);

	path[len < 0 ? 0 : len] = '\0';
	/* A detached mount has the path "/". */
	if (!strcmp(path, "/"))
		kft_doctor_yes(res, "not mounted; kft mounts it for itself alone");
	else
		kft_doctor_yes(res, "at %s", path);
}

void kft_doctor_instances(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	if (!kft_doctor_need_tracefs(env, res))
		return;
	if (env->inst_fd < 0) {
		kft_doctor_refused(env, res, env->inst_fd, "instances");
		snprintf(res->detail, sizeof(res->detail), "%.200s", env->err.msg);
		return;
	}
	kft_doctor_yes(res, "made instances/%s", env->inst);
}

/* Enables an event in doctor's instance; on failure fills in the row. */
static const char *enable_event(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	const char *event = kft_doctor_event(env);
	char path[96];

	if (!event) {
		kft_doctor_no(res, KFT_DOCTOR_ABSENT,
			      "no system call and no scheduler events");
		return NULL;
	}
	snprintf(path, sizeof(path), "events/%s/enable", event);
	int r = kft_doctor_write(env->inst_fd, path, "1");

	if (r < 0) {
		kft_doctor_refused_file(env, res, r, path);
		return NULL;
	}
	return event;
}

void kft_doctor_events(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	_cleanup_(kft_catalog_finish) struct kft_catalog list = {};
	int64_t n = 0;

	if (!kft_doctor_need_instance(env, res))
		return;
	const char *event = enable_event(env, res);

	if (!event || !kft_doctor_try_record(env, res, kft_doctor_kick_sched, &n))
		return;
	if (!n) {
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "%s is on but records nothing",
			      event);
		return;
	}
	if (kft_catalog_read(env->host, KFT_CATALOG_EVENTS, NULL, &list, NULL) < 0)
		kft_doctor_yes(res, "%s recorded", event);
	else
		kft_doctor_yes(res, "%zu offered, %s recorded", list.entries.len, event);
}

void kft_doctor_event_filters(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	char path[96];
	char filter[48];
	int64_t mine = 0;
	int64_t others = 0;

	if (!kft_doctor_need_instance(env, res))
		return;
	const char *event = enable_event(env, res);

	if (!event)
		return;
	snprintf(path, sizeof(path), "events/%s/filter", event);
	/* The filter never matches, so that no event is recorded. */
	int r = kft_doctor_write(env->inst_fd, path,
				 "common_pid == 0 && common_pid == 1");

	if (!r) {
		/* Marks, which programs write to all sessions, pass any filter. */
		(void)!kft_doctor_write(env->inst_fd, "options/markers", "0");
		bool tried = kft_doctor_try_record(env, res, kft_doctor_kick_sched,
						   &others);

		(void)!kft_doctor_write(env->inst_fd, "options/markers", "1");
		if (!tried)
			return;
		snprintf(filter, sizeof(filter), "common_pid == %d", getpid());
		r = kft_doctor_write(env->inst_fd, path, filter);
	}
	if (r < 0) {
		kft_doctor_refused_file(env, res, r, path);
		return;
	}
	bool counted = kft_doctor_try_record(env, res, kft_doctor_kick_sched, &mine);

	(void)!kft_doctor_write(env->inst_fd, path, "0");
	if (!counted)
		return;
	if (others || !mine)
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "accepted, but does not filter");
	else
		kft_doctor_yes(res, "%s",
			       kft_doctor_exists(env->inst_fd, "error_log")
				       ? "the kernel explains a refused one (error_log)"
				       : "the kernel does not explain a refused one");
}

void kft_doctor_pid_filter(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	char pid[16];
	int64_t n = 0;

	if (!kft_doctor_need_instance(env, res) || !enable_event(env, res))
		return;
	snprintf(pid, sizeof(pid), "%d", getpid());
	int r = kft_doctor_set(env->inst_fd, "set_event_pid", pid);

	if (r < 0) {
		kft_doctor_refused_file(env, res, r, "set_event_pid");
		return;
	}
	if (!kft_doctor_try_record(env, res, kft_doctor_kick_sched, &n))
		return;
	r = kft_doctor_set(env->inst_fd, "options/event-fork", "1");
	(void)!kft_doctor_write(env->inst_fd, "options/event-fork", "0");
	if (!n)
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "accepted, but records nothing");
	else if (r < 0)
		kft_doctor_limited(res, KFT_DOCTOR_ABSENT,
				   "children of a traced task are not followed: %s",
				   strerror(-r));
	else
		kft_doctor_yes(res, "children are followed (event-fork)");
}

void kft_doctor_syscall_events(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	int64_t n = 0;

	if (!kft_doctor_need_instance(env, res))
		return;
	int r = kft_doctor_write(env->inst_fd, "events/raw_syscalls/enable", "1");

	if (r < 0) {
		kft_doctor_refused_file(env, res, r, "events/raw_syscalls/enable");
		return;
	}
	if (!kft_doctor_try_record(env, res, kft_doctor_kick_sched, &n))
		return;
	if (!n)
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "on, but records nothing");
	else if (kft_doctor_exists(env->tracefs_fd, "events/syscalls"))
		kft_doctor_yes(res, "raw, and one event for each call");
	else
		kft_doctor_yes(res, "raw (number and arguments) only");
}

/*
 * Whether tracefs has an event such as "sched:sched_switch"; for a
 * glob, its system is checked.
 */
static bool has_event(struct kft_doctor_env *env, const char *event)
{
	char path[128];
	const char *colon = strchr(event, ':');
	const char *name = strchr(colon, '*') ? "" : colon + 1;

	(void)snprintf(path, sizeof(path), "events/%.*s/%s", (int)(colon - event), event,
		       name);
	return kft_doctor_exists(env->tracefs_fd, path);
}

void kft_doctor_why_events(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf missing = {};
	size_t n = 0;
	size_t n_missing = 0;

	if (!kft_doctor_need_instance(env, res))
		return;
	for (const struct kft_plan_need *need = kft_plan_needs; need->event; need++) {
		n++;
		if (has_event(env, need->event))
			continue;
		if (n_missing++ < 3)
			kft_strbuf_addf(&missing, "%s%s (%s)", missing.len ? ", " : "",
					need->event, need->tells);
	}
	if (!n_missing)
		kft_doctor_yes(res, "all %zu", n);
	else
		kft_doctor_limited(res, KFT_DOCTOR_ABSENT, "%zu of %zu; not %s%s",
				   n - n_missing, n, kft_strbuf_cstr(&missing),
				   n_missing > 3 ? ", ..." : "");
}

static int kick_marker(struct kft_doctor_env *env)
{
	return kft_doctor_append(env->inst_fd, "trace_marker", "kft doctor");
}

void kft_doctor_trace_marker(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	int64_t n = 0;

	if (!kft_doctor_need_instance(env, res) ||
	    !kft_doctor_try_record(env, res, kick_marker, &n))
		return;
	if (!n)
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "accepted, but records nothing");
	else
		kft_doctor_yes(res, "text%s",
			       kft_doctor_exists(env->inst_fd, "trace_marker_raw")
				       ? " and binary records"
				       : " only");
}
