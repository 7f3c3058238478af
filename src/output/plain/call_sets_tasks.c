// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of constants in arguments of calls on tasks and time: Linux 6.12,
 * include/uapi/linux/{futex,time,sched,wait,prctl,resource}.h,
 * asm-generic/{signal,resource}.h.
 */
#include "output/plain/call_sets.h"

/* clang-format off */
#define BIT(bits, text)		{bits, bits, #text}
#define ONE(among, number, text) {among, number, #text}
#define SET(set, is_number)                                                    \
	const struct kft_arg_type kft_arg_##set = {                            \
		.kind = KFT_ARG_SET, .is_int = is_number, .names = set##_names};

static const struct kft_arg_name futex_names[] = {
	ONE(0x7f, 0x0, FUTEX_WAIT), ONE(0x7f, 0x1, FUTEX_WAKE), ONE(0x7f, 0x3, FUTEX_REQUEUE),
	ONE(0x7f, 0x4, FUTEX_CMP_REQUEUE), ONE(0x7f, 0x5, FUTEX_WAKE_OP),
	ONE(0x7f, 0x6, FUTEX_LOCK_PI), ONE(0x7f, 0x7, FUTEX_UNLOCK_PI),
	ONE(0x7f, 0x8, FUTEX_TRYLOCK_PI), ONE(0x7f, 0x9, FUTEX_WAIT_BITSET),
	ONE(0x7f, 0xa, FUTEX_WAKE_BITSET), ONE(0x7f, 0xb, FUTEX_WAIT_REQUEUE_PI),
	ONE(0x7f, 0xc, FUTEX_CMP_REQUEUE_PI), ONE(0x7f, 0xd, FUTEX_LOCK_PI2),
	BIT(0x80, FUTEX_PRIVATE_FLAG), BIT(0x100, FUTEX_CLOCK_REALTIME), {},
};
SET(futex, false)

static const struct kft_arg_name clock_names[] = {
	ONE(0xffffffff, 0x0, CLOCK_REALTIME), ONE(0xffffffff, 0x1, CLOCK_MONOTONIC),
	ONE(0xffffffff, 0x2, CLOCK_PROCESS_CPUTIME_ID),
	ONE(0xffffffff, 0x3, CLOCK_THREAD_CPUTIME_ID),
	ONE(0xffffffff, 0x4, CLOCK_MONOTONIC_RAW),
	ONE(0xffffffff, 0x5, CLOCK_REALTIME_COARSE),
	ONE(0xffffffff, 0x6, CLOCK_MONOTONIC_COARSE), ONE(0xffffffff, 0x7, CLOCK_BOOTTIME),
	ONE(0xffffffff, 0xb, CLOCK_TAI), {},
};
SET(clock, true)

static const struct kft_arg_name abstime_names[] = {
	BIT(0x1, TIMER_ABSTIME), {},
};
SET(abstime, false)

static const struct kft_arg_name clone_names[] = {
	BIT(0x100, CLONE_VM), BIT(0x200, CLONE_FS), BIT(0x400, CLONE_FILES),
	BIT(0x800, CLONE_SIGHAND), BIT(0x1000, CLONE_PIDFD), BIT(0x2000, CLONE_PTRACE),
	BIT(0x4000, CLONE_VFORK), BIT(0x8000, CLONE_PARENT), BIT(0x10000, CLONE_THREAD),
	BIT(0x20000, CLONE_NEWNS), BIT(0x40000, CLONE_SYSVSEM), BIT(0x80000, CLONE_SETTLS),
	BIT(0x100000, CLONE_PARENT_SETTID), BIT(0x200000, CLONE_CHILD_CLEARTID),
	BIT(0x800000, CLONE_UNTRACED), BIT(0x1000000, CLONE_CHILD_SETTID),
	BIT(0x2000000, CLONE_NEWCGROUP), BIT(0x4000000, CLONE_NEWUTS),
	BIT(0x8000000, CLONE_NEWIPC), BIT(0x10000000, CLONE_NEWUSER),
	BIT(0x20000000, CLONE_NEWPID), BIT(0x40000000, CLONE_NEWNET),
	BIT(0x80000000, CLONE_IO), ONE(0xff, 0x11, SIGCHLD), {},
};
SET(clone, false)

