// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tries the kinds of BPF programs that tracing uses. */
#include "doctor/mechanisms.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/io.h"
#include "bpf/kernel.h"
#include "doctor/bpf.h"
#include "doctor/perf.h"
#include "doctor/target.h"
#include "decode/types/btf.h"

#define BTF_FILE "sys/kernel/btf/vmlinux"
#define BTF_MAX	 (64 << 20)
#define TP_NAME	 "sched_switch"
#define TP_TYPE	 "btf_trace_" TP_NAME

/*
 * Loads the counting program, attaches it with attach(), kicks and reads the count. The
 * end of the trying process closes the descriptors of attach().
 */
struct bpf_trial {
	const char *id; /* of the mechanism */
	uint32_t type;
	uint32_t attach_type;
	int (*attach)(struct kft_doctor_env *env, int prog_fd); /* 0 or -errno */
	kft_doctor_kick_fn *kick;
	const char *what; /* description for the detail */
	/* for programs with a target in BTF: its kind and name */
	enum kft_btf_kind target_kind;
	const char *target;
};

static void try_program(struct kft_doctor_env *env, struct kft_doctor_result *res,
			const struct bpf_trial *trial, uint32_t btf_id)
{
	const struct kft_bpf_kind kind = {trial->type, trial->attach_type, btf_id};
	struct kft_bpf_counter counter;
	int r = kft_bpf_counter_load(&kind, &counter);

	if (r < 0) {
		kft_doctor_refused(env, res, r, "program refused");
		return;
	}
	r = trial->attach(env, counter.prog_fd);
	if (r < 0) {
		kft_doctor_refused(env, res, r, "program loaded, attaching refused");
		return;
	}
	r = trial->kick(env);
	int64_t n = r < 0 ? r : kft_bpf_counter_read(&counter);

	if (n < 0)
		kft_doctor_refused(env, res, n, "cannot read the count");
	else if (!n)
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "attached, but does not run");
	else
		kft_doctor_yes(res, "%s", trial->what);
}

/*
 * Attaches by name; or attaches a tp_btf or fentry program, which got its
 * target when it was loaded.
 */
static int open_raw_tp(int prog_fd, const char *name)
{
	int r = kft_bpf_attach_raw(prog_fd, name);

	return r < 0 ? r : 0;
}

static int attach_raw_tp(struct kft_doctor_env *env, int prog_fd)
{
	return open_raw_tp(prog_fd, TP_NAME);
}

static int attach_by_btf(struct kft_doctor_env *env, int prog_fd)
{
	return open_raw_tp(prog_fd, NULL);
}

/* Looks up the type in BTF and tries the program on it. */
static void try_by_btf(struct kft_doctor_env *env, struct kft_doctor_result *res,
		       const struct bpf_trial *trial)
{
	uint32_t id;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf btf = {};
	int r = kft_read_at(env->root_fd, BTF_FILE, BTF_MAX, &btf);

	if (r < 0) {
		kft_doctor_refused(env, res, r, "cannot read '/%s'", BTF_FILE);
		if (r == -ENOENT)
			res->reason = KFT_DOCTOR_NEEDS_OTHER;
		return;
	}
	r = kft_btf_find(btf.buf, btf.len, trial->target_kind, trial->target, &id);
	if (r < 0)
		kft_doctor_refused(env, res, r, "cannot find '%s' in BTF", trial->target);
	else
		try_program(env, res, trial, id);
}

/* Attaches the program to a perf event, which stays open. */
static int attach_perf(int prog_fd, struct perf_event_attr *attr)
{
	int fd = kft_doctor_perf_open(attr);

	if (fd < 0)
		return fd;
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog_fd) < 0)
		return -errno;
	return ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) < 0 ? -errno : 0;
}

static int attach_kprobe(struct kft_doctor_env *env, int prog_fd)
{
	struct perf_event_attr attr = {.config1 = (uintptr_t)KFT_DOCTOR_FUNC};
	int r = kft_doctor_perf_type(env, "kprobe", &attr.type);

	return r < 0 ? r : attach_perf(prog_fd, &attr);
}

