// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes files that take their name only when they are complete. */
#include "base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/err.h"
#include "base/spool.h"

/* Attempts to find an unused name before the directory is considered hostile. */
#define ATTEMPTS 100

/* /dev/null, on any Linux (Documentation/admin-guide/devices.txt). */
#define NULL_MAJOR 1
#define NULL_MINOR 3

static bool is_null_device(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISCHR(st.st_mode) &&
	       st.st_rdev == makedev(NULL_MAJOR, NULL_MINOR);
}

/* With a slash at its end; empty: the working directory. */
static char *directory_of(const struct kft_new_file *f, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir = NULL;

	if (!f->is_dropped)
		return strndup(path, slash ? (size_t)(slash + 1 - path) : 0);
	return asprintf(&dir, "%s/", kft_spool_folder()) < 0 ? NULL : dir;
}

static int open_directory(const char *path, struct kft_new_file *f)
{
	const char *slash = strrchr(path, '/');

	f->is_dropped = is_null_device(path);
	f->dir = directory_of(f, path);
	f->name = strdup(slash ? slash + 1 : path);
	if (!f->dir || !f->name)
		return -ENOMEM;
	if (!f->name[0] || strcmp(f->name, ".") == 0 || strcmp(f->name, "..") == 0)
		return -EISDIR;
	f->dir_fd = open(*f->dir ? f->dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return f->dir_fd < 0 ? -errno : 0;
}

/*
 * Another process may create the path later: rename(2) then replaces that
 * file and does not follow it.
 */
static int check_place(const struct kft_new_file *f)
{
	struct stat st;

	if (f->is_dropped)
		return 0;
	if (fstatat(f->dir_fd, f->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -errno;
	return S_ISREG(st.st_mode) ? 0 : -EEXIST;
}

static int make_name(struct kft_new_file *f)
{
	uint64_t number;

	free(f->temporary);
	f->temporary = NULL;
	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return -EIO;
	return asprintf(&f->temporary, ".kft-%016llx", (unsigned long long)number) < 0
		       ? -ENOMEM
		       : 0;
}

/* Called after creating the temporary name failed: 0 when another name can be tried. */
static int drop_name(struct kft_new_file *f)
{
	int r = -errno;

	if (r == -EEXIST)
		return 0;
	free(f->temporary);
	f->temporary = NULL;
	return r;
}

static int open_named(struct kft_new_file *f)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		int r = make_name(f);

		if (r < 0)
			return r;
		f->fd = openat(f->dir_fd, f->temporary,
			       O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (f->fd >= 0)
			return 0;
		r = drop_name(f);
		if (r < 0)
			return r;
	}
	return -EEXIST;
}

static int open_file(struct kft_new_file *f, bool is_named)
{
	if (!is_named)
		f->fd = openat(f->dir_fd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	int r = f->fd < 0 ? open_named(f) : 0;

	return r < 0 ? r : fchmod(f->fd, 0600) < 0 ? -errno : 0;
}

static int open_new(const char *path, bool is_named, struct kft_new_file *ret,
		    struct kft_err *e)
{
	_cleanup_(kft_new_file_finish) struct kft_new_file f = KFT_NEW_FILE_NONE;
	int r = open_directory(path, &f);

	if (r == 0)
		r = check_place(&f);
	if (r == -EEXIST)
		return kft_err_set(e, r, "'%s' exists and is not a regular file", path);
	if (r == 0)
		r = open_file(&f, is_named);
	if (r < 0)
		return kft_err_sys(e, r, "cannot create '%s'", path);
	*ret = f;
	f = KFT_NEW_FILE_NONE;
	return 0;
}

int kft_new_file_open(const char *path, struct kft_new_file *ret, struct kft_err *e)
{
	return open_new(path, false, ret, e);
}

int kft_new_file_open_named(const char *path, struct kft_new_file *ret, struct kft_err *e)
{
	return open_new(path, true, ret, e);
}

char *kft_new_file_path(const struct kft_new_file *f)
{
	char *made = NULL;

	return asprintf(&made, "%s%s", f->dir, f->temporary) < 0 ? NULL : made;
}

/*
 * Links the file under a temporary name first: rename(2) can replace an
 * existing file, linkat(2) cannot.
 */
static int give_name(struct kft_new_file *f)
{
	char self[32];

	(void)snprintf(self, sizeof(self), "/proc/self/fd/%d", f->fd);
	for (int i = 0; i < ATTEMPTS; i++) {
		int r = make_name(f);

		if (r < 0)
			return r;
		if (linkat(AT_FDCWD, self, f->dir_fd, f->temporary, AT_SYMLINK_FOLLOW) ==
		    0)
			return 0;
		r = drop_name(f);
		if (r < 0)
			return r;
	}
	return -EEXIST;
}

int kft_new_file_commit(struct kft_new_file *f, struct kft_err *e)
{
	if (f->is_dropped)
		return 0;
	int r = fsync(f->fd) < 0 && errno != EINVAL ? -errno : 0;

	if (r == 0 && !f->temporary)
		r = give_name(f);
	if (r == 0 && renameat(f->dir_fd, f->temporary, f->dir_fd, f->name) < 0)
		r = -errno;
	if (r < 0)
		return kft_err_sys(e, r, "cannot write '%s'", f->name);
	free(f->temporary);
	f->temporary = NULL;
	return 0;
}

void kft_new_file_finish(struct kft_new_file *f)
{
	if (f->temporary)
		(void)unlinkat(f->dir_fd, f->temporary, 0);
	free(f->temporary);
	free(f->name);
	free(f->dir);
	if (f->fd >= 0)
		(void)close(f->fd);
	if (f->dir_fd >= 0)
		(void)close(f->dir_fd);
	*f = KFT_NEW_FILE_NONE;
}
