// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tries the kinds of BPF programs that tracing uses. */
#include "doctor/mechanisms.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/io.h"
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
	struct kft_bpf_kind kind;
	int (*attach)(struct kft_doctor_env *env, int prog_fd); /* 0 or -errno */
	kft_doctor_kick_fn *kick;
	const char *what; /* description for the detail */
};

static void try_program(struct kft_doctor_env *env, struct kft_doctor_result *res,
			const struct bpf_trial *trial)
{
	struct kft_bpf_counter counter;
	int r = kft_bpf_counter_load(&trial->kind, &counter);

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
	union kft_bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.old.raw_tracepoint.name = (uintptr_t)name;
	attr.old.raw_tracepoint.prog_fd = prog_fd;
	int r = kft_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);

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

void kft_doctor_bpf_raw_tp(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	static const struct bpf_trial trial = {
		.kind = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT},
		.attach = attach_raw_tp,
		.kick = kft_doctor_kick_sched,
		.what = "ran at " TP_NAME,
	};

	try_program(env, res, &trial);
}

/* Looks up the type in BTF and tries the program on it. */
static void try_by_btf(struct kft_doctor_env *env, struct kft_doctor_result *res,
		       struct bpf_trial *trial, enum kft_btf_kind kind, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf btf = {};
	int r = kft_read_at(env->root_fd, BTF_FILE, BTF_MAX, &btf);

	if (r < 0) {
		kft_doctor_refused(env, res, r, "cannot read '/%s'", BTF_FILE);
		if (r == -ENOENT)
			res->reason = KFT_DOCTOR_NEEDS_OTHER;
		return;
	}
	r = kft_btf_find(btf.buf, btf.len, kind, name, &trial->kind.btf_id);
	if (r < 0)
		kft_doctor_refused(env, res, r, "cannot find '%s' in BTF", name);
	else
		try_program(env, res, trial);
}

void kft_doctor_bpf_tp_btf(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	struct bpf_trial trial = {
		.kind = {.type = KFT_BPF_PROG_TYPE_TRACING,
			 .attach_type = KFT_BPF_TRACE_RAW_TP},
		.attach = attach_by_btf,
		.kick = kft_doctor_kick_sched,
		.what = "ran at " TP_NAME,
	};

	try_by_btf(env, res, &trial, KFT_BTF_TYPEDEF, TP_TYPE);
}

void kft_doctor_bpf_fentry(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	struct bpf_trial trial = {
		.kind = {.type = KFT_BPF_PROG_TYPE_TRACING,
			 .attach_type = KFT_BPF_TRACE_FENTRY},
		.attach = attach_by_btf,
		.kick = kft_doctor_kick_func,
		.what = "ran at the entry of " KFT_DOCTOR_FUNC,
	};

	try_by_btf(env, res, &trial, KFT_BTF_FUNC, KFT_DOCTOR_FUNC);
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

void kft_doctor_bpf_kprobe(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	static const struct bpf_trial trial = {
		.kind = {.type = BPF_PROG_TYPE_KPROBE},
		.attach = attach_kprobe,
		.kick = kft_doctor_kick_func,
		.what = "ran at " KFT_DOCTOR_FUNC,
	};

	try_program(env, res, &trial);
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

void kft_doctor_bpf_uprobe(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	static const struct bpf_trial trial = {
		.kind = {.type = BPF_PROG_TYPE_KPROBE},
		.attach = attach_uprobe,
		.kick = kft_doctor_kick_target,
		.what = "ran at a function of kft",
	};

	try_program(env, res, &trial);
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

void kft_doctor_bpf_perf_event(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	static const struct bpf_trial trial = {
		.kind = {.type = BPF_PROG_TYPE_PERF_EVENT},
		.attach = attach_clock,
		.kick = kft_doctor_kick_spin,
		.what = "ran at samples of cpu-clock",
	};

	try_program(env, res, &trial);
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

void kft_doctor_bpf_kprobe_multi(struct kft_doctor_env *env,
				 struct kft_doctor_result *res)
{
	static const struct bpf_trial trial = {
		.kind = {.type = BPF_PROG_TYPE_KPROBE,
			 .attach_type = KFT_BPF_TRACE_KPROBE_MULTI},
		.attach = attach_kprobe_multi,
		.kick = kft_doctor_kick_func,
		.what = "ran at " KFT_DOCTOR_FUNC,
	};

	try_program(env, res, &trial);
}

void kft_doctor_bpf_kprobe_session(struct kft_doctor_env *env,
				   struct kft_doctor_result *res)
{
	static const struct bpf_trial trial = {
		.kind = {.type = BPF_PROG_TYPE_KPROBE,
			 .attach_type = KFT_BPF_TRACE_KPROBE_SESSION},
		.attach = attach_kprobe_session,
		.kick = kft_doctor_kick_func,
		.what = "ran at the entry and exit of " KFT_DOCTOR_FUNC,
	};

	try_program(env, res, &trial);
}

void kft_doctor_bpf_ringbuf(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	union kft_bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.old.map_type = KFT_BPF_MAP_TYPE_RINGBUF;
	attr.old.max_entries = sysconf(_SC_PAGESIZE);
	int fd = kft_bpf(BPF_MAP_CREATE, &attr);

	if (fd < 0) {
		kft_doctor_refused(env, res, fd, "map refused");
		return;
	}
	close(fd);
	kft_doctor_yes(res, "made one of %ld bytes", sysconf(_SC_PAGESIZE));
}
