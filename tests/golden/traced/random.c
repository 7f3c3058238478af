// SPDX-License-Identifier: GPL-2.0-only
/*
 * random SEED: makes 1,000 system calls with random arguments, the same for the same seed. They come
 * from a list of calls that do not wait, end or harm anything, and are made by nobody, in a new
 * directory.
 */
#include <fcntl.h>
#include <grp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS	    1000
#define ARENA	    ((uint64_t)0x20000000)
#define ARENA_BYTES 65536
/* What differs from run to run is written here, where no call reads. */
#define OUTPUT ((uint64_t)0x30000000)

/*
 * Letters of arguments: d descriptor, s string, p pointer, o pointer to output, b pointer that is never valid, i small
 * number, k one that is smaller still, l any number, z zero, m mode; a digit is itself (8: -1, 9: no id), n MSG_DONTWAIT, w WNOHANG,
 * N O_NONBLOCK, t a type of sockets with it: nothing waits.
 */
static const struct {
	long number;
	const char *args;
} calls[] = {
	{SYS_open, "slm"},
	{SYS_openat, "dslm"},
	{SYS_close, "c"},
	{SYS_read, "doi"},
	{SYS_write, "dpi"},
	{SYS_pread64, "doii"},
	{SYS_pwrite64, "dpii"},
	{SYS_readv, "dpi"},
	{SYS_writev, "dpi"},
	{SYS_lseek, "dli"},
	{SYS_stat, "so"},
	{SYS_lstat, "so"},
	{SYS_fstat, "do"},
	{SYS_newfstatat, "dsol"},
	{SYS_statx, "dsllo"},
	{SYS_access, "si"},
	{SYS_faccessat2, "dsil"},
	{SYS_readlink, "soi"},
	{SYS_readlinkat, "dsoi"},
	{SYS_getcwd, "oi"},
	{SYS_mmap, "bilidl"},
	{SYS_mprotect, "bil"},
	{SYS_munmap, "bi"},
	{SYS_madvise, "bii"},
	{SYS_msync, "bii"},
	{SYS_mlock, "bi"},
	{SYS_mincore, "bip"},
	{SYS_mremap, "biil"},
	{SYS_socket, "iti"},
	{SYS_socketpair, "itip"},
	{SYS_bind, "dpi"},
	{SYS_connect, "9pi"},
	{SYS_listen, "9i"},
	{SYS_getsockname, "dop"},
	{SYS_getpeername, "dpp"},
	{SYS_setsockopt, "diipi"},
	{SYS_getsockopt, "diipp"},
	{SYS_sendto, "dpinpi"},
	{SYS_recvfrom, "dpinpp"},
	{SYS_sendmsg, "dpn"},
	{SYS_recvmsg, "dbn"},
	{SYS_shutdown, "di"},
	{SYS_poll, "pkz"},
	{SYS_epoll_create1, "l"},
	{SYS_epoll_ctl, "didp"},
	{SYS_epoll_wait, "dpiz"},
	{SYS_eventfd2, "iN"},
	{SYS_timerfd_create, "iN"},
	{SYS_timerfd_gettime, "do"},
	{SYS_inotify_init1, "N"},
	{SYS_inotify_add_watch, "dsl"},
	{SYS_signalfd4, "dpiN"},
	{SYS_pipe2, "pN"},
	{SYS_dup, "d"},
	{SYS_fcntl, "d1"},
	{SYS_fcntl, "d3"},
	{SYS_fcntl, "d2i"},
	{SYS_fcntl, "d5p"},
	{SYS_fcntl, "d6p"},
	{SYS_ioctl, "dlp"},
	{SYS_flock, "d4"},
	{SYS_ftruncate, "di"},
	{SYS_fallocate, "diii"},
	{SYS_getdents64, "doi"},
	{SYS_rt_sigaction, "ibpi"},
	{SYS_rt_sigprocmask, "ibpi"},
	{SYS_rt_sigpending, "pi"},
	{SYS_getitimer, "ip"},
	{SYS_clock_gettime, "io"},
	{SYS_clock_getres, "ip"},
	{SYS_getrlimit, "ip"},
	{SYS_prlimit64, "zibp"},
	{SYS_getrusage, "io"},
	{SYS_uname, "o"},
	{SYS_getuid, ""},
	{SYS_getgroups, "ip"},
	{SYS_getresuid, "ppp"},
	{SYS_sched_getaffinity, "zip"},
	{SYS_sched_getscheduler, "z"},
	{SYS_sched_getparam, "zp"},
	{SYS_getpriority, "iz"},
	{SYS_futex, "p1iiii"},
	{SYS_futex, "p3iipi"},
	{SYS_futex, "p4iipi"},
	{SYS_getrandom, "bii"},
	{SYS_memfd_create, "si"},
	{SYS_sendfile, "ddpi"},
	{SYS_getxattr, "sspi"},
	{SYS_setxattr, "sspii"},
	{SYS_fgetxattr, "dspi"},
	{SYS_listxattr, "spi"},
	{SYS_utimensat, "dspl"},
	{SYS_umask, "m"},
	{SYS_mkdir, "sm"},
	{SYS_mkdirat, "dsm"},
	{SYS_rmdir, "s"},
	{SYS_unlink, "s"},
	{SYS_unlinkat, "dsl"},
	{SYS_rename, "ss"},
	{SYS_renameat2, "dsdsl"},
	{SYS_link, "ss"},
	{SYS_linkat, "dsdsl"},
	{SYS_symlink, "ss"},
	{SYS_chmod, "sm"},
	{SYS_fchmod, "dm"},
	{SYS_chown, "sii"},
	{SYS_fchownat, "dsiil"},
	{SYS_truncate, "si"},
	{SYS_wait4, "iowo"},
	{SYS_waitid, "iiowo"},
	{SYS_execve, "bpp"},
	{SYS_statfs, "so"},
	{SYS_mknod, "sml"},
	{SYS_umount2, "sl"},
	{SYS_swapoff, "s"},
	{SYS_capget, "bp"},
	{SYS_sigaltstack, "bp"},
	{SYS_kill, "iz"},
	{SYS_tgkill, "99i"},
	{SYS_setpgid, "99"},
	{SYS_getpgid, "i"},
	{SYS_splice, "dpdpi2"},
	{SYS_tee, "ddi2"},
	{SYS_vmsplice, "dpi2"},
	{SYS_sync_file_range, "diii"},
	{SYS_copy_file_range, "dpdpiz"},
	{SYS_close_range, "99i"},
	{SYS_openat2, "dspi"},
	{SYS_preadv2, "dpiizi"},
	{SYS_pidfd_open, "9i"},
	{SYS_timer_create, "ibo"},
	{SYS_timer_delete, "i"},
	{SYS_setgroups, "ib"},
	{SYS_sethostname, "bi"},
	{500, "liplli"},
};

