/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_BACKEND_H
#define KFT_CAPTURE_BACKEND_H

#include <kft/session.h>

#include "base/macro.h"
#include "model/sink.h"
#include "plan/source.h"

/* The highest priority that a thread of a backend takes, as a nice value, if it may. */
#define KFT_BACKEND_NICE_MIN (-10)

/* More than one session can have. */
#define KFT_BACKENDS_MAX 4

/*
 * A mechanism of the kernel that carries out plans, as a life cycle: every function is
 * called in this order, each at most once except tick, pause and progress, and close at any time
 * after open. The session's thread calls them all. 0 or -errno with e set. A session may have
 * several backends, each with its own part of the plan and its own buffer of the trace
 * (capture/share.h, capture/shared_sink.h).
 *
 * close leaves the kernel as it was before open, whatever happened in between; it is the
 * only function that may be called after one has failed.
 */
struct kft_backend {
	const struct kft_backend_ops *ops;
};

struct kft_backend_opts {
	struct kft_host *host; /* borrowed while the backend lives */
	const struct kft_plan *plan; /* its part; borrowed until arm returns */
	struct kft_sink *sink; /* borrowed while the backend lives */
	const char *command_line; /* borrowed until arm returns; NULL: none */
	struct kft_notify notify;
};

struct kft_backend_ops {
	const char *name;
	/*
	 * The clocks that its records can have, the best first, ending with NULL. NULL: it
	 * asks the kernel for any. All backends of a session have the same clock.
	 */
	const char *const *clocks;
	/* It finds the start and the stop of a plan while it records. */
	bool finds_conditions;
	/*
	 * 0 when it can carry out a source that the plan has. The error gives the reason, the
	 * hint an alternative. It does not look at the kernel.
	 */
	int (*accepts)(const struct kft_plan *plan, enum kft_source source,
		       struct kft_err *e);
	/* What is there to enable, and an own place to record to. Nothing is enabled. */
	int (*open)(const struct kft_backend_opts *opts, struct kft_backend **ret,
		    struct kft_err *e);
	/* Everything is enabled but nothing is recorded; the sink is begun. */
	int (*arm)(struct kft_backend *b, struct kft_err *e);
	int (*start)(struct kft_backend *b, struct kft_err *e);
	/*
	 * About once a second while it records, more often when the plan has a start or a
	 * stop; what fails here can be made up for later.
	 */
	void (*tick)(struct kft_backend *b);
	/*
	 * Records nothing for a time, or goes on; any number of times after start. -EINVAL
	 * while the plan's start has not come.
	 */
	int (*pause)(struct kft_backend *b, bool paused, struct kft_err *e);
	/* Records no more, drains what is left and ends the sink if that succeeded. */
	int (*stop)(struct kft_backend *b, struct kft_err *e);
	/* Unlike the others this fails only to tell the user: all is freed in any case. */
	int (*close)(struct kft_backend *b, struct kft_err *e);

	/* At any time; elapsed_ns is the session's. */
	void (*progress)(const struct kft_backend *b, struct kft_progress *ret);
	/* Once armed: readable when the recording cannot go on, stop tells why. Borrowed. */
	int (*failed_fd)(const struct kft_backend *b);
	/* Where close has to be allowed to remove what open made. Borrowed; -1: nowhere. */
	int (*work_dirfd)(const struct kft_backend *b);
	/* Once armed: the session's directory below /run/kft. Borrowed; -1: it has none. */
	int (*session_dirfd)(const struct kft_backend *b);
};

extern const struct kft_backend_ops kft_tracefs_backend;

/* All that there are, the best first, ending with NULL. */
extern const struct kft_backend_ops *const kft_backends[];

#endif
