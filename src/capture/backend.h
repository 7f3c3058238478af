/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/session.h>

#include "base/macro.h"
#include "model/sink.h"
#include "plan/source.h"

/* The highest priority, as a nice value, that a backend's threads try to take. */
#define KFT_BACKEND_NICE_MIN (-10)

/* The maximum number of backends in a session. A small build has tracefs only. */
#define KFT_BACKENDS_MAX (HAVE_PERF ? 4 : 1)

/* Whether a session has more than one backend, and so a shared sink. */
static inline bool kft_backends_share(size_t n)
{
	return KFT_BACKENDS_MAX > 1 && n > 1;
}

/*
 * A backend carries out plans with one mechanism of the kernel. Its functions form a life
 * cycle: the session's thread calls them in the order below, each at most once, except tick,
 * pause and progress. close may be called at any time after open. Functions return 0, or
 * -errno with e set. A session may have several backends, each with its own part of the plan
 * and its own buffer of the trace (capture/share.h, capture/shared_sink.h).
 *
 * close restores the state that the kernel had before open, whatever happened in between. After
 * a function has failed, only close may be called.
 */
struct kft_backend {
	const struct kft_backend_ops *ops;
};

struct kft_backend_opts {
	struct kft_host *host; /* borrowed while the backend lives */
	const struct kft_plan *plan; /* the backend's part; borrowed until arm returns */
	struct kft_sink *sink; /* borrowed while the backend lives */
	bool leads; /* the trace's metadata are this backend's, and the main buffer */
	const char *command_line; /* borrowed until arm returns; NULL: none */
	struct kft_notify notify;
};

struct kft_detached_ops;

struct kft_backend_ops {
	const char *name;
	/*
	 * The clocks that its records can have, the best first, ending with NULL. NULL: any
	 * clock of the kernel. All backends of a session use the same clock.
	 */
	const char *const *clocks;
	/* The backend can detect the start and stop triggers of a plan while it records. */
	bool finds_conditions;
	/* The life of a detached session (capture/detached.h). NULL: it needs a process. */
	const struct kft_detached_ops *detached;
	/*
	 * Returns 0 if the backend can carry out a source of the plan. Otherwise e has the
	 * reason, and an alternative as hint. Does not access the kernel.
	 */
	int (*accepts)(const struct kft_plan *plan, enum kft_source source,
		       struct kft_err *e);
	/* Checks that the plan's events exist and makes a buffer, but enables nothing. */
	int (*open)(const struct kft_backend_opts *opts, struct kft_backend **ret,
		    struct kft_err *e);
	/* Enables everything and begins the sink, but records nothing yet. */
	int (*arm)(struct kft_backend *b, struct kft_err *e);
	int (*start)(struct kft_backend *b, struct kft_err *e);
	/*
	 * Called about once a second while it records, and more often if the plan has a start
	 * or stop trigger. A failure is not reported, because a later call can retry.
	 */
	void (*tick)(struct kft_backend *b);
	/*
	 * Pauses or resumes recording, any number of times after start. -EINVAL while the
	 * backend waits for the plan's start trigger.
	 */
	int (*pause)(struct kft_backend *b, bool paused, struct kft_err *e);
	/* Stops recording, drains the remaining events, and ends the sink on success. */
	int (*stop)(struct kft_backend *b, struct kft_err *e);
	/* Frees b in any case. An error is only information for the user. */
	int (*close)(struct kft_backend *b, struct kft_err *e);

	/* May be called at any time. elapsed_ns is left to the session. */
	void (*progress)(const struct kft_backend *b, struct kft_progress *ret);

	/* These three return a borrowed descriptor, or -1; NULL: the backend never has one. */

	/* After arm: readable when recording has failed; stop returns the error. */
	int (*failed_fd)(const struct kft_backend *b);
	/* The directory in which close removes entries. */
	int (*work_dirfd)(const struct kft_backend *b);
	/* After arm: the session's directory below /run/kft. */
	int (*session_dirfd)(const struct kft_backend *b);
};

extern const struct kft_backend_ops kft_tracefs_backend;
extern const struct kft_backend_ops kft_perf_backend;

/* All backends, the best first, ending with NULL. */
extern const struct kft_backend_ops *const kft_backends[];
