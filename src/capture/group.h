/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <poll.h>

#include "capture/shared_sink.h"

/*
 * The backends of a session, used like one. open, arm and start go through them in the order of
 * the shares (capture/share.h), stop and close in reverse. The rules are those of
 * capture/backend.h.
 */
struct kft_group {
	struct kft_shares shares; /* their plans are borrowed until armed */
	struct kft_backend *backends[KFT_BACKENDS_MAX]; /* owned; the last one leads */
	size_t n; /* number of open backends */
	struct kft_shared_sink sink; /* not used with a single backend */
	const struct kft_notify *notify; /* borrowed */
	bool waits; /* the lead waits for the start trigger; the others start after it */
	uint64_t waited_ns; /* CLOCK_MONOTONIC: last time that the lead was waiting */
	bool started[KFT_BACKENDS_MAX];
};

/* Opens all backends, or none. g must not be moved until it is closed. */
int kft_group_open(struct kft_group *g, const struct kft_backend_opts *opts,
		   struct kft_err *e) __must_check;
int kft_group_arm(struct kft_group *g, struct kft_err *e) __must_check;
int kft_group_start(struct kft_group *g, struct kft_err *e) __must_check;

/* -errno when a backend could not be started after the lead's start trigger. */
int kft_group_tick(struct kft_group *g, struct kft_err *e) __must_check;

/* Pauses or resumes all backends, or none. */
int kft_group_pause(struct kft_group *g, bool paused, struct kft_err *e) __must_check;

/* Stops all backends, even if some fail. Ends the trace only if all succeed. */
int kft_group_stop(struct kft_group *g, struct kft_err *e) __must_check;
int kft_group_close(struct kft_group *g, struct kft_err *e);

/* Adds up the counters of all backends; waiting and over are those of the lead. */
void kft_group_progress(const struct kft_group *g, struct kft_progress *ret);

/* Fills ret with the descriptors of failed_fd, borrowed. Returns their number. */
size_t kft_group_pollfds(const struct kft_group *g,
			 struct pollfd ret[static KFT_BACKENDS_MAX]);

/* Fills ret with the directories of work_dirfd, borrowed. Returns their number. */
size_t kft_group_work_dirfds(const struct kft_group *g, int ret[static KFT_BACKENDS_MAX]);

/* The session's directory below /run/kft, borrowed; -1: it has none. */
int kft_group_session_dirfd(const struct kft_group *g);
