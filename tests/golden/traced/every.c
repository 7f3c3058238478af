// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes each system call with arguments of four kinds: zeroes, ones, pointers to zeroes, pointers to
 * numbers. A tracer has to show the names of all calls and the forms of their arguments. Calls that
 * wait, end the program, or change the results of later calls are left out. The program runs as the
 * user nobody.
 */
#include <grp.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS	    451
#define ARENA	    ((uint64_t)0x20000000)
#define ARENA_BYTES 65536

static const int left_out[] = {
	/* These end, wait or come back elsewhere. */
	SYS_exit,
	SYS_exit_group,
	SYS_pause,
	SYS_rt_sigreturn,
	SYS_fork,
	SYS_vfork,
	SYS_clone,
	SYS_clone3,
	SYS_rt_sigsuspend,
	SYS_select,
	SYS_pselect6,
	SYS_poll,
	SYS_ppoll,
	SYS_restart_syscall,
	SYS_read,
	SYS_readv,
	SYS_sched_yield,
	/* The calls after these would find another program. */
	SYS_brk,
	SYS_setsid,
	SYS_alarm,
	SYS_close,
	SYS_dup2,
	SYS_dup3,
	SYS_umask,
	SYS_close_range,
	SYS_vhangup,
	SYS_personality,
	SYS_chroot,
	SYS_sync,
	SYS_arch_prctl,
	SYS_munlockall,
	SYS_setpgid,
	SYS_dup,
	SYS_ptrace,
	SYS_seccomp,
	SYS_setitimer,
	SYS_pipe,
	SYS_pipe2,
	SYS_set_robust_list,
	SYS_rseq,
	SYS_mmap,
	SYS_munmap,
	SYS_mprotect,
	SYS_shmdt,
	SYS_set_tid_address,
	SYS_rt_sigprocmask,
	SYS_rt_sigaction,
	SYS_prctl,
	SYS_kill,
	SYS_tkill,
	SYS_tgkill,
	SYS_mremap,
	/* Their results are never the same twice. */
	SYS_getpid,
	SYS_gettid,
	SYS_getppid,
	SYS_getpgrp,
	SYS_getpgid,
	SYS_getsid,
	SYS_time,
	SYS_times,
	SYS_sysinfo,
	SYS_gettimeofday,
	SYS_clock_gettime,
	SYS_getrandom,
	SYS_getcpu,
	SYS_getrusage,
	SYS_write,
	SYS_fsync,
	SYS_statfs,
	SYS_fstatfs,
	SYS_fstat,
	SYS_clock_adjtime,
	SYS_adjtimex,
};

static int is_left_out(long number)
{
	/* There is a gap in the numbers of x86_64, which begins with those of uprobes. */
	if (number > SYS_rseq && number < SYS_pidfd_send_signal)
		return 1;
	for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
		if (left_out[i] == number)
			return 1;
	return 0;
}

int main(void)
{
	static const uint64_t kinds[] = {0, UINT64_MAX, ARENA, ARENA + ARENA_BYTES / 2};
	uint32_t *at = mmap((void *)ARENA, ARENA_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (at == MAP_FAILED ||
	    (getuid() == 0 && (setgroups(0, NULL) || setgid(65534) || setuid(65534))))
		return 1;
	for (long number = 0; number < CALLS; number++)
		for (size_t kind = 0; kind < 4 && !is_left_out(number); kind++) {
			uint64_t v = kinds[kind];

			for (size_t i = 0; i < ARENA_BYTES / 4; i++)
				at[i] = i < ARENA_BYTES / 8 ? 0 : i % 5 + 1;
			long result = syscall(number, v, v, v, v, v, v);

			/* Queues would stay behind. */
			if (number == SYS_msgget && result >= 0)
				msgctl((int)result, IPC_RMID, NULL);
		}
	return 0;
}