static uint64_t state;

static uint64_t any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t bad_pointer(void)
{
	static const uint64_t bad[] = {
		0, 1, 0x1000, 0xdeadbeef000, UINT64_MAX, UINT64_MAX - 4095};

	return bad[any() % 6];
}

/*
 * Anywhere in the arena, also so near its end that the argument is cut; but not so that a string of
 * 32 bytes ends there, since strace asks for one more.
 */
static uint64_t pointer(void)
{
	switch (any() % 4) {
	case 0:
		return bad_pointer();
	case 1:
		return ARENA + ARENA_BYTES - (any() % 64 | 1);
	}
	return ARENA + any() % (ARENA_BYTES / 8) * 8;
}

static uint64_t string(void)
{
	static const char *const strings[] = {
		".",	      "a",
		"./b\n\"c\\", "/no/such/file",
		"",	      "d\001\0019\x80\xff",
		"user.x",     "/proc/self/exe",
		"f/g",	      "0123456789012345678901234567890123456789"};
	unsigned int i = any() % 12;

	if (i >= 10)
		return pointer();
	char *at = (char *)ARENA + 64 * i;

	strcpy(at, strings[i]);
	return (uint64_t)at;
}

static uint64_t number(void)
{
	switch (any() % 4) {
	case 0:
		return any();
	case 1:
		return UINT64_C(1) << any() % 33;
	case 2:
		return (UINT64_C(1) << any() % 22) | (UINT64_C(1) << any() % 22);
	}
	return any() % 8;
}

static uint64_t argument(char letter)
{
	static const uint64_t small[] = {0, 1,	2,  3,	4,   5,
					 8, 10, 16, 64, 100, UINT64_MAX};

	switch (letter) {
	case 'd':
		return any() % 8 == 0 ? (uint64_t)AT_FDCWD : 5 + any() % 12;
	case 'c':
		return 5 + any() % 12;
	case 's':
		return string();
	case 'p':
		return pointer();
	case 'o':
		return any() % 4 ? OUTPUT : bad_pointer();
	case 'b':
		return bad_pointer();
	case 'i':
		return small[any() % 12];
	case 'k':
		return small[any() % 9];
	case 'l':
		return number();
	case 'm':
		return any() % 010000;
	case 'n':
		return 0x40 | (any() % 2 ? 0x4000 : 0);
	case 'N':
		return 04000 | (any() % 2 ? 02000000 : 0);
	case 't':
		return 04000 | any() % 6;
	case 'w':
		return 1 | (any() % 2 ? 4 : 0);
	case '8':
		return 0xffffffff;
	case '9':
		return 999999;
	case 'z':
		return 0;
	}
	return (uint64_t)(letter - '0');
}

/* Numbers that look like lengths and small addresses more often than random bytes would. */
static void fill(void)
{
	uint32_t *at = (uint32_t *)ARENA;

	for (size_t i = 0; i < ARENA_BYTES / 4; i++)
		at[i] = any() % 3   ? any() % 4
			: any() % 2 ? (uint32_t)(ARENA + any() % 4096)
				    : (uint32_t)any();
}

int main(int argc, char **argv)
{
	state = 88172645463325252u + 977 * strtoul(argc > 1 ? argv[1] : "1", NULL, 10);
	if (mmap((void *)ARENA, ARENA_BYTES, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return 1;
	if (mmap((void *)OUTPUT, ARENA_BYTES, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return 1;
	if (mkdir("d", 0777) || chmod("d", 0777) || chdir("d"))
		return 1;
	umask(0);
	if (getuid() == 0 && (setgroups(0, NULL) || setgid(65534) || setuid(65534)))
		return 1;
	fill();
	for (int i = 0; i < CALLS; i++) {
		size_t at = any() % (sizeof(calls) / sizeof(*calls));
		uint64_t a[6] = {0};

		for (size_t k = 0; calls[at].args[k]; k++)
			a[k] = argument(calls[at].args[k]);
		syscall(calls[at].number, a[0], a[1], a[2], a[3], a[4], a[5]);
	}
	return 0;
}