static const struct kft_arg_name wait_names[] = {
	BIT(0x1, WNOHANG), BIT(0x2, WUNTRACED), BIT(0x4, WEXITED), BIT(0x8, WCONTINUED),
	BIT(0x1000000, WNOWAIT), BIT(0x20000000, __WNOTHREAD), BIT(0x40000000, __WALL),
	BIT(0x80000000, __WCLONE), {},
};
SET(wait, false)

static const struct kft_arg_name idtype_names[] = {
	ONE(0xffffffff, 0x0, P_ALL), ONE(0xffffffff, 0x1, P_PID),
	ONE(0xffffffff, 0x2, P_PGID), ONE(0xffffffff, 0x3, P_PIDFD), {},
};
SET(idtype, true)

static const struct kft_arg_name how_names[] = {
	ONE(0xffffffff, 0x0, SIG_BLOCK), ONE(0xffffffff, 0x1, SIG_UNBLOCK),
	ONE(0xffffffff, 0x2, SIG_SETMASK), {},
};
SET(how, true)

static const struct kft_arg_name prctl_names[] = {
	ONE(0xffffffff, 0x1, PR_SET_PDEATHSIG), ONE(0xffffffff, 0x3, PR_GET_DUMPABLE),
	ONE(0xffffffff, 0x4, PR_SET_DUMPABLE), ONE(0xffffffff, 0x8, PR_SET_KEEPCAPS),
	ONE(0xffffffff, 0xf, PR_SET_NAME), ONE(0xffffffff, 0x10, PR_GET_NAME),
	ONE(0xffffffff, 0x15, PR_GET_SECCOMP), ONE(0xffffffff, 0x16, PR_SET_SECCOMP),
	ONE(0xffffffff, 0x17, PR_CAPBSET_READ), ONE(0xffffffff, 0x18, PR_CAPBSET_DROP),
	ONE(0xffffffff, 0x1d, PR_SET_TIMERSLACK), ONE(0xffffffff, 0x23, PR_SET_MM),
	ONE(0xffffffff, 0x24, PR_SET_CHILD_SUBREAPER),
	ONE(0xffffffff, 0x26, PR_SET_NO_NEW_PRIVS),
	ONE(0xffffffff, 0x27, PR_GET_NO_NEW_PRIVS), ONE(0xffffffff, 0x2f, PR_CAP_AMBIENT),
	ONE(0xffffffff, 0x53564d41, PR_SET_VMA), {},
};
SET(prctl, true)

static const struct kft_arg_name resource_names[] = {
	ONE(0xffffffff, 0x0, RLIMIT_CPU), ONE(0xffffffff, 0x1, RLIMIT_FSIZE),
	ONE(0xffffffff, 0x2, RLIMIT_DATA), ONE(0xffffffff, 0x3, RLIMIT_STACK),
	ONE(0xffffffff, 0x4, RLIMIT_CORE), ONE(0xffffffff, 0x5, RLIMIT_RSS),
	ONE(0xffffffff, 0x6, RLIMIT_NPROC), ONE(0xffffffff, 0x7, RLIMIT_NOFILE),
	ONE(0xffffffff, 0x8, RLIMIT_MEMLOCK), ONE(0xffffffff, 0x9, RLIMIT_AS),
	ONE(0xffffffff, 0xa, RLIMIT_LOCKS), ONE(0xffffffff, 0xb, RLIMIT_SIGPENDING),
	ONE(0xffffffff, 0xc, RLIMIT_MSGQUEUE), ONE(0xffffffff, 0xd, RLIMIT_NICE),
	ONE(0xffffffff, 0xe, RLIMIT_RTPRIO), ONE(0xffffffff, 0xf, RLIMIT_RTTIME), {},
};
SET(resource, true)

static const struct kft_arg_name policy_names[] = {
	ONE(0xf, 0x0, SCHED_OTHER), ONE(0xf, 0x1, SCHED_FIFO), ONE(0xf, 0x2, SCHED_RR),
	ONE(0xf, 0x3, SCHED_BATCH), ONE(0xf, 0x5, SCHED_IDLE), ONE(0xf, 0x6, SCHED_DEADLINE),
	BIT(0x40000000, SCHED_RESET_ON_FORK), {},
};
SET(policy, false)

static const struct kft_arg_name who_names[] = {
	ONE(0xffffffff, 0x0, RUSAGE_SELF), BIT(0xffffffff, RUSAGE_CHILDREN),
	ONE(0xffffffff, 0x1, RUSAGE_THREAD), {},
};
SET(who, true)
