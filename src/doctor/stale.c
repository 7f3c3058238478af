// SPDX-License-Identifier: LGPL-2.1-or-later
/* Removes the remains of killed doctors from tracefs. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "base/dir.h"
#include "base/scan.h"
#include "doctor/env.h"

/* The pid in a group's name if its process is gone, else 0. */
static pid_t dead_owner(const char *group)
{
	uint32_t pid;

	if (!kft_scan_text(&group, KFT_DOCTOR_GROUP_PREFIX) ||
	    !kft_scan_u32(&group, &pid) || *group || !pid || pid > INT32_MAX)
		return 0;
	return kill((pid_t)pid, 0) < 0 && errno == ESRCH ? (pid_t)pid : 0;
}

/* Deletes every event of a group; the names of the directories are enough for that. */
static void remove_group(int tracefs_fd, const char *group)
{
	char path[300];
	char text[560];

	snprintf(path, sizeof(path), "events/%s", group);
	_cleanup_closedir_ DIR *dir = kft_opendir_at(tracefs_fd, path);
	const struct dirent *d;

	while (dir && (d = readdir(dir))) {
		/* The group also contains the files "enable" and "filter". */
		if (*d->d_name == '.' || d->d_type == DT_REG)
			continue;
		snprintf(text, sizeof(text), "-:%s/%s", group, d->d_name);
		(void)!kft_doctor_append(tracefs_fd, "dynamic_events", text);
	}
}

void kft_doctor_remove_stale(int tracefs_fd)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(tracefs_fd, "events");
	const char *name;

	while (dir && (name = kft_dir_next(dir)))
		if (dead_owner(name))
			remove_group(tracefs_fd, name);
}
