// SPDX-License-Identifier: LGPL-2.1-or-later
/* Creates, finds and removes the parts of a recording. */
#include "file/tracedat/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/cursor.h"
#include "base/dir.h"
#include "base/err.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "file/tracedat/format.h"
#include "file/tracedat/write/encode.h"

void kft_parts_finish(struct kft_parts *p)
{
	kft_closep(&p->fd);
	kft_closep(&p->dir_fd);
	free(p->path);
	free(p->parts_name);
	*p = (struct kft_parts){.dir_fd = -1, .fd = -1};
}

static int open_dir_of(const char *path, const char *name, int *ret)
{
	_cleanup_free_ char *dir = name == path ? strdup(".")
						: strndup(path, name - path);

	if (!dir)
		return -ENOMEM;
	*ret = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *ret < 0 ? -errno : 0;
}

int kft_parts_init(struct kft_parts *p, const char *path, struct kft_err *e)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf parts_name = {};

	*p = (struct kft_parts){.dir_fd = -1, .fd = -1};
	if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return kft_err_set(e, -EISDIR, "'%s' is not a file name", path);
	kft_strbuf_adds(&parts_name, name);
	kft_strbuf_adds(&parts_name, KFT_PARTS_SUFFIX);
	p->path = strdup(path);
	p->parts_name = kft_strbuf_detach(&parts_name);
	int r = p->path && p->parts_name ? open_dir_of(path, name, &p->dir_fd) : -ENOMEM;
	if (r < 0) {
		kft_parts_finish(p);
		return kft_err_sys(e, r, "cannot write '%s'", path);
	}
	p->name = p->path + (name - path);
	return 0;
}

/* Whether the file's first option is LIVE, as kft_tracedat_write_live() writes it. */
static bool says_live(int fd)
{
	uint8_t start[KFT_TRACEDAT_MAGIC_BYTES + 2 + 2 + 4 + 6 + 8];
	uint8_t options[KFT_SECTION_HEADER_BYTES + KFT_OPTION_HEADER_BYTES];

	if (kft_pread_all(fd, start, sizeof(start), 0) < 0 ||
	    memcmp(start, KFT_TRACEDAT_MAGIC "7", KFT_TRACEDAT_MAGIC_BYTES + 2) != 0)
		return false;
	/* The file may have been copied from a machine with the other byte order. */
	struct kft_cursor c = kft_cursor_init(start, sizeof(start),
					      start[12] != kft_host_is_big_endian());
	uint64_t offset;
	uint16_t id;
	if (memcmp(start + 18, "none\0", 6) != 0 || !kft_cursor_skip(&c, 24) ||
	    !kft_cursor_u64(&c, &offset) ||
	    kft_pread_all(fd, options, sizeof(options), offset) < 0)
		return false;
	c = kft_cursor_init(options, sizeof(options), c.swap);
	return kft_cursor_skip(&c, KFT_SECTION_HEADER_BYTES) && kft_cursor_u16(&c, &id) &&
	       id == KFT_OPTION_LIVE;
}

static bool is_trace(int fd)
{
	char magic[KFT_TRACEDAT_MAGIC_BYTES];

	return kft_pread_all(fd, magic, sizeof(magic), 0) == 0 &&
	       memcmp(magic, KFT_TRACEDAT_MAGIC, sizeof(magic)) == 0;
}

static int refuse(const struct kft_parts *p, struct kft_err *e, const char *why)
{
	(void)kft_err_set(e, -EEXIST, "'%s' exists and is %s", p->path, why);
	kft_err_hint(e, "remove it, or choose another name");
	return -EEXIST;
}

static int busy(const struct kft_parts *p, struct kft_err *e)
{
	(void)kft_err_set(e, -EBUSY, "'%s' is being recorded by another kft", p->path);
	kft_err_hint(e, "choose another name with -o");
	return -EBUSY;
}

/*
 * The recorder of a live file holds a lock on it. A file system
 * without locks: not locked.
 */
static bool is_locked(int fd)
{
	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		(void)flock(fd, LOCK_UN);
		return false;
	}
	return errno == EWOULDBLOCK;
}

static int look_at_file(const struct kft_parts *p, enum kft_parts_state *ret,
			struct kft_err *e)
{
	struct stat st;

