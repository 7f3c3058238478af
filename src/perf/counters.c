// SPDX-License-Identifier: LGPL-2.1-or-later
/* Opens the perf events that samples are taken with. */
#include "perf/counters.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cpuset.h"
#include "base/dir.h"
#include "base/err.h"
#include "base/io.h"
#include "base/map.h"
#include "base/units.h"
#include "model/clock.h"
#include "perf/writer.h"

#define SMALL_FILE_BYTES 4096
/* Rounds of listing threads, for a process that starts them faster than they can be opened. */
#define ROUNDS_MAX 32
/* Linux 6.0: each event counts the records that it could not write. */
#define FORMAT_LOST (1U << 4)
/* The buffer wakes its reader when a quarter is full. */
#define WATERMARK_SHARE 4

static int open_event(const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1,
			      PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Members that all events of a CPU must have in common to share a buffer. */
static int attr_init(const struct kft_plan *plan, struct perf_event_attr *a)
{
	clockid_t clock = CLOCK_MONOTONIC;

	if (plan->clock && !kft_clock_id(plan->clock, &clock))
		return -EINVAL;
	*a = (struct perf_event_attr){
		.size = sizeof(*a),
		.sample_type = KFT_PERF_SAMPLE_TYPE,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = clock,
		.disabled = 1,
		.read_format = FORMAT_LOST,
	};
	return 0;
}

static struct perf_event_attr sampling_attr(const struct perf_event_attr *common,
					    const struct kft_plan *plan,
					    const struct kft_sample_event *event)
{
	struct perf_event_attr a = *common;

	a.type = event->type;
	a.config = event->config;
	a.freq = plan->samples.period == 0;
	if (a.freq)
		a.sample_freq = plan->samples.freq_hz;
	else
		a.sample_period = plan->samples.period;
	a.exclude_idle = 1;
	a.inherit = plan->n_pids && plan->follow_children;
	/* Maps and names of tasks, for the names of addresses. */
	a.mmap = 1;
	a.mmap2 = 1;
	a.comm = 1;
	a.comm_exec = 1;
	a.task = 1;
	return a;
}

/* Opens and closes the event on this task. */
static int try_event(const struct perf_event_attr *attr)
{
	int fd = open_event(attr, 0, -1);

	if (fd >= 0)
		(void)close(fd);
	return fd < 0 ? fd : 0;
}

/* Removes members that this kernel does not know, and samples of the kernel if not allowed. */
static int fit(struct perf_event_attr *a)
{
	int r = try_event(a);

	if (r == -EINVAL && a->read_format) {
		a->read_format = 0;
		r = try_event(a);
	}
	if (r == -EACCES || r == -EPERM) {
		a->exclude_kernel = 1;
		a->exclude_hv = 1;
		r = try_event(a);
	}
	return r;
}

static bool is_no_counter(int r)
{
	return r == -ENOENT || r == -EOPNOTSUPP || r == -ENODEV;
}

static int64_t paranoid_of(const struct kft_perf_counters *c)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	if (kft_read_at(c->host->root_fd, "proc/sys/kernel/perf_event_paranoid",
			SMALL_FILE_BYTES, &text) < 0)
		return 0;
	return strtol(kft_strbuf_cstr(&text), NULL, 10);
}

static int refuse(const struct kft_perf_counters *c, const struct kft_plan *plan, int r,
		  struct kft_err *e)
{
	int64_t paranoid = paranoid_of(c);

	if (is_no_counter(r)) {
		kft_err_set(e, r, "this machine does not count %s", c->event->name);
		kft_err_hint(e, "'--sample=cpu-clock' works everywhere");
	} else if (r != -EACCES && r != -EPERM) {
		return kft_err_sys(e, r, "cannot sample %s", c->event->name);
	} else if (!plan->n_pids && paranoid <= 2) {
		kft_err_set(e, r, "only root may sample the whole system");
		kft_err_hint(
			e, "give a COMMAND or '-P PID' of your own, or run kft as root, "
			   "with CAP_PERFMON, or with kernel.perf_event_paranoid at 0");
	} else {
		kft_err_set(e, r,
			    "samples are not allowed here "
			    "(kernel.perf_event_paranoid is %ld)",
			    (long)paranoid);
		kft_err_hint(e, "run kft as root or with CAP_PERFMON, or set "
				"kernel.perf_event_paranoid to 2");
	}
	return r;
}

