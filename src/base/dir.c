// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists directories. */
#include "base/dir.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

DIR *kft_opendir_at(int dirfd, const char *path)
{
	int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	DIR *dir = fdopendir(fd);
	if (!dir) {
		int error = errno;

		(void)close(fd);
		errno = error;
	}
	return dir;
}

const char *kft_dir_next(DIR *dir)
{
	for (const struct dirent *d = readdir(dir); d; d = readdir(dir))
		if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
			return d->d_name;
	return NULL;
}

void kft_closedirp(DIR **dir)
{
	if (*dir)
		(void)closedir(*dir);
}
