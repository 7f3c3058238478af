// SPDX-License-Identifier: LGPL-2.1-or-later
/* Pauses and resumes sessions, detached ones and those of other processes. */
#include "session/pause.h"

#include <errno.h>
#include <stdio.h>

#include <kft/pause.h>
#include <kft/snapshot.h>

#include "session/detached.h"

static int control_detached(const char *session, enum kft_control request,
			    const struct kft_notify *notify, struct kft_err *e)
{
	struct kft_detached d;
	int r = kft_detached_open(session, notify, &d, e);

	if (r < 0)
		return r;
	r = kft_detached_refresh(&d, e);
	if (r == 0)
		r = request == KFT_CONTROL_RESUME
			    ? kft_detached_resume(&d, e)
			    : kft_run_pause(&d.run, &d.plan, KFT_CAUSE_USER, e);
	kft_detached_close(&d);
	return r;
}

/* -ENOENT without a message: no process that can be asked records a session of that name. */
static int control_attached(const char *session, enum kft_control request,
			    struct kft_err *e)
{
	struct kft_host *host;
	int r = kft_host_open(NULL, &host, e);

	if (r < 0)
		return r;
	_cleanup_close_ int dir_fd = kft_rundir_find_attached(host, session);
	r = dir_fd < 0 ? -ENOENT : kft_control_ask(dir_fd, request, e);
	host = kft_host_close(host);
	return r;
}

int kft_session_control(const char *session, enum kft_control request,
			const struct kft_notify *notify, struct kft_err *e)
{
	int r = control_attached(session, request, e);

	return r == -ENOENT ? control_detached(session, request, notify, e) : r;
}

struct foreground {
	struct kft_host *host;
	char *name; /* of the last one; KFT_RUNDIR_NAME_MAX bytes */
	int count;
};

static int count_alive(void *arg, const char *name)
{
	struct foreground *f = arg;
	const char *session = kft_rundir_attached(name);
	_cleanup_close_ int fd = session ? kft_rundir_find_attached(f->host, session)
					 : -1;

	if (fd >= 0) {
		f->count++;
		(void)snprintf(f->name, KFT_RUNDIR_NAME_MAX, "%s", session);
	}
	return 0;
}

int kft_session_in_foreground(char ret[static KFT_RUNDIR_NAME_MAX], struct kft_err *e)
{
	struct foreground f = {.name = ret};
	int r = kft_host_open(NULL, &f.host, e);

	if (r < 0)
		return r;
	r = kft_rundir_list(f.host, count_alive, &f, e);
	f.host = kft_host_close(f.host);
	return r < 0 ? r : f.count;
}

KFT_EXPORT int kft_pause(const char *session, struct kft_err *e)
{
	return kft_session_control(session ? session : KFT_FLIGHT_NAME, KFT_CONTROL_PAUSE,
				   NULL, e);
}

KFT_EXPORT int kft_resume(const char *session, struct kft_err *e)
{
	return kft_session_control(session ? session : KFT_FLIGHT_NAME,
				   KFT_CONTROL_RESUME, NULL, e);
}
