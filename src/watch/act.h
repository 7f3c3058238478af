/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <limits.h>

#include "capture/host.h"
#include "capture/notify.h"
#include "watch/match.h"

/* The results of a watcher's actions so far. */
struct kft_watch_done {
	const char *session; /* borrowed, as opts */
	const struct kft_watch_opts *opts;
	uint64_t files; /* number of snapshots written */
	uint64_t bytes; /* sum of the snapshots' sizes */
	char last_file[PATH_MAX]; /* "": none yet */
	char trouble[KFT_ERR_MSG_MAX]; /* the last error of an action, or "" */
};

/*
 * Carries out the actions of a condition that was met. 1 when the
 * session is complete after that.
 */
int kft_watch_act(struct kft_watch_done *w, const struct kft_seen *seen) __must_check;

/*
 * Looks up the event sets that actions switch on the host's kernel, before the session
 * starts: later changes of a set's file are ignored. Errors of kft_plan_add_sets(), and
 * of kft_switched_check() for a set that cannot be switched.
 */
int kft_watch_find_sets(struct kft_condition *c, struct kft_host *host,
			const struct kft_notify *notify, struct kft_err *e) __must_check;
