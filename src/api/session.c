// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The installed API of a recording: a capture, and the file or reader
 * that receives its events.
 */
#include <kft/session.h>

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <string.h>
#include <unistd.h>

#include "api/feed.h"
#include "api/long_calls.h"
#include "api/reader.h"
#include "api/sized.h"
#include "base/err.h"
#include "capture/capture.h"
#include "capture/notify.h"
#include "file/tracedat/live_sink.h"
#include "file/tracedat/stream/sink.h"

struct kft_session {
	pid_t owner_pid; /* process that opened it; a forked child must not use it */
	struct kft_host *own_host; /* owned; NULL: the caller's host is used */
	struct kft_sink *sink; /* owned; NULL: the feed's sink is used */
	struct kft_feed *feed; /* owned; NULL: the recording goes to a file */
	struct kft_reader *reader; /* owned; reads the feed */
	struct kft_capture *capture; /* owned */
	uint64_t max_ns; /* longer calls are dropped at the end; 0: no limit */
	char *output; /* owned: the file that is filtered by max_ns */
	struct kft_tracedat_opts file_opts;
	struct kft_notify notify;
};

static int check_opts(const struct kft_session_opts *o, struct kft_err *e)
{
	if (o->output && !*o->output)
		return kft_err_missing(e, "name of the file to record to");
	if (o->file_version && o->file_version != 6 && o->file_version != 7)
		return kft_err_set(e, -EINVAL, "trace.dat has no version %d: 6 or 7",
				   o->file_version);
	if (o->plain && o->compress)
		return kft_err_set(e, -EINVAL, "a trace cannot be plain and compressed");
	if (o->stream_fd && (o->output || o->file_version == 6 || o->stream_fd < 0))
		return kft_err_set(e, -EINVAL,
				   "a stream has no name and no version of trace.dat");
	return 0;
}

static int open_sink(struct kft_session *s, const struct kft_session_opts *o,
		     int *ret_dirfd, struct kft_err *e)
{
	s->file_opts = (struct kft_tracedat_opts){
		.file_version = o->file_version ? o->file_version : 7,
		.compress = kft_tracedat_choose_compress(o->compress, o->plain,
							 o->file_version),
	};
	_cleanup_free_ char *path = strdup(o->output);

	if (!path)
		return kft_err_memory(e);
	_cleanup_close_ int dirfd = open(dirname(path), O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0)
		return kft_err_sys(e, -errno, "cannot open the directory of '%s'",
				   o->output);
	int r = kft_tracedat_sink_create(o->output, &s->file_opts, &s->sink, e);
	if (r < 0)
		return r;
	*ret_dirfd = TAKE_FD(dirfd);
	return 0;
}

/* Opens the output for events as they happen: a stream, or the program's feed. */
static int open_flow(struct kft_session *s, const struct kft_plan *plan,
		     const struct kft_session_opts *o, struct kft_err *e)
{
	if (plan->overwrite)
		return kft_err_set(e, -EINVAL,
				   "a recording that keeps only the newest events until "
				   "the end cannot deliver them as they happen");
	if (o->stream_fd)
		return kft_tracedat_stream_create(o->stream_fd, &s->sink, e);
	int r = kft_feed_create(&s->feed);
	return r < 0 ? kft_err_sys(e, r, "cannot open a session") : 0;
}

/* Stores the upper limit of durations, which is applied when the file is complete. */
static int keep_max(struct kft_session *s, const struct kft_plan *plan,
		    const struct kft_session_opts *o, struct kft_err *e)
{
	s->max_ns = plan->functions.max_ns;
	if (!s->max_ns)
		return 0;
	if (!o->output)
		return kft_err_set(e, -EINVAL,
				   "longest durations are dropped from a file, not from "
				   "events as they happen");
	if (plan->functions.entered.len)
		return kft_err_set(e, -EINVAL,
				   "longest durations are not dropped beside entries of "
				   "functions");
	s->output = strdup(o->output);
	s->notify = o->notify;
	return s->output ? 0 : kft_err_memory(e);
}

static int open_capture(struct kft_session *s, const struct kft_plan *plan,
			const struct kft_session_opts *o, int dirfd, struct kft_err *e)
{
	const struct kft_capture_opts capture_opts = {
		.notify = o->notify,
		.command_line = o->command_line,
		.drop_privileges = o->drop_privileges,
		.sink_dirfd = dirfd,
	};
	int r = o->host ? 0 : kft_host_open(NULL, &s->own_host, e);

	if (r == 0)
		r = kft_capture_create(o->host ? o->host : s->own_host, plan,
				       s->feed ? kft_feed_sink(s->feed) : s->sink,
				       &capture_opts, &s->capture, e);
	if (r == 0)
		r = kft_capture_arm(s->capture, e);
	if (r < 0 || !s->feed)
		return r;
	r = kft_reader_of_feed(s->feed, &s->reader);
	return r < 0 ? kft_err_sys(e, r, "cannot open a session") : 0;
}

