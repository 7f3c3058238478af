// SPDX-License-Identifier: LGPL-2.1-or-later
/* Removes the instances of dead owners. */
#include <kft/reset.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/dir.h"
#include "base/err.h"
#include "tracefs/control/instance.h"
#include "tracefs/control/orphans.h"

/* More instances than a machine can hold buffers for. */
#define ITEMS_MAX 65536

_Static_assert(KFT_INSTANCE_NAME_MAX <= KFT_RESET_NAME_MAX, "names fit a reset item");

static enum kft_reset_state state_of(int r)
{
	switch (r) {
	case 0:
		return KFT_RESET_REMOVED;
	case -EWOULDBLOCK:
		return KFT_RESET_ALIVE;
	case -EBUSY:
		return KFT_RESET_BUSY;
	default:
		return KFT_RESET_FAILED;
	}
}

static int reset_one(const struct kft_host *host, int instances_fd, const char *name)
{
	_cleanup_close_ int fd = -1;
	int r = kft_instance_adopt(instances_fd, name, &fd);

	if (r == 0)
		r = kft_instance_discard(host, instances_fd, fd, name);
	/* -ENOENT: another process has removed it meanwhile. */
	return r == -ENOENT ? 0 : r;
}

static int add(struct kft_reset_report *report, const char *name, int r)
{
	if (report->len >= ITEMS_MAX)
		return -E2BIG;
	struct kft_reset_item *items = reallocarray(report->items, report->len + 1,
						    sizeof(*items));
	if (!items)
		return -ENOMEM;
	struct kft_reset_item *item = &items[report->len];
	*item = (struct kft_reset_item){.state = state_of(r), .code = r};
	(void)snprintf(item->name, sizeof(item->name), "%s", name);
	report->items = items;
	report->len++;
	return 0;
}

static int add_orphan(void *arg, const char *session)
{
	char name[KFT_RESET_NAME_MAX];

	if (snprintf(name, sizeof(name), KFT_INSTANCE_PREFIX "%s", session) >=
	    (int)sizeof(name))
		return 0;
	return add(arg, name, 0);
}

static bool is_listed(const struct kft_reset_report *report, const char *name)
{
	for (size_t i = 0; i < report->len; i++)
		if (strcmp(report->items[i].name, name) == 0)
			return true;
	return false;
}

static bool is_ours(const char *name)
{
	return strncmp(name, KFT_INSTANCE_PREFIX, strlen(KFT_INSTANCE_PREFIX)) == 0 &&
	       strlen(name) < KFT_RESET_NAME_MAX;
}

/* Lists the names before any is removed: the listing of a directory that changes is undefined. */
static int list(int instances_fd, struct kft_reset_report *names)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(instances_fd, ".");
	const char *name;
	int r = 0;

	if (!dir)
		return -errno;
	while (r == 0 && (name = kft_dir_next(dir)))
		if (is_ours(name) && !is_listed(names, name))
			r = add(names, name, 0);
	return r;
}

KFT_EXPORT int kft_reset(struct kft_host *host, struct kft_reset_report *ret,
			 struct kft_err *e)
{
	struct kft_reset_report report = {};
	_cleanup_close_ int instances_fd = -1;

	if (!host || !ret)
		return kft_err_missing(e, host ? "place for the report" : "host");
	int r = kft_orphans_undo(host, add_orphan, &report, e);

	if (r == 0)
		r = kft_instances_lock(host, &instances_fd, e);
	if (r == 0) {
		r = list(instances_fd, &report);
		if (r < 0)
			kft_err_sys(e, r, "cannot list the instances of tracefs");
	}
	if (r < 0) {
		kft_reset_report_finish(&report);
		return r;
	}
	for (size_t i = 0; i < report.len; i++) {
		struct kft_reset_item *item = &report.items[i];

		item->code = reset_one(host, instances_fd, item->name);
		item->state = state_of(item->code);
	}
	*ret = report;
	return 0;
}

KFT_EXPORT void kft_reset_report_finish(struct kft_reset_report *report)
{
	if (!report)
		return;
	free(report->items);
	*report = (struct kft_reset_report){};
}
