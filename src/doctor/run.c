// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tries each mechanism in a child process. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "base/scan.h"
#include "doctor/env.h"
#include "capture/rundir.h"
#include "tracefs/control/instance.h"
#include "tracefs/control/mount.h"

#define DEFAULT_TIMEOUT_MS 20000

/* Memory that is shared with the children. */
struct shared {
	/* changes that could not be undone, one sentence per line */
	char left_over[1024];
	struct kft_doctor_facts facts;
};

struct run {
	const struct kft_doctor_opts *opts;
	const struct kft_mechanism *mechanisms; /* borrowed */
	size_t n_mechanisms;
	struct shared *shared; /* owned, mmap()ed */
	struct kft_instance instance; /* fd -1: not created */
	/* Contains the ledger; fd -1: none. All processes of this run hold its lock. */
	struct kft_rundir dir;
	struct kft_doctor_env env;
};

__printf_fmt(2, 3) static void note(struct run *run, const char *fmt, ...)
{
	char *text = run->shared->left_over;
	size_t size = sizeof(run->shared->left_over);
	size_t len = strnlen(text, size);
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text + len, size - len, fmt, ap);
	va_end(ap);
}

/*
 * Undoes all changes. Failures stay in the ledger, for the next kft,
 * and are reported once.
 */
static void undo(struct run *run)
{
	struct kft_err e = {};

	if (run->env.ledger_code < 0 || kft_ledger_undo(&run->env.ledger, &e) == 0)
		return;
	if (!strstr(run->shared->left_over, e.msg))
		note(run, "%s\n", e.msg);
}

/*
 * Opens the ledger. Changes are noted there first; without it, changes are not allowed.
 */
static int open_ledger(struct run *run, const char *name)
{
	struct kft_host *host = run->opts->host;
	int r = kft_rundir_open_attached(host, name, &run->dir, NULL);

	return r < 0 ? r : kft_ledger_init(&run->env.ledger, host, run->dir.fd, NULL);
}

/* Reads CapEff of /proc/self/status. */
static uint64_t effective_caps(int root_fd)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf status = {};
	uint64_t caps;

	if (kft_control_file_read(root_fd, "proc/self/status", &status) < 0)
		return 0;
	const char *line = strstr(status.buf, "\nCapEff:");

	return line && kft_scan_text(&line, " CapEff:") && kft_scan_hex(&line, &caps)
		       ? caps
		       : 0;
}

/* Creates the instance and fills in env. Missing parts are reported by the rows. */
static void prepare(struct run *run)
{
	struct kft_doctor_env *env = &run->env;
	struct kft_host *host = run->opts->host;
	enum kft_lockdown lockdown = kft_host_lockdown(host);
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "doctor-%d", getpid());
	snprintf(env->group, sizeof(env->group), KFT_DOCTOR_GROUP_PREFIX "%d", getpid());
	env->host = host;
	env->root_fd = host->root_fd;
	env->caps = effective_caps(host->root_fd);
	env->locked_down = lockdown == KFT_LOCKDOWN_INTEGRITY ||
			   lockdown == KFT_LOCKDOWN_CONFIDENTIALITY;
	env->facts = &run->shared->facts;
	env->inst = run->instance.name;
	env->inst_fd = -ENODEV;
	env->ledger_code = -ENODEV;
	env->tracefs_fd = kft_tracefs_open(host, &fd, &env->err);
	if (env->tracefs_fd < 0)
		return;
	env->tracefs_fd = fd;
	kft_doctor_remove_stale(fd);
	env->ledger_code = open_ledger(run, name);
	env->inst_fd = kft_instance_create(host, name, &run->instance, &env->err);
	if (!env->inst_fd)
		env->inst_fd = run->instance.fd;
}

static void clean_up(struct run *run)
{
	struct kft_err e;

	undo(run);
	if (kft_instance_remove(&run->instance, &e) < 0)
		note(run, "%s\n", e.msg);
	if (run->env.ledger_code == 0 && !kft_ledger_exists(&run->env.ledger))
		(void)!kft_rundir_remove(&run->dir, NULL);
	kft_rundir_close(&run->dir);
	run->env.ledger_code = -ENODEV;
}

/* Leaves the process group: Ctrl-C and signals to the group are for the parent. */
static void leave_group(void)
{
	(void)setsid();
}

/*
 * A process that waits until all others of this run are gone, also by kill -9. Then it
 * cleans up, unless the parent reported that it did.
 */
static void guard(struct run *run, int alive_fd)
{
	char done;
	ssize_t n;

	leave_group();
	do {
		n = read(alive_fd, &done, 1);
	} while (n < 0 && errno == EINTR);
	if (!n)
		clean_up(run);
	_exit(0);
}

/* Starts the guard; all processes keep ret_fd open while it shall wait. */
static int start_guard(struct run *run, pid_t *ret_pid, int *ret_fd)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	pid_t pid = fork();

	if (!pid) {
		close(fds[1]);
		guard(run, fds[0]);
	}
	int r = pid < 0 ? -errno : 0;

	close(fds[0]);
	if (r < 0) {
		close(fds[1]);
		return r;
	}
	*ret_pid = pid;
	*ret_fd = fds[1];
	return 0;
}

