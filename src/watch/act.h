/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_WATCH_ACT_H
#define KFT_WATCH_ACT_H

#include <limits.h>

#include "watch/watcher.h"

/* What actions of one watcher have done so far. */
struct kft_watch_done {
	const char *session; /* borrowed, as opts */
	const struct kft_watch_opts *opts;
	uint64_t files; /* snapshots that were written */
	uint64_t bytes; /* of them */
	char last_file[PATH_MAX]; /* "": none yet */
	char trouble[KFT_ERR_MSG_MAX]; /* the last thing that could not be done, or "" */
};

/* Carries out the actions of a condition that came. 1 when the session is complete then. */
int kft_watch_act(struct kft_watch_done *w, const struct kft_seen *seen) __must_check;

#endif
