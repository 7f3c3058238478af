// SPDX-License-Identifier: LGPL-2.1-or-later
/* Helpers for trying mechanisms. */
#include "doctor/env.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/io.h"
#include "base/scan.h"

static void fill(struct kft_doctor_result *res, enum kft_doctor_state state,
		 enum kft_doctor_reason reason, const char *fmt, va_list ap)
{
	res->state = state;
	res->reason = reason;
	vsnprintf(res->detail, sizeof(res->detail), fmt, ap);
}

void kft_doctor_yes(struct kft_doctor_result *res, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(res, KFT_DOCTOR_YES, KFT_DOCTOR_FINE, fmt, ap);
	va_end(ap);
}

void kft_doctor_limited(struct kft_doctor_result *res, enum kft_doctor_reason reason,
			const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(res, KFT_DOCTOR_LIMITED, reason, fmt, ap);
	va_end(ap);
}

void kft_doctor_no(struct kft_doctor_result *res, enum kft_doctor_reason reason,
		   const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(res, KFT_DOCTOR_NO, reason, fmt, ap);
	va_end(ap);
}

void kft_doctor_unknown(struct kft_doctor_result *res, enum kft_doctor_reason reason,
			const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(res, KFT_DOCTOR_UNKNOWN, reason, fmt, ap);
	va_end(ap);
}

bool kft_doctor_has_cap(const struct kft_doctor_env *env, unsigned int cap)
{
	return env->caps >> cap & 1;
}

/*
 * CAP_SYS_ADMIN implies the newer, narrower capabilities. A process that lacks it and is
 * refused is reported as unprivileged.
 */
static bool privileged(const struct kft_doctor_env *env)
{
	return kft_doctor_has_cap(env, CAP_SYS_ADMIN);
}

static enum kft_doctor_reason reason_of(const struct kft_doctor_env *env, int code)
{
	switch (-code) {
	case EPERM:
	case EACCES:
		if (!privileged(env))
			return KFT_DOCTOR_PRIVILEGE;
		return env->locked_down ? KFT_DOCTOR_LOCKDOWN : KFT_DOCTOR_FAILED;
	case EBUSY:
		return KFT_DOCTOR_BUSY;
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case ENOSYS:
	case ENOTTY:
	case EOPNOTSUPP:
	case EINVAL:
		return KFT_DOCTOR_ABSENT;
	default:
		return KFT_DOCTOR_FAILED;
	}
}

void kft_doctor_refused(const struct kft_doctor_env *env, struct kft_doctor_result *res,
			int code, const char *fmt, ...)
{
	char step[KFT_DOCTOR_DETAIL_MAX - 64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(step, sizeof(step), fmt, ap);
	va_end(ap);
	res->code = code;
	res->reason = reason_of(env, code);
	/*
	 * Without permission or without a try, nothing is known about
	 * the mechanism itself.
	 */
	res->state = res->reason == KFT_DOCTOR_PRIVILEGE || res->reason == KFT_DOCTOR_BUSY
			     ? KFT_DOCTOR_UNKNOWN
			     : KFT_DOCTOR_NO;
	snprintf(res->detail, sizeof(res->detail), "%s: %s", step, strerror(-code));
}

void kft_doctor_refused_file(const struct kft_doctor_env *env,
			     struct kft_doctor_result *res, int code, const char *path)
{
	/* Paths of files outside tracefs start at the root. */
	bool rooted = !strncmp(path, "proc/", 5) || !strncmp(path, "sys/", 4);
	const char *slash = rooted ? "/" : "";

	kft_doctor_refused(env, res, code, "'%s%s'", slash, path);
	if (code == -ENOENT)
		snprintf(res->detail, sizeof(res->detail), "no '%s%s'", slash, path);
}

bool kft_doctor_need_tracefs(const struct kft_doctor_env *env,
			     struct kft_doctor_result *res)
{
	if (env->tracefs_fd >= 0)
		return true;
	kft_doctor_refused(env, res, env->tracefs_fd, "no tracefs");
	if (res->reason == KFT_DOCTOR_ABSENT)
		res->reason = KFT_DOCTOR_NEEDS_OTHER;
	return false;
}

bool kft_doctor_need_instance(const struct kft_doctor_env *env,
			      struct kft_doctor_result *res)
{
	if (!kft_doctor_need_tracefs(env, res))
		return false;
	if (env->inst_fd >= 0)
		return true;
	kft_doctor_refused(env, res, env->inst_fd, "no instance to try it in");
	if (res->state == KFT_DOCTOR_NO) {
		res->state = KFT_DOCTOR_UNKNOWN;
		res->reason = KFT_DOCTOR_NEEDS_OTHER;
	}
	return false;
}

bool kft_doctor_exists(int dirfd, const char *path)
{
	return kft_find_at(dirfd, path) == 0;
}

int kft_doctor_write(int dirfd, const char *path, const char *text)
{
	return kft_write_at(dirfd, path, O_TRUNC, text, strlen(text));
}

int kft_doctor_append(int dirfd, const char *path, const char *text)
{
	return kft_write_at(dirfd, path, O_APPEND, text, strlen(text));
}

int kft_doctor_set_as(int dirfd, const char *path, const char *text, const char *expect)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf now = {};
	int r = kft_doctor_write(dirfd, path, text);

	if (!r)
		r = kft_control_file_read(dirfd, path, &now);
	if (r < 0)
		return r;
	return strcmp(now.buf, expect) ? -EPROTO : 0;
}

int kft_doctor_set(int dirfd, const char *path, const char *text)
{
	return kft_doctor_set_as(dirfd, path, text, text);
}

int kft_doctor_note_empty(struct kft_doctor_env *env, const char *path)
{
	return env->ledger_code < 0 ? env->ledger_code
				    : kft_ledger_note_empty(&env->ledger, path, NULL);
}