/* Closing the pipe is not enough: a child that hangs keeps it open too. */
static void end_guard(pid_t pid, int fd)
{
	(void)!write(fd, "", 1);
	close(fd);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* The child: tries one mechanism, undoes its changes, reports. */
static void child(struct run *run, const struct kft_mechanism *mechanism, int report_fd)
{
	struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
	struct kft_doctor_result res = {};
	struct kft_doctor_env *env = &run->env;

	leave_group();
	/* Kernels before 5.11 charge BPF maps to RLIMIT_MEMLOCK. */
	(void)setrlimit(RLIMIT_MEMLOCK, &unlimited);
	if (env->inst_fd >= 0)
		kft_doctor_reset_instance(env);
	env->mechanism = mechanism;
	mechanism->run(env, &res);
	undo(run);
	_exit(kft_write_all(report_fd, &res, sizeof(res)) < 0);
}

static uint64_t now_ms(void)
{
	return kft_now_ns() / 1000000;
}

static unsigned int timeout_ms(const struct run *run)
{
	return run->opts->timeout_ms ? run->opts->timeout_ms : DEFAULT_TIMEOUT_MS;
}

/* Waits for the child's report: 0, -EINTR, -ETIMEDOUT, or -ECHILD when it died. */
static int wait_report(const struct run *run, int fd, struct kft_doctor_result *ret)
{
	uint64_t end = now_ms() + timeout_ms(run);
	struct pollfd pfds[] = {
		{.fd = fd, .events = POLLIN},
		{.fd = run->opts->stop_fd, .events = POLLIN},
	};
	struct kft_doctor_result res;

	for (;;) {
		uint64_t now = now_ms();
		int n = poll(pfds, ARRAY_SIZE(pfds), now < end ? end - now : 0);

		if (!n)
			return -ETIMEDOUT;
		if (n > 0 && pfds[1].revents)
			return -EINTR;
		if (n > 0)
			break;
		if (errno != EINTR)
			return -errno;
	}
	if (read(fd, &res, sizeof(res)) != sizeof(res))
		return -ECHILD;
	*ret = res;
	return 0;
}

/*
 * Kills a child that did not report. One that hangs in the kernel cannot be killed:
 * undoing its changes would hang as well, so it is not tried.
 */
static bool end_child(pid_t pid)
{
	(void)kill(pid, SIGKILL);
	for (int i = 0; i < 20; i++) {
		struct timespec ts = {.tv_nsec = 100000000};

		if (waitpid(pid, NULL, WNOHANG) == pid)
			return true;
		(void)nanosleep(&ts, NULL);
	}
	return false;
}

static void no_report(struct run *run, pid_t pid, int code, struct kft_doctor_result *res)
{
	if (end_child(pid))
		undo(run);
	else
		note(run, "process %d hangs in the kernel, its changes stay\n", pid);
	res->code = code;
	if (code == -ETIMEDOUT)
		kft_doctor_unknown(res, KFT_DOCTOR_FAILED, "no answer within %u s",
				   timeout_ms(run) / 1000);
	else
		kft_doctor_unknown(res, KFT_DOCTOR_FAILED, "trying it ended the process");
}

static int try_one(struct run *run, const struct kft_mechanism *mechanism,
		   struct kft_doctor_result *res)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	pid_t pid = fork();

	if (pid < 0) {
		int r = -errno;

		close(fds[0]);
		close(fds[1]);
		return r;
	}
	if (!pid) {
		close(fds[0]);
		child(run, mechanism, fds[1]);
	}
	close(fds[1]);
	int r = wait_report(run, fds[0], res);

	close(fds[0]);
	if (r < 0)
		no_report(run, pid, r, res);
	else
		(void)waitpid(pid, NULL, 0);
	return r == -EINTR ? r : 0;
}

static int try_all(struct run *run, struct kft_doctor_result *results)
{
	const struct kft_doctor_opts *opts = run->opts;
	int r = 0;

	for (size_t i = 0; i < run->n_mechanisms && !r; i++) {
		if (opts->progress)
			opts->progress(opts->progress_arg, &run->mechanisms[i], i);
		r = try_one(run, &run->mechanisms[i], &results[i]);
	}
	return r;
}

static int try_guarded(struct run *run, struct kft_doctor_result *results)
{
	pid_t guard_pid = -1;
	int guard_fd = -1;
	int r = start_guard(run, &guard_pid, &guard_fd);

	if (r < 0)
		return r;
	r = try_all(run, results);
	clean_up(run);
	end_guard(guard_pid, guard_fd);
	return r;
}

void kft_doctor_report_finish(struct kft_doctor_report *r)
{
	free(r->results);
	r->results = NULL;
}

int kft_doctor_run(const struct kft_doctor_opts *opts, struct kft_doctor_report *ret,
		   struct kft_err *e)
{
	struct run run = {
		.opts = opts,
		.mechanisms = opts->mechanisms ? opts->mechanisms : kft_mechanisms,
		.n_mechanisms = opts->mechanisms ? opts->n_mechanisms : kft_n_mechanisms,
		.instance = {.fd = -1, .instances_fd = -1},
		.dir = {.fd = -1, .base_fd = -1},
	};
	_cleanup_free_ struct kft_doctor_result *results = calloc(run.n_mechanisms,
								  sizeof(*results));

	if (!results)
		return kft_err_sys(e, -ENOMEM, "cannot try the features of this kernel");
	run.shared = mmap(NULL, sizeof(*run.shared), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (run.shared == MAP_FAILED)
		return kft_err_sys(e, -errno, "cannot try the features of this kernel");
	prepare(&run);
	int r = try_guarded(&run, results);

	if (r < 0)
		clean_up(&run);
	memcpy(ret->left_over, run.shared->left_over, sizeof(ret->left_over));
	munmap(run.shared, sizeof(*run.shared));
	ret->results = TAKE(results);
	if (r == -EINTR)
		return kft_err_set(e, r, "interrupted; the kernel is restored");
	return r < 0 ? kft_err_sys(e, r, "cannot try the features of this kernel") : 0;
}
