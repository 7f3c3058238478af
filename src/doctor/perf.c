// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tries perf events. */
#include "doctor/perf.h"

#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/now.h"
#include "base/units.h"
#include "doctor/mechanisms.h"

#define SPIN_NS 20000000

int kft_doctor_perf_open(struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	int fd = syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int kft_doctor_perf_type(const struct kft_doctor_env *env, const char *pmu, uint32_t *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	char path[96];
	uint64_t type;

	snprintf(path, sizeof(path), "sys/bus/event_source/devices/%s/type", pmu);
	int r = kft_control_file_read(env->root_fd, path, &text);

	if (!r)
		r = kft_parse_u64(text.buf, &type);
	if (r < 0)
		return r;
	*ret = type;
	return 0;
}

int kft_doctor_kick_spin(struct kft_doctor_env *env)
{
	uint64_t end = kft_clock_ns(CLOCK_PROCESS_CPUTIME_ID) + SPIN_NS;

	while (kft_clock_ns(CLOCK_PROCESS_CPUTIME_ID) < end)
		;
	return 0;
}

/*
 * perf_event_paranoid restricts processes without CAP_PERFMON: then a refusal does not
 * mean that the kernel lacks the mechanism.
 */
static void perf_refused(struct kft_doctor_env *env, struct kft_doctor_result *res,
			 int code)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf level = {};

	if (kft_control_file_read(env->root_fd, "proc/sys/kernel/perf_event_paranoid",
				  &level) < 0)
		kft_doctor_refused(env, res, code, "perf_event_open");
	else
		kft_doctor_refused(env, res, code,
				   "perf_event_open (kernel.perf_event_paranoid is %s)",
				   level.buf);
}

/* Counts the event of attr during a kick. */
static void try_counter(struct kft_doctor_env *env, struct kft_doctor_result *res,
			struct perf_event_attr *attr, kft_doctor_kick_fn *kick,
			const char *what)
{
	_cleanup_close_ int fd = kft_doctor_perf_open(attr);
	uint64_t count = 0;

	if (fd < 0) {
		perf_refused(env, res, fd);
		return;
	}
	int r = kick(env);

	if (!r && read(fd, &count, sizeof(count)) != sizeof(count))
		r = -errno;
	if (r < 0)
		kft_doctor_refused(env, res, r, "cannot read the count");
	else if (!count)
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "opened, but counts nothing");
	else
		kft_doctor_yes(res, "%s", what);
}

void kft_doctor_perf_clock(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
	};

	try_counter(env, res, &attr, kft_doctor_kick_spin,
		    "cpu-clock, kernel code included");
	if (res->state == KFT_DOCTOR_YES)
		return;
	/* Ordinary users may by default count only their own code. */
	attr.exclude_kernel = 1;
	struct kft_doctor_result user = {};

	try_counter(env, &user, &attr, kft_doctor_kick_spin, "");
	if (user.state == KFT_DOCTOR_YES)
		kft_doctor_limited(res, KFT_DOCTOR_PRIVILEGE, "user code only");
}

void kft_doctor_perf_tracepoints(struct kft_doctor_env *env,
				 struct kft_doctor_result *res)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_TRACEPOINT};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	char path[96];
	uint64_t id;

	if (!kft_doctor_need_instance(env, res))
		return;
	const char *event = kft_doctor_event(env);

	if (!event) {
		kft_doctor_unknown(res, KFT_DOCTOR_NEEDS_OTHER, "no event to count");
		return;
	}
	snprintf(path, sizeof(path), "events/%s/id", event);
	int r = kft_control_file_read(env->tracefs_fd, path, &text);

	if (!r)
		r = kft_parse_u64(text.buf, &id);
	if (r < 0) {
		kft_doctor_refused_file(env, res, r, path);
		return;
	}
	attr.config = id;
	try_counter(env, res, &attr, kft_doctor_kick_sched, event);
}

void kft_doctor_perf_counters(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
	};

	try_counter(env, res, &attr, kft_doctor_kick_spin, "cycles");
}
