/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_WATCH_SAYS_H
#define KFT_WATCH_SAYS_H

#include "watch/act.h"
#include "watch/tally.h"

/* Writes what a watcher says of itself into the session's directory, for kft_watcher_status(). */
void kft_watch_say(const struct kft_rundir *dir, const struct kft_watch_tally *t,
		   const struct kft_watch_done *done);

#endif
