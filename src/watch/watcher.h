/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_WATCH_WATCHER_H
#define KFT_WATCH_WATCHER_H

#include "session/detached.h"
#include "watch/match.h"

/*
 * A process in the background that waits for conditions beside a detached session, and acts
 * when they come. It is nobody's child, and has a small session of its own for the events
 * that it looks at. It lives as long as the session; a killed one leaves the session as it
 * is, and what it had in the kernel is removed as that of any killed recorder.
 */
struct kft_watch_opts {
	struct kft_conditions conditions; /* borrowed */
	const char *dir; /* absolute: where snapshots go; borrowed */
	uint64_t at_most; /* times that each condition counts; 0: always */
	uint64_t rest_ns; /* after a condition came, it does not count for so long */
	uint64_t max_files; /* snapshots; 0: any number */
	uint64_t max_bytes; /* of all snapshots together; 0: any */
};

/*
 * Returns when the watcher waits for its conditions, or with the reason why it cannot. The
 * session was made by the caller, which has one thread.
 */
int kft_watcher_spawn(struct kft_host *host, const char *session,
		      const struct kft_watch_opts *opts, struct kft_err *e) __must_check;

/* Appends what the session's watcher says of itself: lines of text. */
void kft_watcher_status(const struct kft_rundir *dir, bool records,
			struct kft_strbuf *sb);

/* Ends the session's watcher and waits for its end; does nothing when there is none. */
void kft_watcher_end(struct kft_host *host, const char *session);

#endif
