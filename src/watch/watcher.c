// SPDX-License-Identifier: LGPL-2.1-or-later
/* Starts and ends the process that watches for conditions of a session. */
#include "watch/watcher.h"

#include <errno.h>
#include <signal.h>
#include <sys/file.h>

#include "base/err.h"
#include "base/io.h"
#include "session/background.h"
#include "watch/live.h"
#include "watch/lock.h"

int kft_watcher_spawn(struct kft_host *host, const char *session,
		      const struct kft_watch_opts *opts, struct kft_err *e)
{
	const struct kft_watcher_start start = {session, opts};
	struct kft_err told;

	/*
	 * A watcher of an earlier session of this name may not have noticed its end yet.
	 */
	kft_watcher_end(host, session);
	int n = kft_background(kft_watcher_live, &start, &told, sizeof(told));
	if (n < 0)
		return kft_err_sys(e, n, "cannot start a watcher");
	if (n < (int)sizeof(told))
		return kft_err_set(e, -EIO, "the watcher died");
	if (told.code < 0 && e)
		*e = told;
	return told.code;
}

void kft_watcher_end(struct kft_host *host, const char *session)
{
	struct kft_rundir dir;
	_cleanup_close_ int fd = -1;

	if (kft_rundir_open(host, session, false, &dir, NULL) < 0)
		return;
	pid_t pid = kft_watch_lock_holder(&dir, &fd);
	/* The watcher may be waiting for the session's lock, which this process holds. */
	kft_rundir_close(&dir);
	if (pid && kill(pid, SIGTERM) == 0)
		(void)flock(fd, LOCK_EX);
}
