// SPDX-License-Identifier: GPL-2.0-only
/*
 * kill-at [-SIGNAL] N PREFIX[,PREFIX...] COMMAND...: runs the command, and sends it SIGKILL, or the
 * signal of that number, right before the N-th system call by which it changes something below
 * one of the prefixes: a file there is written, made, emptied or removed. The path of
 * that file is printed. Exit status: 0 when it was killed, 1 when it ended before, 2 when this
 * failed.
 */
#include <fcntl.h>
#include <limits.h>
#include <linux/ptrace.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPTIONS (PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE)

/* <sys/ptrace.h> and <linux/ptrace.h> do not go together, and only the latter always has it all. */
long ptrace(int request, ...);

struct look {
	pid_t pid;
	const char *prefixes;
	char path[2 * PATH_MAX];
};

static void die(const char *what)
{
	perror(what);
	exit(2);
}

/* The path that a descriptor of the process stands for; empty if it is none. */
static void path_of(pid_t pid, int fd, char *ret, size_t size)
{
	char link[64];
	ssize_t n;

	if (fd == AT_FDCWD)
		(void)snprintf(link, sizeof(link), "/proc/%d/cwd", pid);
	else
		(void)snprintf(link, sizeof(link), "/proc/%d/fd/%d", pid, fd);
	n = readlink(link, ret, size - 1);
	ret[n < 0 ? 0 : n] = '\0';
}

static void name_of(pid_t pid, unsigned long address, char *ret, size_t size)
{
	struct iovec to = {ret, size - 1};
	struct iovec from = {(void *)address, size - 1};
	/* The read may fail at the end of the mapping; then read up to the end of the page. */
	ssize_t n = process_vm_readv(pid, &to, 1, &from, 1, 0);

	if (n < 0) {
		from.iov_len = to.iov_len = 4096 - address % 4096;
		n = process_vm_readv(pid, &to, 1, &from, 1, 0);
	}
	ret[n < 0 ? 0 : n] = '\0';
}

static bool is_watched(const struct look *l)
{
	for (const char *p = l->prefixes; *p;) {
		size_t len = strcspn(p, ",");

		if (len && strncmp(l->path, p, len) == 0)
			return true;
		p += len + (p[len] == ',');
	}
	return false;
}

static bool at_descriptor(struct look *l, unsigned long fd)
{
	path_of(l->pid, (int)fd, l->path, sizeof(l->path));
	return is_watched(l);
}

static bool at_name(struct look *l, unsigned long dirfd, unsigned long name)
{
	char text[PATH_MAX];
	size_t len;

	name_of(l->pid, name, text, sizeof(text));
	path_of(l->pid, (int)dirfd, l->path, PATH_MAX);
	len = *text == '/' ? 0 : strlen(l->path);
	(void)snprintf(l->path + len, sizeof(l->path) - len, "%s%s", len ? "/" : "",
		       text);
	return is_watched(l);
}

static bool is_change(struct look *l, const struct ptrace_syscall_info *info)
{
	const __u64 *args = info->entry.args;

	switch (info->entry.nr) {
	case SYS_write:
	case SYS_pwrite64:
	case SYS_writev:
	case SYS_ftruncate:
		return at_descriptor(l, args[0]);
	case SYS_splice:
		return at_descriptor(l, args[2]);
	case SYS_openat:
		return args[2] & (O_CREAT | O_TRUNC) && at_name(l, args[0], args[1]);
	case SYS_mkdirat:
	case SYS_unlinkat:
		return at_name(l, args[0], args[1]);
#ifdef SYS_open
	case SYS_open:
		return args[1] & (O_CREAT | O_TRUNC) &&
		       at_name(l, (unsigned long)AT_FDCWD, args[0]);
	case SYS_mkdir:
	case SYS_rmdir:
	case SYS_unlink:
		return at_name(l, (unsigned long)AT_FDCWD, args[0]);
#endif
	default:
		return false;
	}
}

static pid_t start(char **command)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid == 0) {
		(void)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		(void)raise(SIGSTOP);
		(void)execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (waitpid(pid, NULL, 0) != pid ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL, OPTIONS) < 0 ||
	    ptrace(PTRACE_SYSCALL, pid, NULL, 0) < 0)
		die("ptrace");
	return pid;
}

int main(int argc, char **argv)
{
	static struct look l;
	struct ptrace_syscall_info info;
	int status;

	int with = SIGKILL;
	if (argc > 1 && argv[1][0] == '-') {
		with = atoi(*++argv + 1);
		argc--;
	}
	if (argc < 4)
		return 2;
	long left = strtol(argv[1], NULL, 10);
	l.prefixes = argv[2];
	pid_t first = start(argv + 3);
	bool killed = false;
	/* Wait until all threads are gone, because only then their files are closed. */
	while ((l.pid = waitpid(-1, &status, __WALL)) > 0) {
		if (!WIFSTOPPED(status))
			continue;
		int signal = WSTOPSIG(status);
		if (signal == (SIGTRAP | 0x80)) {
			signal = 0;
			if (!killed &&
			    ptrace(PTRACE_GET_SYSCALL_INFO, l.pid, sizeof(info), &info) >
				    0 &&
			    info.op == PTRACE_SYSCALL_INFO_ENTRY &&
			    is_change(&l, &info) && --left == 0) {
				killed = true;
				(void)kill(first, with);
				(void)puts(l.path);
				if (with == SIGKILL)
					continue;
			}
		} else if (signal == SIGTRAP || signal == SIGSTOP) {
			signal = 0;
		}
		(void)ptrace(PTRACE_SYSCALL, l.pid, NULL, (long)signal);
	}
	return killed ? 0 : 1;
}