	if (fstatat(p->dir_fd, p->name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno != ENOENT)
			return kft_err_sys(e, -errno, "cannot write '%s'", p->path);
		*ret = KFT_PARTS_NONE;
		return 0;
	}
	if (S_ISLNK(st.st_mode))
		return refuse(p, e, "a symbolic link");
	if (!S_ISREG(st.st_mode))
		return refuse(p, e, "no regular file");
	_cleanup_close_ int fd = openat(p->dir_fd, p->name,
					O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return kft_err_sys(e, -errno, "cannot look at '%s'", p->path);
	if (st.st_size == 0)
		*ret = KFT_PARTS_NONE;
	else if (!is_trace(fd))
		return refuse(p, e, "no trace");
	else if (!says_live(fd))
		*ret = KFT_PARTS_FINISHED;
	else if (is_locked(fd))
		return busy(p, e);
	else
		*ret = KFT_PARTS_LIVE;
	return 0;
}

/*
 * In a directory that others can write to (/tmp), another user may have created
 * FILE.parts as a trap. Only a directory that the user owns and that no other user
 * can write to is accepted.
 */
static int open_own_dir(const struct kft_parts *p, int *ret, struct kft_err *e)
{
	struct stat st;
	_cleanup_close_ int fd = openat(p->dir_fd, p->parts_name,
					O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && errno != ENOTDIR && errno != ELOOP)
		return kft_err_sys(e, -errno, "cannot open '%s" KFT_PARTS_SUFFIX "'",
				   p->path);
	if (fd < 0 || fstat(fd, &st) < 0 || st.st_uid != geteuid() ||
	    (st.st_mode & (S_IWGRP | S_IWOTH))) {
		(void)kft_err_set(e, -EPERM,
				  "'%s" KFT_PARTS_SUFFIX "' exists and is not a "
				  "directory that only you can write to",
				  p->path);
		kft_err_hint(e, "choose another name with -o");
		return -EPERM;
	}
	*ret = TAKE_FD(fd);
	return 0;
}

/* Whether the name still refers to the file of fd. */
static bool has_name(const struct kft_parts *p, const char *name, int fd)
{
	struct stat a;
	struct stat b;

	return fstat(fd, &a) == 0 &&
	       fstatat(p->dir_fd, name, &b, AT_SYMLINK_NOFOLLOW) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int make_and_lock(struct kft_parts *p, struct kft_err *e)
{
	for (int tries = 0; tries < 10; tries++) {
		/* The directory has its mode under any umask. */
		int made = kft_make_dir_at(p->dir_fd, p->parts_name, 0700);
		p->made = made == 0;
		if (made < 0 && made != -EEXIST && made != -ENOENT)
			return kft_err_sys(e, made, "cannot write '%s'", p->path);
		_cleanup_close_ int fd = -1;
		int r = open_own_dir(p, &fd, e);
		if (r == -ENOENT)
			continue;
		if (r < 0)
			return r;
		if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
			return busy(p, e);
		/*
		 * The previous holder of the lock may have removed the
		 * directory that was opened.
		 */
		if (has_name(p, p->parts_name, fd)) {
			p->fd = TAKE_FD(fd);
			return 0;
		}
	}
	return busy(p, e);
}

void kft_parts_cpu_name(const char *buffer, uint32_t cpu,
			char ret[static KFT_PARTS_NAME_MAX])
{
	(void)snprintf(ret, KFT_PARTS_NAME_MAX, "%s%s" KFT_PARTS_CPU_PREFIX "%u", buffer,
		       *buffer ? "." : "", cpu);
}

/*
 * Returns the number of bytes before the dot in "BUFFER.cpuN", 0 for "cpuN", and -1 for the
 * names of other files.
 */
static int buffer_bytes(const char *name)
{
	const size_t prefix = strlen(KFT_PARTS_CPU_PREFIX);
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");

	if (name[len] != '.')
		len = 0;
	const char *cpu = len ? name + len + 1 : name;
	bool is_cpu = len < KFT_PARTS_BUFFER_MAX &&
		      strncmp(cpu, KFT_PARTS_CPU_PREFIX, prefix) == 0 && cpu[prefix] &&
		      strspn(cpu + prefix, "0123456789") == strlen(cpu + prefix);
	return is_cpu ? (int)len : -1;
}

static bool is_cpu_name(const char *name)
{
	return buffer_bytes(name) >= 0;
}

/* Keeps the names in order, so that it is the same wherever the files lie. */
static void add_buffer(struct kft_parts_buffers *b, const char *name, size_t len)
{
	size_t i = 0;

	while (i < b->n && (strncmp(b->names[i], name, len) < 0))
		i++;
	if (b->n == KFT_PARTS_BUFFERS ||
	    (i < b->n && strncmp(b->names[i], name, len) == 0 && !b->names[i][len]))
		return;
	memmove(b->names[i + 1], b->names[i], (b->n - i) * sizeof(*b->names));
	memcpy(b->names[i], name, len);
	b->names[i][len] = '\0';
	b->n++;
}

void kft_parts_find_buffers(int parts_fd, struct kft_parts_buffers *ret)
{
	_cleanup_closedir_ DIR *d = kft_opendir_at(parts_fd, ".");
	const char *name;

	*ret = (struct kft_parts_buffers){.n = 1};
	while (d && (name = kft_dir_next(d)))
		if (buffer_bytes(name) > 0)
			add_buffer(ret, name, (size_t)buffer_bytes(name));
}

static bool is_our_name(const char *name)
{
	static const char *const names[] = {
		KFT_PARTS_LOST,	     KFT_PARTS_NAMES, KFT_PARTS_MODULES, KFT_PARTS_TASKS,
		KFT_PARTS_TASKS_NEW, KFT_PARTS_NEW,   KFT_PARTS_COPY};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return is_cpu_name(name);
}

bool kft_parts_have_data(const struct kft_parts *p)
{
	_cleanup_closedir_ DIR *d = kft_opendir_at(p->fd, ".");
	const char *name;
	struct stat st;

	while (d && (name = kft_dir_next(d)))
		if (is_cpu_name(name) &&
		    fstatat(p->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_size > 0)
			return true;
	return false;
}

static void empty(const struct kft_parts *p)
{
	_cleanup_closedir_ DIR *d = kft_opendir_at(p->fd, ".");
	const char *name;

	while (d && (name = kft_dir_next(d)))
		if (is_our_name(name))
			(void)unlinkat(p->fd, name, 0);
}

void kft_parts_remove_file(const struct kft_parts *p, int fd)
{
	if (has_name(p, p->name, fd))
		(void)unlinkat(p->dir_fd, p->name, 0);
}

void kft_parts_remove(struct kft_parts *p)
{
	if (p->fd < 0)
		return;
	empty(p);
	if (has_name(p, p->parts_name, p->fd))
		(void)unlinkat(p->dir_fd, p->parts_name, AT_REMOVEDIR);
	kft_closep(&p->fd);
	p->fd = -1;
}

static bool is_copy(const struct kft_parts *p)
{
	struct stat st;

	return fstatat(p->fd, KFT_PARTS_COPY, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static int keep_data(const struct kft_parts *p, enum kft_parts_state state,
		     struct kft_err *e)
{
	if (state == KFT_PARTS_FINISHED || !kft_parts_have_data(p) || is_copy(p))
		return 0;
	if (state == KFT_PARTS_LIVE) {
		(void)kft_err_set(e, -EEXIST, "'%s' holds a recording that was killed",
				  p->path);
		kft_err_hint(e,
			     "'kft recover %s' makes it a trace, or remove it and "
			     "'%s" KFT_PARTS_SUFFIX "'",
			     p->path, p->path);
		return -EEXIST;
	}
	(void)kft_err_set(e, -EEXIST,
			  "'%s" KFT_PARTS_SUFFIX
			  "' holds a recording that was killed, but "
			  "'%s' is gone",
			  p->path, p->path);
	kft_err_hint(e,
		     "put the file back for 'kft recover', or remove "
		     "'%s" KFT_PARTS_SUFFIX "'",
		     p->path);
	return -EEXIST;
}

int kft_parts_mark_copy(const struct kft_parts *p, struct kft_err *e)
{
	_cleanup_close_ int fd = kft_make_file_at(p->fd, KFT_PARTS_COPY,
						  O_WRONLY | O_EXCL);

	return fd < 0 ? kft_err_sys(e, fd, "cannot write '%s'", p->path) : 0;
}

int kft_parts_claim(struct kft_parts *p, struct kft_err *e)
{
	enum kft_parts_state state = KFT_PARTS_NONE;
	int r = look_at_file(p, &state, e);

	if (r < 0)
		return r;
	r = make_and_lock(p, e);
	if (r < 0)
		return r;
	r = keep_data(p, state, e);
	if (r < 0) {
		kft_closep(&p->fd);
		p->fd = -1;
		return r;
	}
	empty(p);
	p->made = true;
	return 0;
}

static int look_at_trace(const struct kft_parts *p, enum kft_parts_state *ret,
			 struct kft_err *e)
{
	int r = look_at_file(p, ret, e);

	if (r == 0 && *ret == KFT_PARTS_NONE)
		r = kft_err_set(e, -ENOENT, "no such trace: '%s'", p->path);
	return r;
}

int kft_parts_adopt(struct kft_parts *p, struct kft_err *e)
{
	enum kft_parts_state state = KFT_PARTS_NONE;
	int r = look_at_trace(p, &state, e);

	if (r == 0)
		r = make_and_lock(p, e);
	if (r < 0)
		return r;
	if (state == KFT_PARTS_FINISHED) {
		empty(p);
		p->made = true;
	}
	return 0;
}

int kft_parts_resume(struct kft_parts *p, struct kft_err *e)
{
	enum kft_parts_state state = KFT_PARTS_NONE;
	int r = look_at_trace(p, &state, e);

	if (r == 0 && state == KFT_PARTS_FINISHED)
		r = kft_err_set(e, -EALREADY, "'%s' is complete", p->path);
	return r == 0 ? make_and_lock(p, e) : r;
}