/*
 * A child of fork() has a copy of the session, but not its threads, and shares its state
 * in the kernel: closing the copy would end the recording of the parent.
 */
static bool is_own(const struct kft_session *s)
{
	return s && s->owner_pid == getpid();
}

static int check_own(const struct kft_session *s, struct kft_err *e)
{
	if (is_own(s))
		return 0;
	return s ? kft_err_set(e, -EINVAL, "the session belongs to process %d",
			       (int)s->owner_pid)
		 : kft_err_missing(e, "session");
}

KFT_EXPORT int kft_session_open(const struct kft_plan *plan,
				const struct kft_session_opts *opts,
				struct kft_session **ret, struct kft_err *e)
{
	struct kft_session_opts o;
	struct kft_plan p;
	_cleanup_close_ int dirfd = -1;

	if (!plan || !opts || !ret)
		return kft_err_missing(e, "plan, options or place for the session");
	int r = kft_sized_take(&o, opts, sizeof(o), "session's options", e);
	if (r == 0)
		r = kft_sized_take(&p, plan, sizeof(p), "plan", e);
	if (r == 0)
		r = check_opts(&o, e);
	if (r < 0)
		return r;
	struct kft_session *s = calloc(1, sizeof(*s));
	if (!s)
		return kft_err_sys(e, -ENOMEM, "cannot open a session");
	s->owner_pid = getpid();
	r = keep_max(s, &p, &o, e);
	if (r == 0)
		r = o.output ? open_sink(s, &o, &dirfd, e) : open_flow(s, &p, &o, e);
	if (r == 0)
		r = open_capture(s, &p, &o, dirfd, e);
	if (r < 0) {
		(void)!kft_session_close(s, NULL);
		return r;
	}
	*ret = s;
	return 0;
}

KFT_EXPORT int kft_session_start(struct kft_session *s, struct kft_err *e)
{
	int r = check_own(s, e);

	return r == 0 ? kft_capture_start(s->capture, e) : r;
}

KFT_EXPORT int kft_session_wait(struct kft_session *s, struct pollfd *fds, size_t n,
				int timeout_ms, struct kft_err *e)
{
	int r = check_own(s, e);

	if (r < 0)
		return r;
	if (n && !fds)
		return kft_err_missing(e, "descriptor");
	return kft_capture_wait(s->capture, fds, n, timeout_ms, e);
}

KFT_EXPORT int kft_session_pause(struct kft_session *s, struct kft_err *e)
{
	int r = check_own(s, e);

	return r == 0 ? kft_capture_pause(s->capture, true, e) : r;
}

KFT_EXPORT int kft_session_resume(struct kft_session *s, struct kft_err *e)
{
	int r = check_own(s, e);

	return r == 0 ? kft_capture_pause(s->capture, false, e) : r;
}

KFT_EXPORT int kft_session_fd(const struct kft_session *s)
{
	return is_own(s) && s->feed ? kft_feed_fd(s->feed) : -EINVAL;
}

KFT_EXPORT struct kft_reader *kft_session_reader(const struct kft_session *s)
{
	return is_own(s) ? s->reader : NULL;
}

KFT_EXPORT struct kft_trace *kft_session_trace(const struct kft_session *s)
{
	return is_own(s) && s->feed ? kft_feed_trace(s->feed) : NULL;
}

KFT_EXPORT int kft_session_stop(struct kft_session *s, struct kft_err *e)
{
	uint64_t dropped = 0;
	int r = check_own(s, e);

	if (r == 0)
		r = kft_capture_stop(s->capture, e);
	if (r < 0 || !s->max_ns)
		return r;
	r = kft_drop_long_calls(s->output, s->max_ns, &s->file_opts, &dropped, e);
	if (dropped)
		kft_notify(&s->notify,
			   "%llu calls were longer than the longest duration: dropped "
			   "from the trace, as the kernel has no such bound",
			   (unsigned long long)dropped);
	return r;
}

KFT_EXPORT int kft_session_progress(const struct kft_session *s, struct kft_progress *ret)
{
	struct kft_progress p;

	if (!is_own(s) || !ret)
		return -EINVAL;
	kft_capture_progress(s->capture, &p);
	return kft_sized_give(ret, &p, sizeof(p));
}

KFT_EXPORT int kft_session_close(struct kft_session *s, struct kft_err *e)
{
	if (!s)
		return 0;
	int r = check_own(s, e);
	if (r < 0)
		return r;
	kft_reader_free(s->reader);
	/*
	 * Closing is in reverse order: the sink stops using the capture's descriptors
	 * before the capture closes them.
	 */
	if (s->sink && s->sink->ops->release)
		(void)s->sink->ops->release(s->sink, NULL);
	r = kft_capture_close(s->capture, e);
	/* The capture's threads, which use the feed or the sink, have ended now. */
	s->feed = kft_feed_destroy(s->feed);
	if (s->sink)
		s->sink->ops->destroy(s->sink);
	s->own_host = kft_host_close(s->own_host);
	free(s->output);
	free(s);
	return r;
}