/* Chooses the event: cycles, or the clock where the machine has no such counter. */
static int choose_event(struct kft_perf_counters *c, const struct kft_plan *plan,
			const struct perf_event_attr *common, struct kft_err *e)
{
	const char *name = plan->samples.event ? plan->samples.event : "cycles";

	c->event = kft_sample_event_find(name);
	c->attr = sampling_attr(common, plan, c->event);
	int r = fit(&c->attr);
	if (is_no_counter(r) && !plan->samples.event) {
		c->event = kft_sample_event_find("cpu-clock");
		c->attr = sampling_attr(common, plan, c->event);
		r = fit(&c->attr);
		kft_notify(c->notify,
			   "this machine does not count cycles: samples are taken "
			   "by the clock (cpu-clock)");
	}
	return r < 0 ? refuse(c, plan, r, e) : 0;
}

static int check_user_only(struct kft_perf_counters *c, struct kft_err *e)
{
	if (!c->attr.exclude_kernel)
		return 0;
	if (c->event->in_kernel) {
		kft_err_set(e, -EACCES,
			    "%s happen in the kernel, which you may not sample",
			    c->event->name);
		kft_err_hint(e, "run kft as root or with CAP_PERFMON, or set "
				"kernel.perf_event_paranoid to 1");
		return -EACCES;
	}
	kft_notify(
		c->notify,
		"samples are of user space only: kernel.perf_event_paranoid is %ld, and "
		"1 or CAP_PERFMON allows those of the kernel",
		(long)paranoid_of(c));
	return 0;
}

/* Each thread needs a descriptor for each CPU. */
static void raise_limit(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0 || files.rlim_cur == files.rlim_max)
		return;
	files.rlim_cur = files.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &files);
}

static int read_cpus(const struct kft_perf_counters *c, const char *path,
		     struct kft_cpuset *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int r = kft_read_at(c->host->root_fd, path, SMALL_FILE_BYTES, &text);

	return r < 0 ? r : kft_cpuset_parse(ret, kft_strbuf_cstr(&text));
}

static int add(struct kft_perf_counters *c, bool is_buffer,
	       const struct perf_event_attr *attr, pid_t pid, uint32_t cpu)
{
	struct kft_perf_counter one = {.cpu = cpu, .fd = open_event(attr, pid, (int)cpu)};

	if (one.fd < 0)
		return one.fd;
	bool ok = is_buffer ? kft_vec_push(&c->buffers, one)
			    : kft_vec_push(&c->counters, one);
	if (!ok)
		(void)close(one.fd);
	return ok ? 0 : -ENOMEM;
}

static int open_buffers(struct kft_perf_counters *c, const struct kft_plan *plan,
			const struct perf_event_attr *common, struct kft_err *e)
{
	struct kft_cpuset possible = {};
	struct kft_cpuset online = {};
	struct perf_event_attr a = *common;
	int r = read_cpus(c, "sys/devices/system/cpu/possible", &possible);

	if (r == 0)
		r = read_cpus(c, "sys/devices/system/cpu/online", &online);
	a.type = PERF_TYPE_SOFTWARE;
	a.config = PERF_COUNT_SW_DUMMY;
	a.read_format = c->attr.read_format;
	a.exclude_kernel = 1;
	a.watermark = 1;
	a.wakeup_watermark = (uint32_t)(plan->buffer_bytes / WATERMARK_SHARE);
	for (uint32_t cpu = 0; cpu < KFT_CPU_MAX && r == 0; cpu++) {
		if (kft_cpuset_has(&possible, cpu))
			c->cpu_count = cpu + 1;
		if (kft_cpuset_has(&online, cpu))
			r = add(c, true, &a, 0, cpu);
	}
	return r < 0 ? kft_err_sys(e, r, "cannot open the perf events of the CPUs") : 0;
}

/* Opens the event of a task, or with -1 of all tasks, on all CPUs. */
static int add_task(struct kft_perf_counters *c, pid_t tid)
{
	int r = 0;

	for (size_t i = 0; i < c->buffers.len && r == 0; i++) {
		r = add(c, false, &c->attr, tid, c->buffers.data[i].cpu);
		if (r == 0 && ioctl(c->counters.data[c->counters.len - 1].fd,
				    PERF_EVENT_IOC_SET_OUTPUT, c->buffers.data[i].fd) < 0)
			r = -errno;
	}
	return r;
}

