// SPDX-License-Identifier: LGPL-2.1-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "capture/probe/env.h"

/* The pid in a group's name, if its process is gone; else 0. */
static pid_t dead_owner(const char *group)
{
	size_t len = strlen(KFT_PROBE_GROUP_PREFIX);
	int pid;
	int end = 0;

	if (strncmp(group, KFT_PROBE_GROUP_PREFIX, len) ||
	    sscanf(group + len, "%d%n", &pid, &end) != 1 || group[len + end] || pid <= 0)
		return 0;
	return kill(pid, 0) < 0 && errno == ESRCH ? pid : 0;
}

static DIR *open_dir(int dirfd, const char *path)
{
	int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

/* Every event of a group, one by one: a file name is all that is needed. */
static void remove_group(int tracefs_fd, const char *group)
{
	char path[300];
	char text[560];

	snprintf(path, sizeof(path), "events/%s", group);
	DIR *dir = open_dir(tracefs_fd, path);

	if (!dir)
		return;
	for (struct dirent *d = readdir(dir); d; d = readdir(dir)) {
		/* Beside the events there are two files, "enable" and "filter". */
		if (*d->d_name == '.' || d->d_type == DT_REG)
			continue;
		snprintf(text, sizeof(text), "-:%s/%s", group, d->d_name);
		(void)!kft_probe_append(tracefs_fd, "dynamic_events", text);
	}
	closedir(dir);
}

void kft_probe_remove_stale(int tracefs_fd)
{
	DIR *dir = open_dir(tracefs_fd, "events");

	if (!dir)
		return;
	for (struct dirent *d = readdir(dir); d; d = readdir(dir))
		if (dead_owner(d->d_name))
			remove_group(tracefs_fd, d->d_name);
	closedir(dir);
}
