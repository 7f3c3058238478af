// SPDX-License-Identifier: LGPL-2.1-or-later
/* Says what descriptors of a task are. */
#include "strace/paths.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

#include "base/io.h"
#include "base/scan.h"
#include "strace/text.h"

/* The longest name of a file in /proc/PID that is read here. */
#define LINK_BYTES 64
/* Bytes of a table of sockets in /proc that are read: 100,000 sockets. */
#define SOCKETS_BYTES_MAX ((size_t)16 << 20)

static void link_of(pid_t tid, int fd, char ret[static LINK_BYTES])
{
	if (fd == AT_FDCWD)
		(void)snprintf(ret, LINK_BYTES, "/proc/%d/cwd", tid);
	else
		(void)snprintf(ret, LINK_BYTES, "/proc/%d/fd/%d", tid, fd);
}

ssize_t kft_strace_link(pid_t tid, int fd, char path[static PATH_MAX])
{
	char link[LINK_BYTES];

	link_of(tid, fd, link);
	return readlink(link, path, PATH_MAX);
}

bool kft_strace_path(void *arg, pid_t tid, int fd, struct kft_strbuf *ret)
{
	char path[PATH_MAX];
	ssize_t len = kft_strace_link(tid, fd, path);

	if (len < 0)
		return false;
	kft_strace_escape(ret, path, (size_t)len);
	return true;
}

/* A kind of sockets by the kernel's name of its protocol, and its table in /proc/PID/net. */
struct table {
	const char *name;
	const char *file;
	bool is_v6;
};

/* Bytes of an address as /proc prints them: 32-bit words of the machine's order, in hex. */
static bool read_address(const char *text, bool is_v6, char *ret, size_t size)
{
	uint32_t words[4] = {};
	unsigned int n = is_v6 ? 4 : 1;

	for (unsigned int i = 0; i < n; i++)
		if (sscanf(text + 8 * (size_t)i, "%8x", &words[i]) != 1)
			return false;
	return inet_ntop(is_v6 ? AF_INET6 : AF_INET, words, ret, (socklen_t)size) != NULL;
}

/* "0: 0100007F:1F90 00000000:0000 0A ... uid timeout inode" */
static bool add_inet_line(const char *line, const struct table *t, unsigned long inode,
			  struct kft_strbuf *ret)
{
	char local[40];
	char remote[40];
	unsigned int local_port;
	unsigned int remote_port;
	unsigned long own;
	char a[INET6_ADDRSTRLEN];
	char b[INET6_ADDRSTRLEN];

	if (sscanf(line,
		   " %*u: %33[0-9A-F]:%x %33[0-9A-F]:%x %*x %*x:%*x %*x:%*x %*x %*u %*u %lu",
		   local, &local_port, remote, &remote_port, &own) != 5 ||
	    own != inode || strlen(local) != (t->is_v6 ? 32 : 8) ||
	    !read_address(local, t->is_v6, a, sizeof(a)) ||
	    !read_address(remote, t->is_v6, b, sizeof(b)))
		return false;
	const char *open = t->is_v6 ? "[" : "";
	const char *close = t->is_v6 ? "]" : "";

	kft_strbuf_addf(ret, "%s:[%s%s%s:%u", t->name, open, a, close, local_port);
	if (remote_port)
		kft_strbuf_addf(ret, "->%s%s%s:%u", open, b, close, remote_port);
	kft_strbuf_addc(ret, ']');
	return true;
}

/* "0000...: 00000002 00000000 00010000 0001 01 inode path"; a NUL in the name is an "@". */
static bool add_unix_line(const char *line, const struct table *t, unsigned long inode,
			  struct kft_strbuf *ret)
{
	unsigned long own;
	int end = 0;

	if (sscanf(line, "%*[0-9a-f]: %*x %*x %*x %*x %*x %lu%n", &own, &end) != 1 ||
	    own != inode)
		return false;
	const char *path = line + end;
	size_t len = strcspn(path, "\n");

	kft_strbuf_addf(ret, "%s:[%lu", t->name, inode);
	if (len > 1) {
		bool is_abstract = path[1] == '@';
		size_t skipped = is_abstract ? 2 : 1;

		kft_strbuf_adds(ret, is_abstract ? ",@\"" : ",\"");
		kft_strace_escape(ret, path + skipped, len - skipped);
		kft_strbuf_addc(ret, '"');
	}
	kft_strbuf_addc(ret, ']');
	return true;
}

static bool find_socket(pid_t tid, const struct table *t, unsigned long inode,
			struct kft_strbuf *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	bool is_unix = strcmp(t->file, "unix") == 0;
	char path[LINK_BYTES];

	(void)snprintf(path, sizeof(path), "/proc/%d/net/%s", tid, t->file);
	if (kft_read_at(AT_FDCWD, path, SOCKETS_BYTES_MAX, &text) < 0)
		return false;
	for (const char *line = strchr(kft_strbuf_cstr(&text), '\n'); line;
	     line = strchr(line + 1, '\n'))
		if (is_unix ? add_unix_line(line + 1, t, inode, ret)
			    : add_inet_line(line + 1, t, inode, ret))
			return true;
	return false;
}

/* "TCP:[127.0.0.1:80->127.0.0.1:4711]"; without details the number of the inode. */
static bool add_socket(pid_t tid, int fd, unsigned long inode, struct kft_strbuf *ret)
{
	static const struct table tables[] = {
		{"TCP", "tcp"},		 {"UDP", "udp"},	  {"TCPv6", "tcp6", true},
		{"UDPv6", "udp6", true}, {"UNIX-STREAM", "unix"}, {"UNIX", "unix"}};
	char name[64] = "";
	char link[LINK_BYTES];

	link_of(tid, fd, link);
	if (getxattr(link, "system.sockprotoname", name, sizeof(name) - 1) <= 0)
		return false;
	for (unsigned int i = 0; i < ARRAY_SIZE(tables); i++)
		if (strcmp(tables[i].name, name) == 0 &&
		    find_socket(tid, &tables[i], inode, ret))
			return true;
	kft_strace_escape(ret, name, strlen(name));
	kft_strbuf_addf(ret, ":[%lu]", inode);
	return true;
}

bool kft_strace_path_details(void *arg, pid_t tid, int fd, struct kft_strbuf *ret)
{
	char path[PATH_MAX + 1];
	char link[LINK_BYTES];
	struct stat st;
	ssize_t len = kft_strace_link(tid, fd, path);
	const char *p = path;
	uint64_t inode;

	if (len < 0)
		return false;
	path[len] = 0;
	if (kft_scan_text(&p, "socket:[") && kft_scan_u64(&p, &inode) &&
	    add_socket(tid, fd, (unsigned long)inode, ret))
		return true;
	kft_strace_escape(ret, path, (size_t)len);
	link_of(tid, fd, link);
	if (*path == '/' && stat(link, &st) == 0 &&
	    (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode)))
		kft_strbuf_addf(ret, "<%s %u:%u>", S_ISCHR(st.st_mode) ? "char" : "block",
				major(st.st_rdev), minor(st.st_rdev));
	return true;
}
