// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Signatures of the most frequent system calls: include/linux/syscalls.h of Linux 6.12,
 * and arch/s390, x86 and arm for calls that differ there.
 */
#include "output/plain/call_sets.h"

const struct kft_arg_type kft_arg_number = {KFT_ARG_NUMBER};
const struct kft_arg_type kft_arg_int = {KFT_ARG_INT};
const struct kft_arg_type kft_arg_pointer = {KFT_ARG_POINTER};
const struct kft_arg_type kft_arg_string = {KFT_ARG_STRING};
static const struct kft_arg_type kft_arg_octal = {KFT_ARG_OCTAL};
static const struct kft_arg_type kft_arg_signal = {KFT_ARG_SIGNAL};

/* Entries for one machine come before the general entry. */
/* clang-format off */
#define A(type) &kft_arg_##type
static const struct kft_plain_signature signatures[] = {
	{"clone", {A(pointer), A(clone), A(pointer), A(pointer), A(pointer)},
	 .machine = "s390x"},
	{"mmap", {A(pointer)}, .gives_pointer = true, .machine = "s390x"},
	{"mmap", {A(pointer)}, .gives_pointer = true, .machine = "i"},
	{"select", {A(pointer)}, "waits for events", .machine = "i"},
	{"openat", {A(at), A(string), A(open_arm), A(octal)}, .machine = "aarch64"},
	{"openat", {A(at), A(string), A(open_arm), A(octal)}, .machine = "arm"},
	{"open", {A(string), A(open_arm), A(octal)}, .machine = "arm"},
	{"openat", {A(at), A(string), A(open), A(octal)}},
	{"open", {A(string), A(open), A(octal)}},
	{"creat", {A(string), A(octal)}},
	{"close", {A(int)}},
	{"read", {A(int), A(pointer), A(number)}, "waits for input"},
	{"write", {A(int), A(pointer), A(number)}, "waits to write"},
	{"pread64", {A(int), A(pointer), A(number), A(number)}, "waits for input"},
	{"pwrite64", {A(int), A(pointer), A(number), A(number)}, "waits to write"},
	{"readv", {A(int), A(pointer), A(int)}, "waits for input"},
	{"writev", {A(int), A(pointer), A(int)}, "waits to write"},
	{"lseek", {A(int), A(number), A(whence)}},
	{"mmap", {A(pointer), A(number), A(prot), A(map), A(int), A(number)},
	 .gives_pointer = true},
	{"mmap2", {A(pointer), A(number), A(prot), A(map), A(int), A(number)},
	 .gives_pointer = true},
	{"munmap", {A(pointer), A(number)}},
	{"mprotect", {A(pointer), A(number), A(prot)}},
	{"mremap", {A(pointer), A(number), A(number), A(mremap), A(pointer)},
	 .gives_pointer = true},
	{"madvise", {A(pointer), A(number), A(advice)}},
	{"fadvise64", {A(int), A(number), A(number), A(fadvise)}},
	{"brk", {A(pointer)}, .gives_pointer = true},
	{"access", {A(string), A(access)}},
	{"faccessat", {A(at), A(string), A(access)}},
	{"faccessat2", {A(at), A(string), A(access), A(at_flags)}},
	{"stat", {A(string), A(pointer)}},
	{"lstat", {A(string), A(pointer)}},
	{"fstat", {A(int), A(pointer)}},
	{"newfstatat", {A(at), A(string), A(pointer), A(at_flags)}},
	{"statx", {A(at), A(string), A(at_flags), A(number), A(pointer)}},
	{"readlink", {A(string), A(pointer), A(number)}},
	{"readlinkat", {A(at), A(string), A(pointer), A(number)}},
	{"unlink", {A(string)}},
	{"unlinkat", {A(at), A(string), A(at_flags)}},
	{"mkdir", {A(string), A(octal)}},
	{"mkdirat", {A(at), A(string), A(octal)}},
	{"rmdir", {A(string)}},
	{"rename", {A(string), A(string)}},
	{"renameat2", {A(at), A(string), A(at), A(string), A(rename)}},
	{"chdir", {A(string)}},
	{"chmod", {A(string), A(octal)}},
	{"fchmodat", {A(at), A(string), A(octal)}},
	{"getdents64", {A(int), A(pointer), A(number)}},
	{"fcntl", {A(int), A(fcntl), A(number)}},
	{"fcntl64", {A(int), A(fcntl), A(number)}},
	{"ioctl", {A(int), A(pointer), A(number)}, "waits in the device"},
	{"flock", {A(int), A(flock)}, "waits for a lock"},
	{"fsync", {A(int)}, "waits for the disk"},
	{"fdatasync", {A(int)}, "waits for the disk"},
	{"fallocate", {A(int), A(fallocate), A(number), A(number)}},
	{"dup", {A(int)}},
	{"dup2", {A(int), A(int)}},
	{"dup3", {A(int), A(int), A(fd_flags)}},
	{"pipe2", {A(pointer), A(fd_flags)}},
	{"splice", {A(int), A(pointer), A(int), A(pointer), A(number), A(splice)},
	 "waits for input"},
	{"execve", {A(string), A(pointer), A(pointer)}},
	{"execveat", {A(at), A(string), A(pointer), A(pointer), A(at_flags)}},
	{"clone", {A(clone), A(pointer), A(pointer), A(pointer), A(pointer)}},
	{"unshare", {A(clone)}},
	{"wait4", {A(int), A(pointer), A(wait), A(pointer)}, "waits for a child"},
	{"waitid", {A(idtype), A(int), A(pointer), A(wait), A(pointer)},
	 "waits for a child"},
	{"exit", {A(int)}},
	{"exit_group", {A(int)}},
	{"kill", {A(int), A(signal)}},
	{"tgkill", {A(int), A(int), A(signal)}},
	{"rt_sigaction", {A(signal), A(pointer), A(pointer), A(number)}},
	{"rt_sigprocmask", {A(how), A(pointer), A(pointer), A(number)}},
	{"rt_sigtimedwait", {A(pointer), A(pointer), A(pointer), A(number)},
	 "waits for a signal"},
	{"rt_sigsuspend", {A(pointer), A(number)}, "waits for a signal"},
	{"pause", {}, "waits for a signal"},
	{"futex", {A(pointer), A(futex), A(number), A(pointer), A(pointer), A(number)},
	 "waits for a futex"},
	{"nanosleep", {A(pointer), A(pointer)}, "sleeps"},
	{"clock_gettime", {A(clock), A(pointer)}},
	{"clock_nanosleep", {A(clock), A(abstime), A(pointer), A(pointer)}, "sleeps"},
	{"poll", {A(pointer), A(number), A(int)}, "waits for events"},
	{"ppoll", {A(pointer), A(number), A(pointer), A(pointer), A(number)},
	 "waits for events"},
	{"select", {A(int), A(pointer), A(pointer), A(pointer), A(pointer)},
	 "waits for events"},
	{"_newselect", {A(int), A(pointer), A(pointer), A(pointer), A(pointer)},
	 "waits for events"},
	{"pselect6", {A(int), A(pointer), A(pointer), A(pointer), A(pointer), A(pointer)},
	 "waits for events"},
	{"epoll_wait", {A(int), A(pointer), A(int), A(int)}, "waits for events"},
	{"epoll_pwait", {A(int), A(pointer), A(int), A(int), A(pointer), A(number)},
	 "waits for events"},
	{"epoll_ctl", {A(int), A(epoll_op), A(int), A(pointer)}},
	{"epoll_create1", {A(fd_flags)}},
	{"socket", {A(family), A(socket), A(int)}},
	{"socketpair", {A(family), A(socket), A(int), A(pointer)}},
	{"bind", {A(int), A(pointer), A(int)}},
	{"connect", {A(int), A(pointer), A(int)}, "waits for a connection"},
	{"listen", {A(int), A(int)}},
	{"accept", {A(int), A(pointer), A(pointer)}, "waits for a connection"},
	{"accept4", {A(int), A(pointer), A(pointer), A(accept)}, "waits for a connection"},
	{"sendto", {A(int), A(pointer), A(number), A(msg), A(pointer), A(int)},
	 "waits to write"},
	{"recvfrom", {A(int), A(pointer), A(number), A(msg), A(pointer), A(pointer)},
	 "waits for input"},
	{"sendmsg", {A(int), A(pointer), A(msg)}, "waits to write"},
	{"recvmsg", {A(int), A(pointer), A(msg)}, "waits for input"},
	{"shutdown", {A(int), A(shutdown)}},
	{"prctl", {A(prctl), A(string), A(number), A(number), A(number)}},
	{"prlimit64", {A(int), A(resource), A(pointer), A(pointer)}},
	{"getrlimit", {A(resource), A(pointer)}},
	{"getrusage", {A(who), A(pointer)}},
	{"sched_setscheduler", {A(int), A(policy), A(pointer)}},
	{"getrandom", {A(pointer), A(number), A(random)}},
	{"memfd_create", {A(string), A(memfd)}},
	{"io_uring_enter", {A(int), A(int), A(int), A(number), A(pointer), A(number)},
	 "waits for completions"},
};
/* clang-format on */

const struct kft_plain_signature *kft_plain_signature_find(const char *name,
							   const char *machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(signatures); i++) {
		const struct kft_plain_signature *s = &signatures[i];
		bool is_of_it = !s->machine || (machine && !strncmp(machine, s->machine,
								    strlen(s->machine)));

		if (is_of_it && strcmp(s->name, name) == 0)
			return s;
	}
	return NULL;
}
