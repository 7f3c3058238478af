// SPDX-License-Identifier: LGPL-2.1-or-later
/* Saves what a flight recorder had when the kernel crashed. */
#include "session/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/command_line.h"
#include "base/dir.h"
#include "base/err.h"
#include "base/io.h"
#include "capture/tracefs/ctl.h"
#include "capture/tracefs/kept.h"
#include "capture/tracefs/mount.h"
#include "capture/tracefs/transfer.h"
#include "file/tracedat/live_sink.h"
#include "session/flight.h"

#define SAVED_MAX (sizeof(KFT_FLIGHT_DIR) + KFT_RUNDIR_NAME_MAX + 8)

static void saved_path(const char *name, char *ret, size_t size)
{
	(void)snprintf(ret, size, KFT_FLIGHT_DIR "/%s.crash", name);
}

static int begin(const struct kft_transfer_opts *o, struct kft_err *e)
{
	_cleanup_(kft_transfer_close) struct kft_transfer t = {};

	return kft_transfer_begin(&t, o, e);
}

/* A crash does not wait until the kernel gets around to write. */
static int sync_dir(void)
{
	_cleanup_close_ int fd = open(KFT_FLIGHT_DIR, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 || syncfs(fd) < 0 ? -errno : 0;
}

int kft_crash_prepare(const struct kft_detached *d, struct kft_err *e)
{
	const struct kft_tracedat_opts opts = {.keep_empty = true};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};
	struct kft_transfer_opts how = {
		.host = d->host,
		.instance_fd = d->run.place.fd,
		.notify = d->notify,
	};
	char path[SAVED_MAX + 8];

	(void)mkdir(KFT_FLIGHT_DIR, 0755);
	saved_path(d->run.dir.name, path, sizeof(path));
	int r = kft_tracedat_sink_create(path, &opts, &how.sink, e);
	if (r < 0)
		return r;
	kft_add_command_line(&line);
	how.command_line = kft_strbuf_cstr(&line);
	r = begin(&how, e);
	how.sink->ops->destroy(how.sink);
	if (r == 0 && (r = sync_dir()) < 0)
		kft_err_sys(e, r, "cannot write '%s'", path);
	return r;
}