/* Opens the threads of a process that are not known yet. -ESRCH: there is no such process. */
static int add_threads(struct kft_perf_counters *c, pid_t pid, struct kft_map *known)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "proc/%ld/task", (long)pid);
	_cleanup_closedir_ DIR *dir = kft_opendir_at(c->host->root_fd, path);
	if (!dir)
		return errno == ENOENT ? -ESRCH : -errno;
	const char *name;
	int r = 0;
	while (r == 0 && (name = kft_dir_next(dir))) {
		uint64_t tid;

		if (kft_parse_u64(name, &tid) < 0 || kft_map_get(known, tid))
			continue;
		r = kft_map_put(known, tid) ? add_task(c, (pid_t)tid) : -ENOMEM;
		/* The thread has ended. */
		if (r == -ESRCH)
			r = 0;
	}
	return r;
}

static int refuse_task(const struct kft_perf_counters *c, pid_t pid, int r,
		       struct kft_err *e)
{
	if (r == -ESRCH)
		return kft_err_set(e, r, "no such process: %ld", (long)pid);
	if (r == -EMFILE) {
		kft_err_set(e, r,
			    "process %ld has too many threads: each needs a descriptor "
			    "for each CPU",
			    (long)pid);
		kft_err_hint(e,
			     "raise the limit of open files (ulimit -n), or sample the "
			     "whole system with -a");
		return r;
	}
	kft_err_sys(e, r, "cannot sample process %ld", (long)pid);
	if (r == -EACCES || r == -EPERM)
		kft_err_hint(
			e, "only your own processes may be sampled without CAP_PERFMON");
	return r;
}

/* Threads that start meanwhile are found in the next round. */
static int add_process(struct kft_perf_counters *c, pid_t pid, struct kft_err *e)
{
	_cleanup_(kft_map_finish) struct kft_map known = {};
	size_t before = SIZE_MAX;
	int r = 0;

	for (int i = 0; i < ROUNDS_MAX && r == 0 && before != known.len; i++) {
		before = known.len;
		r = add_threads(c, pid, &known);
		/* It was there in the first round, and has ended. */
		if (r == -ESRCH && i)
			return 0;
	}
	return r < 0 ? refuse_task(c, pid, r, e) : 0;
}

int kft_perf_counters_open(struct kft_perf_counters *c, const struct kft_plan *plan,
			   struct kft_err *e)
{
	struct perf_event_attr common;
	int r = attr_init(plan, &common);

	if (r < 0)
		return kft_err_set(e, r, "perf events have no clock '%s'", plan->clock);
	raise_limit();
	r = choose_event(c, plan, &common, e);
	if (r == 0)
		r = check_user_only(c, e);
	if (r == 0)
		r = open_buffers(c, plan, &common, e);
	return r;
}

int kft_perf_counters_add(struct kft_perf_counters *c, const struct kft_plan *plan,
			  struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; i < plan->n_pids && r == 0; i++)
		r = add_process(c, plan->pids[i], e);
	if (plan->n_pids)
		return r;
	r = add_task(c, -1);
	return r < 0 ? refuse(c, plan, r, e) : 0;
}

void kft_perf_counters_close(struct kft_perf_counters *c)
{
	kft_vec_for_each(&c->counters, one)
		(void)close(one->fd);
	kft_vec_for_each(&c->buffers, one)
		(void)close(one->fd);
	kft_vec_finish(&c->counters);
	kft_vec_finish(&c->buffers);
}

int kft_perf_counters_enable(struct kft_perf_counters *c, bool enable)
{
	int r = 0;

	kft_vec_for_each(&c->counters, one)
		if (ioctl(one->fd,
			  enable ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE,
			  0) < 0 &&
		    r == 0)
			r = -errno;
	return r;
}

uint64_t kft_perf_counters_lost(const struct kft_perf_counters *c, uint32_t cpu)
{
	uint64_t sum = 0;

	kft_vec_for_each(&c->counters, one) {
		uint64_t values[2]; /* the count and the lost records */

		if (one->cpu == cpu && c->attr.read_format &&
		    read(one->fd, values, sizeof(values)) == sizeof(values))
			sum += values[1];
	}
	return sum;
}
