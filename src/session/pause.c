// SPDX-License-Identifier: LGPL-2.1-or-later
/* Pauses detached sessions for programs. */
#include <kft/pause.h>

#include <kft/snapshot.h>

#include "session/detached.h"

static int step(const char *session, bool resume, struct kft_err *e)
{
	struct kft_detached d;
	int r = kft_detached_open(session ? session : KFT_FLIGHT_NAME, NULL, &d, e);

	if (r < 0)
		return r;
	r = kft_detached_tend(&d, e);
	if (r == 0)
		r = resume ? kft_run_resume(&d.run, KFT_CAUSE_USER, e)
			   : kft_run_pause(&d.run, &d.plan, KFT_CAUSE_USER, e);
	kft_detached_close(&d);
	return r;
}

KFT_EXPORT int kft_pause(const char *session, struct kft_err *e)
{
	return step(session, false, e);
}

KFT_EXPORT int kft_resume(const char *session, struct kft_err *e)
{
	return step(session, true, e);
}
