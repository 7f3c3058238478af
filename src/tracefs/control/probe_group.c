// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names and removes the probe events of a session. */
#include "tracefs/control/probe_group.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/io.h"
#include "base/map.h"

#define LIST_MAX_BYTES ((size_t)16 << 20)

void kft_probe_group_name(const char *instance, char ret[KFT_PROBE_GROUP_MAX])
{
	uint32_t hash = (uint32_t)kft_hash_bytes(instance, strlen(instance));

	(void)snprintf(ret, KFT_PROBE_GROUP_MAX, "kftp_%08" PRIx32, hash);
}

/*
 * Removes the event of a line, "p:GROUP/NAME ..." or "r512:GROUP/NAME ...", if it is of
 * the group.
 */
static int remove_line(int tracefs_fd, const char *file, const char *group,
		       const char *line)
{
	const char *colon = strchr(line, ':');
	size_t len = strlen(group);
	char command[256];

	if (!colon || strncmp(colon + 1, group, len) != 0 || colon[1 + len] != '/')
		return 0;
	int n = snprintf(command, sizeof(command), "-%.*s", (int)strcspn(colon, " \t"),
			 colon);
	if (n >= (int)sizeof(command))
		return -ENAMETOOLONG;
	int r = kft_write_at(tracefs_fd, file, O_APPEND, command, n);
	return r == -ENOENT ? 0 : r;
}

static int remove_from(int tracefs_fd, const char *file, const char *group)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf list = {};
	char *save = NULL;
	int first = 0;
	int r = kft_read_at(tracefs_fd, file, LIST_MAX_BYTES, &list);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	(void)kft_strbuf_cstr(&list);
	if (!kft_strbuf_ok(&list))
		return -ENOMEM;
	for (char *line = strtok_r(list.buf, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		r = remove_line(tracefs_fd, file, group, line);
		first = first ? first : r;
	}
	return first;
}

int kft_probe_group_remove(const struct kft_host *host, int instance_fd,
			   const char *instance)
{
	char group[KFT_PROBE_GROUP_MAX];
	char path[64];

	if (host->tracefs_fd < 0)
		return 0;
	kft_probe_group_name(instance, group);
	(void)snprintf(path, sizeof(path), "events/%s/enable", group);
	/* Disable the events first: one that is in use cannot be removed. */
	int r = kft_write_at(instance_fd, path, 0, "0", 1);
	if (r == -ENOENT)
		return 0;
	int kernel = remove_from(host->tracefs_fd, "kprobe_events", group);
	int user = remove_from(host->tracefs_fd, "uprobe_events", group);
	return kernel < 0 ? kernel : user;
}
