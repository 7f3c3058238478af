// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes, locks and removes a session's directory below /run/kft. */
#include "capture/rundir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/dir.h"
#include "base/err.h"
#include "base/io.h"
#include "base/vec.h"

#define FILE_MAX_BYTES	(64u << 20)
#define ATTACHED_PREFIX "record+"

bool kft_run_name_is_valid(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_.-";
	size_t len = strlen(name);

	return len && len < KFT_RUN_NAME_MAX && name[0] != '.' && name[0] != '-' &&
	       strspn(name, allowed) == len;
}

static int open_dir(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/*
 * Checks that no other user can write to a directory: kft changes the kernel according to the
 * files in it.
 */
static int check_owner(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	return (st.st_uid == geteuid() || st.st_uid == 0) && !(st.st_mode & 022) ? 0
										 : -EPERM;
}

/* Opens a directory and checks its owner and mode. Takes no lock. */
static int open_own_dir(int dirfd, const char *name)
{
	_cleanup_close_ int fd = open_dir(dirfd, name);
	int r = fd < 0 ? fd : check_owner(fd);

	return r < 0 ? r : TAKE_FD(fd);
}

/* Adds a hint to an error: -EPERM comes from check_owner(), all others from the system. */
static int refuse(const struct kft_host *host, int code, const char *what,
		  const char *name, struct kft_err *e)
{
	kft_err_sys(e, code, "cannot %s%s", what, name);
	if (code == -EPERM)
		kft_err_hint(e, "it has to be root's or yours, and of mode 700");
	else
		kft_host_hint(host, code, e);
	return code;
}

/* Makes /run/kft, and /run if a small system does not have it. */
static int make_base(int root_fd)
{
	int r = kft_make_dir_at(root_fd, "run", 0755);

	if (r == 0 || r == -EEXIST)
		r = kft_make_dir_at(root_fd, "run/kft", 0700);
	return r == -EEXIST ? 0 : r;
}

static int open_base(struct kft_host *host, bool create, int *ret_fd, struct kft_err *e)
{
	int made = create ? make_base(host->root_fd) : 0;

	if (made < 0) {
		kft_err_sys(e, made, "cannot make /run/kft");
		kft_host_hint(host, made, e);
		return made;
	}
	int fd = open_own_dir(host->root_fd, "run/kft");
	if (fd < 0)
		return fd == -ENOENT ? fd : refuse(host, fd, "use /run/kft", "", e);
	*ret_fd = fd;
	return 0;
}

static int lock(int fd)
{
	while (flock(fd, LOCK_EX) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

/*
 * Opens and locks a directory. Another process may remove it while this one waits for the lock,
 * so it is opened again until the locked directory is the one with the name.
 */
static int open_locked(int base_fd, const char *name, int *ret_fd)
{
	for (;;) {
		_cleanup_close_ int fd = open_own_dir(base_fd, name);
		struct stat mine;
		struct stat named;

		if (fd < 0)
			return fd;
		int r = lock(fd);
		if (r < 0)
			return r;
		if (fstat(fd, &mine) < 0)
			return -errno;
		if (fstatat(base_fd, name, &named, AT_SYMLINK_NOFOLLOW) < 0)
			return -errno;
		if (mine.st_ino == named.st_ino && mine.st_dev == named.st_dev) {
			*ret_fd = TAKE_FD(fd);
			return 0;
		}
	}
}

static void give(struct kft_rundir *ret, int base_fd, int fd, const char *name)
{
	*ret = (struct kft_rundir){.base_fd = base_fd, .fd = fd};
	(void)snprintf(ret->name, sizeof(ret->name), "%s", name);
}

/* Opens the directory of an attached session if its process lives and so holds the lock. */
static int open_alive(int base_fd, const char *name)
{
	_cleanup_close_ int fd = open_own_dir(base_fd, name);

	if (fd < 0)
		return fd;
	return flock(fd, LOCK_SH | LOCK_NB) < 0 ? TAKE_FD(fd) : -ENOENT;
}

static int open_attached(int base_fd, const char *session)
{
	char name[KFT_RUNDIR_NAME_MAX];

	(void)snprintf(name, sizeof(name), ATTACHED_PREFIX "%s", session);
	return open_alive(base_fd, name);
}

int kft_rundir_find_attached(struct kft_host *host, const char *session)
{
	_cleanup_close_ int base_fd = -1;
	int r = open_base(host, false, &base_fd, NULL);

	return r < 0 ? r : open_attached(base_fd, session);
}

static int refuse_missing(int base_fd, const char *name, struct kft_err *e)
{
	_cleanup_close_ int attached_fd = base_fd < 0 ? -1 : open_attached(base_fd, name);

	if (attached_fd >= 0) {
		(void)kft_err_set(
			e, -ENOENT,
			"session '%s' is recorded by a process in the foreground", name);
		kft_err_hint(e, "'kft pause' and 'kft resume' reach it; only its process "
				"can do the rest");
		return -ENOENT;
	}
	(void)kft_err_set(e, -ENOENT, "no run is loaded in session '%s'", name);
	kft_err_hint(e, "'kft load' loads a configuration");
	return -ENOENT;
}

int kft_rundir_open(struct kft_host *host, const char *name, bool create,
		    struct kft_rundir *ret, struct kft_err *e)
{
	_cleanup_close_ int base_fd = -1;
	int fd = -1;

	if (!kft_run_name_is_valid(name)) {
		(void)kft_err_set(e, -EINVAL, "'%s' cannot be the name of a session",
				  name);
		kft_err_hint(e, "use letters, digits, '_', '.' and '-', at most %d",
			     KFT_RUN_NAME_MAX - 1);
		return -EINVAL;
	}
	int r = open_base(host, create, &base_fd, e);
	if (r < 0 && r != -ENOENT)
		return r;
	int made = r == 0 && create ? kft_make_dir_at(base_fd, name, 0700) : 0;
	if (made < 0 && made != -EEXIST)
		return kft_err_sys(e, made, "cannot make /run/kft/%s", name);
	if (r == 0)
		r = open_locked(base_fd, name, &fd);
	if (r == -ENOENT)
		return refuse_missing(base_fd, name, e);
	if (r < 0)
		return refuse(host, r, "open /run/kft/", name, e);
	give(ret, TAKE_FD(base_fd), fd, name);
	return 0;
}

const char *kft_rundir_attached(const char *name)
{
	size_t len = strlen(ATTACHED_PREFIX);

	return strncmp(name, ATTACHED_PREFIX, len) == 0 ? name + len : NULL;
}

static int adopt(int base_fd, const char *name, int *ret_fd)
{
	_cleanup_close_ int fd = open_own_dir(base_fd, name);

	if (fd < 0)
		return fd;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return -errno;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int kft_rundir_adopt(struct kft_host *host, const char *name, struct kft_rundir *ret)
{
	_cleanup_close_ int base_fd = -1;
	int fd = -1;
	int r = open_base(host, false, &base_fd, NULL);

	/* kft_rundir_open_attached() holds this lock until it has locked the directory. */
	if (r == 0)
		r = lock(base_fd);
	if (r == 0)
		r = adopt(base_fd, name, &fd);
	if (r < 0)
		return r;
	(void)flock(base_fd, LOCK_UN);
	give(ret, TAKE_FD(base_fd), fd, name);
	return 0;
}

int kft_rundir_open_attached(struct kft_host *host, const char *session,
			     struct kft_rundir *ret, struct kft_err *e)
{
	_cleanup_close_ int base_fd = -1;
	char name[KFT_RUNDIR_NAME_MAX];
	int fd = -1;

	(void)snprintf(name, sizeof(name), ATTACHED_PREFIX "%s", session);
	int r = open_base(host, true, &base_fd, e);
	if (r < 0)
		return r;
	r = lock(base_fd);
	if (r == 0)
		r = kft_make_dir_at(base_fd, name, 0700);
	if (r == 0 || r == -EEXIST)
		r = adopt(base_fd, name, &fd);
	if (r == -EWOULDBLOCK)
		return kft_err_set(e, -EBUSY, "session '%s' is already recording",
				   session);
	if (r < 0)
		return refuse(host, r, "make /run/kft/", name, e);
	(void)flock(base_fd, LOCK_UN);
	give(ret, TAKE_FD(base_fd), fd, name);
	return 0;
}

int kft_rundir_remember(const struct kft_rundir *d)
{
	return open_dir(d->fd, ".");
}

bool kft_rundir_is(const struct kft_rundir *d, int remembered_fd)
{
	struct stat mine;
	struct stat there;

	return fstat(remembered_fd, &mine) == 0 && fstat(d->fd, &there) == 0 &&
	       mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

void kft_rundir_close(struct kft_rundir *d)
{
	kft_closep(&d->fd);
	kft_closep(&d->base_fd);
	d->fd = -1;
	d->base_fd = -1;
}

/* Names are read before entries are removed: readdir() of a changing directory is unreliable. */
struct names {
	KFT_VEC(char *) list;
};

static void names_finish(struct names *n)
{
	kft_vec_for_each(&n->list, it)
		free(*it);
	kft_vec_finish(&n->list);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_names(int dir_fd, struct names *ret)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(dir_fd, ".");
	const char *name;
	int r = 0;

	if (!dir)
		return -errno;
	while (r == 0 && (name = kft_dir_next(dir))) {
		char *copy = strdup(name);
		if (!copy || !kft_vec_push(&ret->list, copy)) {
			free(copy);
			r = -ENOMEM;
		}
	}
	if (ret->list.len)
		qsort(ret->list.data, ret->list.len, sizeof(char *), by_name);
	return r;
}

/* The recursion is not deep: kft makes only directories of parts, with files in them. */
static int remove_tree(int dir_fd, const char *name)
{
	_cleanup_(names_finish) struct names names = {};

	if (unlinkat(dir_fd, name, 0) == 0 || errno == ENOENT)
		return 0;
	_cleanup_close_ int fd = open_dir(dir_fd, name);
	int r = fd < 0 ? fd : list_names(fd, &names);

	for (size_t i = 0; r == 0 && i < names.list.len; i++)
		r = remove_tree(fd, names.list.data[i]);
	if (r == 0 && unlinkat(dir_fd, name, AT_REMOVEDIR) < 0)
		r = -errno;
	return r;
}

int kft_rundir_remove(struct kft_rundir *d, struct kft_err *e)
{
	int r = remove_tree(d->base_fd, d->name);

	return r < 0 ? kft_err_sys(e, r, "cannot remove /run/kft/%s", d->name) : 0;
}

int kft_rundir_remove_file(const struct kft_rundir *d, const char *file,
			   struct kft_err *e)
{
	int r = remove_tree(d->fd, file);

	return r < 0 ? kft_err_sys(e, r, "cannot remove /run/kft/%s/%s", d->name, file)
		     : 0;
}

int kft_rundir_lock_all(const struct kft_rundir *d, struct kft_err *e)
{
	int r = lock(d->base_fd);

	return r < 0 ? kft_err_sys(e, r, "cannot lock /run/kft") : 0;
}

void kft_rundir_unlock_all(const struct kft_rundir *d)
{
	(void)flock(d->base_fd, LOCK_UN);
}

int kft_rundir_write(const struct kft_rundir *d, const char *file, const char *text,
		     size_t len, struct kft_err *e)
{
	char new_name[64];

	(void)snprintf(new_name, sizeof(new_name), "%s.new", file);
	_cleanup_close_ int fd = kft_make_file_at(d->fd, new_name, O_WRONLY | O_TRUNC);
	int r = fd < 0 ? fd : kft_write_all(fd, text, len);

	if (r == 0 && renameat(d->fd, new_name, d->fd, file) < 0)
		r = -errno;
	return r < 0 ? kft_err_sys(e, r, "cannot write /run/kft/%s/%s", d->name, file)
		     : 0;
}

int kft_rundir_read(const struct kft_rundir *d, const char *file, struct kft_strbuf *sb,
		    struct kft_err *e)
{
	int r = kft_read_regular_at(d->fd, file, FILE_MAX_BYTES, sb);

	return r < 0 && r != -ENOENT
		       ? kft_err_sys(e, r, "cannot read /run/kft/%s/%s", d->name, file)
		       : r;
}

/* True for a session's directory; false for files, links, FIFOs and other users' directories. */
static bool is_own_dir(int base_fd, const char *name)
{
	_cleanup_close_ int fd = open_own_dir(base_fd, name);

	return fd >= 0;
}

static int list(struct kft_host *host, bool own, int (*each)(void *arg, const char *name),
		void *arg, struct kft_err *e)
{
	_cleanup_(names_finish) struct names names = {};
	_cleanup_close_ int base_fd = -1;
	int r = open_base(host, false, &base_fd, e);

	if (r == -ENOENT)
		return 0;
	if (r == 0)
		r = list_names(base_fd, &names);
	for (size_t i = 0; r == 0 && i < names.list.len; i++)
		if (is_own_dir(base_fd, names.list.data[i]) == own)
			r = each(arg, names.list.data[i]);
	return r;
}

int kft_rundir_list(struct kft_host *host, int (*each)(void *arg, const char *name),
		    void *arg, struct kft_err *e)
{
	return list(host, true, each, arg, e);
}

int kft_rundir_list_foreign(struct kft_host *host,
			    int (*each)(void *arg, const char *name), void *arg,
			    struct kft_err *e)
{
	return list(host, false, each, arg, e);
}
