/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_GROUP_H
#define KFT_CAPTURE_GROUP_H

#include <poll.h>

#include "capture/shared_sink.h"

/*
 * The backends of a session as one: each step is taken by all of them in the order of their
 * life, and back in reverse (capture/share.h). The rules are those of capture/backend.h.
 */
struct kft_group {
	struct kft_shares shares; /* their plans are borrowed until armed */
	struct kft_backend *backends[KFT_BACKENDS_MAX]; /* owned; the last one leads */
	size_t n; /* opened so far */
	struct kft_shared_sink sink; /* unused by a single backend */
	const struct kft_notify *notify; /* borrowed */
	bool waits; /* the others start when the lead has found the start */
	uint64_t waited_ns; /* on CLOCK_MONOTONIC: it had not found it then */
	bool started[KFT_BACKENDS_MAX];
};

/* Opens all, or none. g stays where it is until it is closed. */
int kft_group_open(struct kft_group *g, const struct kft_backend_opts *opts,
		   struct kft_err *e) __must_check;
int kft_group_arm(struct kft_group *g, struct kft_err *e) __must_check;
int kft_group_start(struct kft_group *g, struct kft_err *e) __must_check;

/* -errno when a backend could not start after the lead. */
int kft_group_tick(struct kft_group *g, struct kft_err *e) __must_check;

/* Pauses or resumes all, or none. */
int kft_group_pause(struct kft_group *g, bool paused, struct kft_err *e) __must_check;

/* Stops all, whichever fails; the trace is ended when none did. */
int kft_group_stop(struct kft_group *g, struct kft_err *e) __must_check;
int kft_group_close(struct kft_group *g, struct kft_err *e);

/* The sums of all backends; waiting and over are the lead's. */
void kft_group_progress(const struct kft_group *g, struct kft_progress *ret);

/* Fills in the descriptors of failed_fd; returns their number. */
size_t kft_group_pollfds(const struct kft_group *g,
			 struct pollfd ret[static KFT_BACKENDS_MAX]);

/* Fills in the directories of work_dirfd; returns their number. */
size_t kft_group_work_dirfds(const struct kft_group *g, int ret[static KFT_BACKENDS_MAX]);

/* The session's directory below /run/kft, -1: it has none. */
int kft_group_session_dirfd(const struct kft_group *g);

#endif
