/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/session.h>

#include "model/sink.h"

/*
 * The life cycle of a recording, independent of the backends and of the sink. It implements an
 * attached session of the API (include/kft/session.h, which has the rules).
 *
 *	kft_capture_create()	makes a buffer in the kernel, enables nothing
 *	kft_capture_arm()	enables everything, records nothing yet
 *	kft_capture_start()	starts recording, and threads that drain into the sink
 *	kft_capture_wait()	waits for descriptors, a timeout or the end; any number of times
 *	kft_capture_stop()	stops, drains the remaining events, ends the sink
 *	kft_capture_close()	restores the kernel's state; allowed at any time
 */
struct kft_capture;

struct kft_capture_opts {
	struct kft_notify notify; /* called from the capture's thread only */
	const char *command_line; /* stored in the trace; NULL: none */
	/*
	 * Makes kft_capture_arm() drop, permanently, every capability that recording does not
	 * need after it, and set no_new_privs. This affects the calling thread and the threads
	 * it creates later. A program that does more than record should leave this false.
	 */
	bool drop_privileges;
	/*
	 * A directory in which the sink creates files after the drop; -1: none. If its
	 * permissions require it, CAP_DAC_OVERRIDE is kept. Borrowed until kft_capture_arm()
	 * returns.
	 */
	int sink_dirfd;
};

/*
 * The plan and the command line are borrowed until kft_capture_arm() returns; host and
 * sink until the capture is closed. The caller keeps ownership of the sink.
 *
 * -ENOENT for an event that this kernel does not have, -EBUSY when a session of the plan's
 * name is recording, -EACCES or -EPERM with a hint when the caller may not trace.
 */
int kft_capture_create(struct kft_host *host, const struct kft_plan *plan,
		       struct kft_sink *sink, const struct kft_capture_opts *opts,
		       struct kft_capture **ret, struct kft_err *e);

int kft_capture_arm(struct kft_capture *s, struct kft_err *e);
int kft_capture_start(struct kft_capture *s, struct kft_err *e);

/* The rules are those of kft_session_wait(). */
int kft_capture_wait(struct kft_capture *s, struct pollfd *fds, size_t n, int timeout_ms,
		     struct kft_err *e);

/* The rules are those of kft_session_pause() and kft_session_resume(). */
int kft_capture_pause(struct kft_capture *s, bool paused, struct kft_err *e);

/* On failure the sink is not ended, and keeps only the events written so far. */
int kft_capture_stop(struct kft_capture *s, struct kft_err *e);

/* May be called at any time until the close, also after the stop. */
void kft_capture_progress(const struct kft_capture *s, struct kft_progress *ret);

/* The rules are those of kft_session_close(). */
int kft_capture_close(struct kft_capture *s, struct kft_err *e);