int kft_doctor_note_dynamic(struct kft_doctor_env *env, const char *path,
			    const char *file, const char *text)
{
	return env->ledger_code < 0
		       ? env->ledger_code
		       : kft_ledger_note_dynamic(&env->ledger, path, file, text, NULL);
}

int kft_doctor_change_top(struct kft_doctor_env *env, const char *path, const char *old,
			  const char *text)
{
	int r = env->ledger_code < 0 ? env->ledger_code
				     : kft_ledger_note_set(&env->ledger, path, old, NULL);

	return r < 0 ? r : kft_doctor_write(env->tracefs_fd, path, text);
}

int kft_doctor_fill_top(struct kft_doctor_env *env, const char *path, const char *text)
{
	int r = kft_doctor_note_empty(env, path);

	return r < 0 ? r : kft_doctor_write(env->tracefs_fd, path, text);
}

int kft_doctor_change_sysctl(struct kft_doctor_env *env, const char *path,
			     const char *old, const char *text)
{
	char full[128];
	int r = env->ledger_code < 0
			? env->ledger_code
			: kft_ledger_note_sysctl(&env->ledger, path, old, NULL);

	(void)snprintf(full, sizeof(full), "proc/sys/%s", path);
	return r < 0 ? r : kft_doctor_write(env->root_fd, full, text);
}

void kft_doctor_reset_instance(struct kft_doctor_env *env)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf events = {};
	int fd = env->inst_fd;

	(void)!kft_control_file_set(fd, "current_tracer", "nop");
	(void)!kft_control_file_set(fd, "set_event_pid", "");
	(void)!kft_control_file_set(fd, "tracing_on", "1");
	/* Lists enabled events; a list that is too long to read is not empty either. */
	if (kft_control_file_read(fd, "set_event", &events) != -ENOENT && events.len)
		(void)!kft_doctor_write(fd, "events/enable", "0");
}

/*
 * Reads "entries: 12" in the stats of a CPU; other keys contain "entries"
 * after the start of the line.
 */
static int64_t entries_of_cpu(int dirfd, unsigned int cpu)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf stats = {};
	char path[48];
	uint64_t n;

	snprintf(path, sizeof(path), "per_cpu/cpu%u/stats", cpu);
	int r = kft_control_file_read(dirfd, path, &stats);

	if (r < 0)
		return r;
	return kft_scan_named(stats.buf, "entries:", &n) && n <= INT64_MAX ? (int64_t)n
									   : -EPROTO;
}

int64_t kft_doctor_count_entries(int dirfd)
{
	int64_t sum = 0;
	long n_cpus = sysconf(_SC_NPROCESSORS_CONF);

	for (long cpu = 0; cpu < n_cpus; cpu++) {
		int64_t n = entries_of_cpu(dirfd, cpu);

		/* A possible CPU that was never present has no directory. */
		if (n < 0 && n != -ENOENT)
			return n;
		sum += n < 0 ? 0 : n;
	}
	return sum;
}

int kft_doctor_kick_func(struct kft_doctor_env *env)
{
	_cleanup_close_ int fd = memfd_create("kft-probe", MFD_CLOEXEC);

	if (fd < 0 || fallocate(fd, 0, 0, 1) < 0)
		return -errno;
	return 0;
}

static long count_switches(void)
{
	struct rusage usage = {};

	(void)getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/*
 * On a busy virtual machine the sleep may be over before the CPU is released, so
 * that no switch happens. The sleep is therefore repeated with longer times
 * until a switch was counted.
 */
int kft_doctor_kick_sched(struct kft_doctor_env *env)
{
	struct timespec ts = {.tv_nsec = 1000000};
	long before = count_switches();

	for (int i = 0; i < 3; i++)
		(void)syscall(SYS_getppid);
	for (int i = 0; i < 8; i++, ts.tv_nsec *= 2) {
		if (nanosleep(&ts, NULL) < 0)
			return -errno;
		if (count_switches() != before)
			break;
	}
	return 0;
}

int64_t kft_doctor_record(struct kft_doctor_env *env, int dirfd, kft_doctor_kick_fn *kick)
{
	/*
	 * Opening "trace" with O_TRUNC empties the buffer; the written byte is ignored.
	 */
	int r = kft_doctor_write(dirfd, "trace", "\n");

	if (!r)
		r = kick(env);
	return r < 0 ? r : kft_doctor_count_entries(dirfd);
}

bool kft_doctor_try_record(struct kft_doctor_env *env, struct kft_doctor_result *res,
			   kft_doctor_kick_fn *kick, int64_t *ret_count)
{
	int64_t n = kft_doctor_record(env, env->inst_fd, kick);

	if (n < 0) {
		kft_doctor_refused(env, res, n, "cannot record into 'instances/%s'",
				   env->inst);
		return false;
	}
	*ret_count = n;
	return true;
}

int kft_doctor_pin(void)
{
	int cpu = sched_getcpu();
	cpu_set_t *set;

	if (cpu < 0)
		return -errno;
	set = CPU_ALLOC(cpu + 1);
	if (!set)
		return -ENOMEM;
	size_t size = CPU_ALLOC_SIZE(cpu + 1);

	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	int r = sched_setaffinity(0, size, set) < 0 ? -errno : cpu;

	CPU_FREE(set);
	return r;
}

const char *kft_doctor_event(const struct kft_doctor_env *env)
{
	static const char *const events[] = {
		"raw_syscalls/sys_enter",
		"sched/sched_switch",
		"sched/sched_waking",
	};
	char path[64];

	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		snprintf(path, sizeof(path), "events/%s", events[i]);
		if (kft_doctor_exists(env->inst_fd, path))
			return events[i];
	}
	return NULL;
}