static int attach_uprobe(struct kft_doctor_env *env, int prog_fd)
{
	static struct kft_doctor_place place;
	struct perf_event_attr attr = {.config1 = (uintptr_t)place.path};
	int r = kft_doctor_perf_type(env, "uprobe", &attr.type);

	if (!r)
		r = kft_doctor_find_target(env->root_fd, &place);
	attr.config2 = place.offset;
	return r < 0 ? r : attach_perf(prog_fd, &attr);
}

static int attach_clock(struct kft_doctor_env *env, int prog_fd)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000,
	};

	return attach_perf(prog_fd, &attr);
}

static int attach_multi(int prog_fd, uint32_t attach_type)
{
	const char *names[] = {KFT_DOCTOR_FUNC};
	union kft_bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_multi.prog_fd = prog_fd;
	attr.link_multi.attach_type = attach_type;
	attr.link_multi.cnt = 1;
	attr.link_multi.syms = (uintptr_t)names;
	int r = kft_bpf(KFT_BPF_LINK_CREATE, &attr);

	return r < 0 ? r : 0;
}

static int attach_kprobe_multi(struct kft_doctor_env *env, int prog_fd)
{
	return attach_multi(prog_fd, KFT_BPF_TRACE_KPROBE_MULTI);
}

static int attach_kprobe_session(struct kft_doctor_env *env, int prog_fd)
{
	return attach_multi(prog_fd, KFT_BPF_TRACE_KPROBE_SESSION);
}

static const struct bpf_trial trials[] = {
	/* clang-format off */
	{"bpf-raw-tp", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, attach_raw_tp,
	 kft_doctor_kick_sched, "ran at " TP_NAME},
	{"bpf-tp-btf", KFT_BPF_PROG_TYPE_TRACING, KFT_BPF_TRACE_RAW_TP, attach_by_btf,
	 kft_doctor_kick_sched, "ran at " TP_NAME, KFT_BTF_TYPEDEF, TP_TYPE},
	{"bpf-fentry", KFT_BPF_PROG_TYPE_TRACING, KFT_BPF_TRACE_FENTRY, attach_by_btf,
	 kft_doctor_kick_func, "ran at the entry of " KFT_DOCTOR_FUNC, KFT_BTF_FUNC,
	 KFT_DOCTOR_FUNC},
	{"bpf-kprobe", BPF_PROG_TYPE_KPROBE, 0, attach_kprobe,
	 kft_doctor_kick_func, "ran at " KFT_DOCTOR_FUNC},
	{"bpf-uprobe", BPF_PROG_TYPE_KPROBE, 0, attach_uprobe,
	 kft_doctor_kick_target, "ran at a function of kft"},
	{"bpf-perf-event", BPF_PROG_TYPE_PERF_EVENT, 0, attach_clock,
	 kft_doctor_kick_spin, "ran at samples of cpu-clock"},
	{"bpf-kprobe-multi", BPF_PROG_TYPE_KPROBE, KFT_BPF_TRACE_KPROBE_MULTI,
	 attach_kprobe_multi, kft_doctor_kick_func, "ran at " KFT_DOCTOR_FUNC},
	{"bpf-kprobe-session", BPF_PROG_TYPE_KPROBE, KFT_BPF_TRACE_KPROBE_SESSION,
	 attach_kprobe_session, kft_doctor_kick_func,
	 "ran at the entry and exit of " KFT_DOCTOR_FUNC},
	/* clang-format on */
};

void kft_doctor_bpf(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	for (size_t i = 0; i < ARRAY_SIZE(trials); i++) {
		if (strcmp(trials[i].id, env->mechanism->id) != 0)
			continue;
		if (trials[i].target)
			try_by_btf(env, res, &trials[i]);
		else
			try_program(env, res, &trials[i], 0);
	}
}

void kft_doctor_bpf_ringbuf(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	uint32_t bytes = (uint32_t)sysconf(_SC_PAGESIZE);
	_cleanup_close_ int fd = kft_bpf_map_create(&(struct kft_bpf_map){
		.name = "kft_doctor",
		.type = KFT_BPF_MAP_TYPE_RINGBUF,
		.entries = bytes,
	});

	if (fd < 0)
		kft_doctor_refused(env, res, fd, "map refused");
	else
		kft_doctor_yes(res, "made one of %u bytes", bytes);
}
