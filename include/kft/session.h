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
 * Records a trace as described by a plan, from the kernel into a trace.dat file, or into
 * the program as it happens. docs/examples/record.c and watch.c are whole programs:
 *
 *	kft_session_open()	enables everything in the kernel; nothing is recorded yet
 *	kft_session_start()	starts recording
 *	kft_session_wait()	waits for file descriptors, a timeout or the plan's stop
 *	kft_session_pause()	suspends recording until kft_session_resume()
 *	kft_reader_next()	reads events, for a session without a file
 *	kft_session_stop()	drains the rest from the kernel and completes the file
 *	kft_session_close()	restores the kernel's state; may be called at any time
 *
 * Sessions are independent: each has its own events, filters, clock and buffers. If the
 * process is killed, the kernel stops recording and frees the buffers at once. The next
 * session or kft_reset() removes the remains in tracefs, and the file holds all data that
 * had left the kernel (`kft recover` turns it into an ordinary trace).
 *
 * One thread uses a session. All functions return 0 or -errno with e (may be NULL) filled
 * in; -EINVAL for an invalid call: NULL for a required argument, or a step in the wrong
 * order, which changes nothing. After any other failure only kft_session_close() makes
 * sense, except that kft_session_stop() follows a failed kft_session_wait().
 *
 * After fork() a session belongs to the process that opened it. In the child all
 * functions return -EINVAL (or NULL) and change nothing, also kft_session_close():
 * the recording continues, and the memory of the copy is freed when the child ends
 * or executes a program. A child that does neither keeps the session's descriptors
 * open, so that the session counts as alive when its parent was killed. A child
 * may open sessions of its own.
 */
struct kft_session;
struct kft_reader;
struct kft_trace;

struct kft_session_opts {
	/* sizeof(struct kft_session_opts): defines the members that the program knows. */
	size_t size;
	/*
	 * The trace.dat to write or replace; borrowed for the call. NULL: the program
	 * reads the events itself, see kft_session_reader().
	 */
	const char *output;
	/* Stored in the trace; borrowed for the call; may be NULL. */
	const char *command_line;
	struct kft_notify notify; /* called from the session's thread only */
	int file_version; /* version of trace.dat: 6 or 7; 0: 7 */
	bool compress; /* with zstd, at the end of the recording */
	/*
	 * Drop, permanently and for the calling thread and those it creates later, every
	 * capability that is not needed once the session is open, and set no_new_privs. A
	 * program that does more than record leaves this false.
	 */
	bool drop_privileges;
	struct kft_host *host; /* borrowed until the close; NULL: the running kernel */
	/*
	 * Alternative to output: a pipe, socket or file that the recording is written to
	 * while it runs, for `kft report -` and the like; borrowed until the close. 0:
	 * none. When its reader is gone, the recording fails with -EPIPE. The program
	 * ignores or blocks SIGPIPE.
	 */
	int stream_fd;
	/*
	 * Store formats, symbols and names without compression, for readers without zstd.
	 * Cannot be combined with compress.
	 */
	bool plain;
};

struct kft_progress {
	/* size of this struct in the caller's version; set before the call */
	size_t size;
	uint64_t events; /* recorded so far, drained or not */
	uint64_t bytes; /* bytes drained from the kernel */
	uint64_t lost; /* lost because the buffer was full */
	/*
	 * Not recorded because of other programs: events that they took from the buffer
	 * (UINT64_MAX: an unknown number), and an upper bound of the time for which they
	 * had switched recording off.
	 */
	uint64_t taken;
	uint64_t off_ns;
	/* time since the start; after the stop, that of the whole recording */
	uint64_t elapsed_ns;
	bool waiting; /* waiting for the plan's start: nothing is recorded yet */
	bool over; /* the plan's stop occurred: recording has ended */
};

/*
 * Opens a session. The plan is borrowed for the call. -ENOENT for an event that this
 * kernel lacks, -EBUSY when a session of that name is recording, -EACCES or -EPERM
 * with a hint when the caller may not trace. After an error *ret is not written, and
 * nothing is left in the kernel.
 */
int kft_session_open(const struct kft_plan *plan, const struct kft_session_opts *opts,
		     struct kft_session **ret, struct kft_err *e);

int kft_session_start(struct kft_session *s, struct kft_err *e);

/*
 * Works like poll(2) while the session records: returns the number of fds that are ready;
 * 0 at the timeout (-1: none) or at the plan's stop, which kft_session_progress()
 * distinguishes; and -EINTR after a signal. Any other negative result but -EINVAL means
 * that the recording cannot continue (for example, the disk is full): call
 * kft_session_stop(), which reports the reason. n is at most KFT_SESSION_WAIT_MAX.
 */
struct pollfd;
#define KFT_SESSION_WAIT_MAX 15
int kft_session_wait(struct kft_session *s, struct pollfd *fds, size_t n, int timeout_ms,
		     struct kft_err *e);

/*
 * Suspend and continue recording; marks in the trace show the gap ("kft: pause user",
 * "kft: resume user"). Times go on: a session with a time limit ends at that time, paused
 * or not. Pausing twice changes nothing. -EINVAL for a session that has not started, has
 * stopped, or still waits for its start.
 *
 * Other processes of root can request both (kft pause, kft_pause()): kft_session_wait()
 * carries that out, and reports it to notify.
 */
int kft_session_pause(struct kft_session *s, struct kft_err *e);
int kft_session_resume(struct kft_session *s, struct kft_err *e);

/*
 * For a session without a file. The reader returns its events in the order of time, as
 * for a file; kft_reader_text() and the functions for fields in <kft/trace.h> work
 * with the trace. kft_reader_next() returns -EAGAIN while there are no new events;
 * after kft_session_stop() it returns the rest from the kernel, then 0. Lost events
 * are reported with the next event of their CPU (lost_before), within a second if the
 * program calls kft_session_wait(). Both are borrowed until the close; NULL when the
 * session records to a file. The plan's clock must be one that programs can read
 * (mono, mono_raw, boot, tai).
 */
struct kft_reader *kft_session_reader(const struct kft_session *s);
struct kft_trace *kft_session_trace(const struct kft_session *s);

/*
 * A descriptor for poll(2), readable when there may be events. -EINVAL for a
 * session that records to a file.
 */
int kft_session_fd(const struct kft_session *s);

/*
 * Stops recording and completes the file. On failure the file stays incomplete,
 * with the data written so far.
 */
int kft_session_stop(struct kft_session *s, struct kft_err *e);

/*
 * May be called at any time, also after the stop. -EINVAL without a
 * session, a ret, or its size.
 */
int kft_session_progress(const struct kft_session *s, struct kft_progress *ret);

/*
 * Frees the session in any case; NULL is fine. Fails when some state of the kernel could
 * not be restored, for example because another program has a file of the session open.
 */
int kft_session_close(struct kft_session *s, struct kft_err *e);

#ifdef __cplusplus
}
#endif

#endif
