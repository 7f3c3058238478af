// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds tracefs, or mounts it where only kft sees it. */
#include "tracefs/control/mount.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#ifndef FSOPEN_CLOEXEC /* not in musl's sys/mount.h */
#include <linux/mount.h>
#endif

#include "base/err.h"
#include "base/io.h"

#define MOUNTS_MAX_BYTES (16U << 20)

/* A file of tracefs' top directory, which an empty mount point does not have. */
#define PROOF_FILE "trace_clock"

static int open_dir(int dirfd, const char *path)
{
	int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Returns a descriptor of path if it is a tracefs; -ENOENT when it is something else. */
static int try_path(const struct kft_host *host, const char *path)
{
	int fd = open_dir(host->root_fd, path);

	if (fd < 0)
		return fd;
	int r = kft_find_at(fd, PROOF_FILE);
	if (r < 0) {
		(void)close(fd);
		return r;
	}
	return fd;
}

static bool is_octal(const char *s)
{
	return s[0] >= '0' && s[0] <= '3' && s[1] >= '0' && s[1] <= '7' && s[2] >= '0' &&
	       s[2] <= '7';
}

/* proc(5): blanks and backslashes of a path are written as \ooo in /proc/mounts. */
static void unescape(char *s)
{
	char *out = s;

	for (; *s; s++) {
		if (*s == '\\' && is_octal(s + 1)) {
			*out++ = (s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0');
			s += 3;
		} else {
			*out++ = *s;
		}
	}
	*out = '\0';
}

/* Tries the mount of a line of /proc/mounts: "device path type options 0 0". */
static int try_mount_line(const struct kft_host *host, char *line)
{
	char *save = NULL;
	char *device = strtok_r(line, " ", &save);
	char *path = strtok_r(NULL, " ", &save);
	char *type = strtok_r(NULL, " ", &save);

	if (!device || !path || !type || strcmp(type, "tracefs") != 0)
		return -ENOENT;
	unescape(path);
	return try_path(host, path[0] == '/' && path[1] ? path + 1 : ".");
}

static int find_in_mounts(const struct kft_host *host)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	int r = kft_read_at(host->root_fd, "proc/self/mounts", MOUNTS_MAX_BYTES, &sb);

	if (r < 0)
		return r;
	r = -ENOENT;
	kft_strbuf_addc(&sb, '\0');
	if (!kft_strbuf_ok(&sb))
		return -ENOMEM;
	char *save = NULL;
	for (char *line = strtok_r(sb.buf, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		int fd = try_mount_line(host, line);

		if (fd >= 0)
			return fd;
		if (fd != -ENOENT)
			r = fd;
	}
	return r;
}

/* Finds a mounted tracefs. -ENOENT when there is none; another error when it may not be opened. */
static int find_mounted(const struct kft_host *host)
{
	static const char *const usual[] = {
		"sys/kernel/tracing",
		"sys/kernel/debug/tracing",
	};
	int refused = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(usual); i++) {
		int fd = try_path(host, usual[i]);

		if (fd >= 0)
			return fd;
		/* debugfs is closed to all users but root, whether it contains tracefs or not. */
		if (i == 0 && fd != -ENOENT)
			refused = fd;
	}
	int fd = find_in_mounts(host);
	return fd >= 0 || refused == -ENOENT ? fd : refused;
}

int kft_tracefs_mount_detached(void)
{
	_cleanup_close_ int fs = syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC);

	if (fs < 0)
		return -errno;
	if (syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
		return -errno;
	_cleanup_close_ int mnt = syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC,
					  MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV |
						  MOUNT_ATTR_NOEXEC);
	if (mnt < 0)
		return -errno;
	/* fsmount() returns an O_PATH descriptor, but flock() and fstatfs() need a full one. */
	return open_dir(mnt, ".");
}

/* Runs in the child: mounts tracefs in a private namespace over /proc, which every system has. */
static int mount_privately(void)
{
	if (unshare(CLONE_NEWNS) < 0)
		return -errno;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -errno;
	if (mount("nodev", "/proc", "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) <
	    0)
		return -errno;
	return open_dir(AT_FDCWD, "/proc");
}

union fd_control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(int))];
};

/* Sends fd, or only the number if it is negative. */
static int send_fd(int sock, int fd)
{
	union fd_control control;
	struct iovec iov = {.iov_base = &fd, .iov_len = sizeof(fd)};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};

	memset(&control, 0, sizeof(control));
	if (fd >= 0) {
		msg.msg_control = &control;
		msg.msg_controllen = sizeof(control);
		struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	}
	return sendmsg(sock, &msg, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static int receive_fd(int sock)
{
	union fd_control control;
	int fd = -EIO;
	struct iovec iov = {.iov_base = &fd, .iov_len = sizeof(fd)};
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n;

	memset(&control, 0, sizeof(control));
	do {
		n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	if (n != sizeof(fd))
		return n < 0 ? -errno : -EIO;
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	else if (fd >= 0)
		fd = -EIO;
	return fd;
}

int kft_tracefs_mount_in_child(void)
{
	int socks[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, socks) < 0)
		return -errno;
	pid_t pid = fork();
	if (pid == 0)
		_exit(send_fd(socks[1], mount_privately()) < 0);
	int fd = pid < 0 ? -errno : 0;
	(void)close(socks[1]);
	if (pid > 0) {
		fd = receive_fd(socks[0]);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	(void)close(socks[0]);
	return fd;
}

static int mount_own(const struct kft_host *host, struct kft_err *e)
{
	int fd = kft_tracefs_mount_detached();

	if (fd == -ENOSYS)
		fd = kft_tracefs_mount_in_child();
	if (fd == -ENODEV) {
		kft_err_set(e, fd, "this kernel has no tracefs");
		kft_err_hint(e, "kft needs a kernel built with CONFIG_TRACING and "
				"CONFIG_EVENT_TRACING");
	} else if (fd < 0) {
		kft_err_sys(e, fd, "tracefs is not mounted, and it cannot be mounted");
		kft_host_hint(host, fd, e);
	}
	return fd;
}

/* Opens a file, because kernel lockdown lets the directory be opened but none of its files. */
static int check_usable(const struct kft_host *host, int fd, struct kft_err *e)
{
	_cleanup_close_ int file = openat(fd, PROOF_FILE, O_RDONLY | O_CLOEXEC);

	if (file >= 0)
		return 0;
	int r = -errno;
	kft_err_sys(e, r, "cannot use tracefs");
	kft_host_hint(host, r, e);
	return r;
}

int kft_tracefs_open(struct kft_host *host, int *ret_fd, struct kft_err *e)
{
	if (host->tracefs_fd < 0) {
		int fd = find_mounted(host);

		if (fd == -ENOENT && !host->stand_in) {
			fd = mount_own(host, e);
			if (fd < 0)
				return fd;
		}
		if (fd < 0) {
			kft_err_sys(e, fd, "cannot open tracefs");
			kft_host_hint(host, fd, e);
			return fd;
		}
		int r = check_usable(host, fd, e);
		if (r < 0) {
			(void)close(fd);
			return r;
		}
		host->tracefs_fd = fd;
	}
	*ret_fd = host->tracefs_fd;
	return 0;
}
