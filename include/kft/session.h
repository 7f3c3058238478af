/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_H
#define KFT_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <kft/error.h>
#include <kft/host.h>
#include <kft/notify.h>
#include <kft/plan.h>

/*
 * One recording: what a plan asks for, from the kernel into a sink.
 *
 *	kft_session_create()	an own buffer in the kernel, nothing enabled
 *	kft_session_arm()	everything enabled, nothing recorded yet
 *	kft_session_start()	the kernel records, threads drain it into the sink
 *	kft_session_wait()	until told to stop, as often as wanted
 *	kft_session_stop()	what is left is drained, the sink is ended
 *	kft_session_close()	the kernel is as it was before, at any time
 *
 * Sessions do not see each other: each has its own events, filters, clock and buffers.
 * Should the process be killed, the kernel stops recording and frees the buffers at once;
 * what is left in tracefs is removed by the next session or by kft_reset().
 *
 * One thread uses a session. All functions return 0 or -errno with e filled in; after a
 * failure only kft_session_close() makes sense, except that kft_session_stop() follows a
 * failed kft_session_wait().
 */
struct kft_session;
struct kft_sink;

struct kft_session_opts {
	struct kft_notify notify; /* called from the session's thread only */
	const char *command_line; /* stored in the trace; NULL: none */
	/*
	 * Give up, for good and for the calling thread and those it creates from then on,
	 * every capability that is not needed any more once the session is armed, and the
	 * way to get new ones (no_new_privs). A program that has more to do than to record
	 * leaves this false.
	 */
	bool drop_privileges;
	/*
	 * A directory that the sink still makes files in after that, -1 for none: when its
	 * permissions demand it, the capability to override them is kept. Borrowed until
	 * kft_session_arm() returns.
	 */
	int sink_dirfd;
};

struct kft_progress {
	uint64_t events; /* recorded so far, whether drained already or not */
	uint64_t bytes; /* given to the sink */
	uint64_t lost; /* not recorded for want of room */
	uint64_t elapsed_ns; /* since the start; of the whole recording once stopped */
};

/*
 * The plan and the command line are borrowed until kft_session_arm() returns; host and
 * sink until the session is closed. The sink stays the caller's.
 *
 * -ENOENT for an event that this kernel does not have, -EBUSY when a session of that name
 * is recording, -EACCES or -EPERM with a hint when the caller may not trace.
 */
int kft_session_create(struct kft_host *host, const struct kft_plan *plan,
		       struct kft_sink *sink, const struct kft_session_opts *opts,
		       struct kft_session **ret, struct kft_err *e);

int kft_session_arm(struct kft_session *s, struct kft_err *e);
int kft_session_start(struct kft_session *s, struct kft_err *e);

/*
 * As poll(2) while the session records: how many of the fds are ready, 0 when timeout_ms
 * is over (-1: none), and -EINTR when a signal was handled. Any other negative result
 * says that the recording cannot go on (the disk is full, ...): kft_session_stop() has to
 * follow and tells why. n is at most KFT_SESSION_WAIT_MAX.
 */
struct pollfd;
#define KFT_SESSION_WAIT_MAX 15
int kft_session_wait(struct kft_session *s, struct pollfd *fds, size_t n, int timeout_ms,
		     struct kft_err *e);

/* When it fails the sink is not ended: what it wrote until then is what there is. */
int kft_session_stop(struct kft_session *s, struct kft_err *e);

/* At any time, also after the stop. */
void kft_session_progress(const struct kft_session *s, struct kft_progress *ret);

/*
 * Frees the session in any case. Fails when something could not be taken back, for
 * example because another program has a file of the session open.
 */
int kft_session_close(struct kft_session *s, struct kft_err *e);

#endif
