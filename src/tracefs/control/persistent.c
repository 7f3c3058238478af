// SPDX-License-Identifier: LGPL-2.1-or-later
/* Detects and resets persistent instances. */
#include "tracefs/control/persistent.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>

#include "base/dir.h"
#include "base/io.h"
#include "tracefs/control/control_file.h"

bool kft_instance_is_kept(int instance_fd)
{
	return kft_find_at(instance_fd, "last_boot_info") == 0;
}

/* Opening the file with O_TRUNC empties its list or buffer. */
static int empty(int instance_fd, const char *file)
{
	int fd = openat(instance_fd, file, O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	(void)close(fd);
	return 0;
}

/* Removes all filters: "0" in a system's filter file removes those of all its events. */
static int take_filters_away(int instance_fd)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(instance_fd, "events");
	const char *name;

	if (!dir)
		return -errno;
	while ((name = kft_dir_next(dir))) {
		char path[NAME_MAX + 16];

		(void)snprintf(path, sizeof(path), "%s/filter", name);
		if (kft_find_at(dirfd(dir), path) == 0)
			(void)!kft_write_at(dirfd(dir), path, 0, "0", 1);
	}
	return 0;
}

int kft_instance_rest(int instance_fd)
{
	int r = kft_control_file_set(instance_fd, "tracing_on", "0");

	if (r == 0)
		r = kft_write_at(instance_fd, "events/enable", 0, "0", 1);
	if (r == 0)
		r = take_filters_away(instance_fd);
	if (r == 0)
		r = empty(instance_fd, "set_event_pid");
	return r == 0 ? empty(instance_fd, "trace") : r;
}
