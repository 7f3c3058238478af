/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "watch/act.h"

/*
 * Starts a shell command in the directory of the snapshots, as the user that
 * requested it and with no more rights than that user has; kft does not wait for
 * its end. The environment has the session's name in KFT_SESSION and the last
 * snapshot's file in KFT_SNAPSHOT.
 */
int kft_watch_execute(const struct kft_watch_done *w, const char *command,
		      struct kft_err *e) __must_check;
