/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_H
#define KFT_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <kft/error.h>
#include <kft/host.h>
#include <kft/notify.h>
#include <kft/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One recording: what a plan asks for, from the kernel into a trace.dat file, or into the
 * program as it happens. docs/examples/record.c and watch.c are whole programs:
 *
 *	kft_session_open()	everything is enabled in the kernel, nothing recorded yet
 *	kft_session_start()	the kernel records
 *	kft_session_wait()	until told to stop, as often as wanted
 *	kft_session_pause()	nothing is recorded until kft_session_resume()
 *	kft_reader_next()	events, of a session without a file
 *	kft_session_stop()	what is left in the kernel is taken, the file is complete
 *	kft_session_close()	the kernel is as it was before, at any time
 *
 * Sessions do not see each other: each has its own events, filters, clock and buffers.
 * Should the process be killed, the kernel stops recording and frees the buffers at once;
 * what is left in tracefs is removed by the next session or by kft_reset(), and the file
 * holds what had left the kernel (`kft recover` makes an ordinary trace of it).
 *
 * One thread uses a session. All functions return 0 or -errno with e (may be NULL) filled
 * in; -EINVAL for a call that does not fit: NULL where something is needed, or a step in
 * the wrong order, which changes nothing. After another failure only kft_session_close()
 * makes sense, except that kft_session_stop() follows a failed kft_session_wait().
 *
 * After fork() a session belongs to the process that opened it. In the child all functions
 * give -EINVAL (or NULL) and change nothing, kft_session_close() too: the recording goes on, and
 * the memory of the copy is freed when the child ends or executes a program. A child that
 * does neither keeps the session's descriptors open, so that the session counts as alive when
 * its parent was killed. A child may open sessions of its own.
 */
struct kft_session;
struct kft_reader;
struct kft_trace;

struct kft_session_opts {
	/* sizeof(struct kft_session_opts): which members the program knows. */
	size_t size;
	/*
	 * The trace.dat to write, replaced when it exists; borrowed for the call. NULL: the
	 * events are for the program, see kft_session_reader().
	 */
	const char *output;
	const char *
		command_line; /* stored in the trace, borrowed for the call; NULL: none */
	struct kft_notify notify; /* called from the session's thread only */
	int file_version; /* of trace.dat: 6 or 7; 0: 7 */
	bool compress; /* with zstd, when the recording ends */
	/*
	 * Give up, for good and for the calling thread and those it creates from then on,
	 * every capability that is not needed any more once the session is open, and the
	 * way to get new ones (no_new_privs). A program that has more to do than to record
	 * leaves this false.
	 */
	bool drop_privileges;
	struct kft_host *host; /* borrowed until the close; NULL: the running kernel */
	/*
	 * Instead of output: a pipe, socket or file that the recording is written to while it
	 * goes on, for `kft report -` and its like; borrowed until the close. 0: none. When
	 * nobody reads it any more the recording fails with -EPIPE. The program ignores or
	 * blocks SIGPIPE.
	 */
	int stream_fd;
	/*
	 * Formats, symbols and names are compressed where the library can: not with this, for
	 * readers without zstd. Not together with compress.
	 */
	bool plain;
};

struct kft_progress {
	size_t size; /* of this struct, as the caller knows it; set before it is filled in */
	uint64_t events; /* recorded so far, whether drained already or not */
	uint64_t bytes; /* taken from the kernel */
	uint64_t lost; /* not recorded for want of room */
	/*
	 * Not recorded because of others: taken from the buffer by another program
	 * (UINT64_MAX: nobody knows how many), and for how long recording was switched
	 * off at most.
	 */
	uint64_t taken;
	uint64_t off_ns;
	uint64_t elapsed_ns; /* since the start; of the whole recording once stopped */
	bool waiting; /* the plan's start has not come: nothing is recorded yet */
	bool over; /* the plan's stop came: nothing more is recorded */
};

/*
 * The plan is borrowed for the call. -ENOENT for an event that this kernel does not have,
 * -EBUSY when a session of that name is recording, -EACCES or -EPERM with a hint when the
 * caller may not trace. *ret is not written then, and nothing is left in the kernel.
 */
int kft_session_open(const struct kft_plan *plan, const struct kft_session_opts *opts,
		     struct kft_session **ret, struct kft_err *e);

int kft_session_start(struct kft_session *s, struct kft_err *e);

/*
 * As poll(2) while the session records: how many of the fds are ready, 0 when timeout_ms
 * is over (-1: none) or the plan's stop came, which kft_session_progress() tells apart, and
 * -EINTR when a signal was handled. Any other negative result
 * but -EINVAL says that the recording cannot go on (the disk is full, ...):
 * kft_session_stop() has to follow and tells why. n is at most KFT_SESSION_WAIT_MAX.
 */
struct pollfd;
#define KFT_SESSION_WAIT_MAX 15
int kft_session_wait(struct kft_session *s, struct pollfd *fds, size_t n, int timeout_ms,
		     struct kft_err *e);

/*
 * Nothing is recorded from a pause to the resume; marks in the trace ("kft: pause user", "kft:
 * resume user") say so. Times go on: a session that is to stop at a time does so, paused or
 * not. Pausing twice changes nothing. -EINVAL for a session that has not started, has stopped,
 * or still waits for its start.
 *
 * Other processes of root can ask for both (kft pause, kft_pause()): kft_session_wait() carries
 * that out, and reports it to notify.
 */
int kft_session_pause(struct kft_session *s, struct kft_err *e);
int kft_session_resume(struct kft_session *s, struct kft_err *e);

/*
 * Of a session without a file. The reader gives its events in the order of time, as it
 * does those of a file, and kft_reader_text() and the functions for fields that <kft/trace.h>
 * has work on the trace. kft_reader_next() gives -EAGAIN while there is nothing new; after
 * kft_session_stop() it gives what was left in the kernel, then 0. Events that were lost are
 * told with the next event of their CPU (lost_before), of which the program learns within a
 * second when it calls kft_session_wait(). All borrowed until the close; NULL when the
 * session records to a file. The plan's clock has to be one that programs can read
 * (mono, mono_raw, boot, tai).
 */
struct kft_reader *kft_session_reader(const struct kft_session *s);
struct kft_trace *kft_session_trace(const struct kft_session *s);

/* For poll(2): readable when there may be events. -EINVAL: it records to a file. */
int kft_session_fd(const struct kft_session *s);

/* When it fails the file is not completed: what was written until then is what there is. */
int kft_session_stop(struct kft_session *s, struct kft_err *e);

/* At any time, also after the stop. -EINVAL without a session, a place to put it or its size. */
int kft_session_progress(const struct kft_session *s, struct kft_progress *ret);

/*
 * Frees the session in any case; NULL is fine. Fails when something could not be taken
 * back, for example because another program has a file of the session open.
 */
int kft_session_close(struct kft_session *s, struct kft_err *e);

#ifdef __cplusplus
}
#endif

#endif
