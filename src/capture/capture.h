/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_CAPTURE_H
#define KFT_CAPTURE_CAPTURE_H

#include <kft/session.h>

#include "model/sink.h"

/*
 * The life of a recording, whatever mechanism carries it out and wherever its events go:
 * what stands behind a session of the API (include/kft/session.h, which has the rules).
 *
 *	kft_capture_create()	an own buffer in the kernel, nothing enabled
 *	kft_capture_arm()	everything enabled, nothing recorded yet
 *	kft_capture_start()	the kernel records, threads drain it into the sink
 *	kft_capture_wait()	until told to stop, as often as wanted
 *	kft_capture_stop()	what is left is drained, the sink is ended
 *	kft_capture_close()	the kernel is as it was before, at any time
 */
struct kft_capture;

struct kft_capture_opts {
	struct kft_notify notify; /* called from the capture's thread only */
	const char *command_line; /* stored in the trace; NULL: none */
	/*
	 * Give up, for good and for the calling thread and those it creates from then on,
	 * every capability that is not needed any more once the capture is armed, and the
	 * way to get new ones (no_new_privs). A program that has more to do than to record
	 * leaves this false.
	 */
	bool drop_privileges;
	/*
	 * A directory that the sink still makes files in after that, -1 for none: when its
	 * permissions demand it, the capability to override them is kept. Borrowed until
	 * kft_capture_arm() returns.
	 */
	int sink_dirfd;
};

/*
 * The plan and the command line are borrowed until kft_capture_arm() returns; host and
 * sink until the capture is closed. The sink stays the caller's.
 *
 * -ENOENT for an event that this kernel does not have, -EBUSY when a session of that name
 * is recording, -EACCES or -EPERM with a hint when the caller may not trace.
 */
int kft_capture_create(struct kft_host *host, const struct kft_plan *plan,
		       struct kft_sink *sink, const struct kft_capture_opts *opts,
		       struct kft_capture **ret, struct kft_err *e);

int kft_capture_arm(struct kft_capture *s, struct kft_err *e);
int kft_capture_start(struct kft_capture *s, struct kft_err *e);

/* As kft_session_wait(). */
int kft_capture_wait(struct kft_capture *s, struct pollfd *fds, size_t n, int timeout_ms,
		     struct kft_err *e);

/* As kft_session_pause() and kft_session_resume(). */
int kft_capture_pause(struct kft_capture *s, bool paused, struct kft_err *e);

/* When it fails the sink is not ended: what it wrote until then is what there is. */
int kft_capture_stop(struct kft_capture *s, struct kft_err *e);

/* At any time, also after the stop. */
void kft_capture_progress(const struct kft_capture *s, struct kft_progress *ret);

/* As kft_session_close(). */
int kft_capture_close(struct kft_capture *s, struct kft_err *e);

#endif
