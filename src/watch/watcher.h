/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "session/detached.h"
#include "watch/condition.h"

/*
 * A background process that watches for conditions of a detached session and
 * carries out their actions. It is a daemon (its parent is init) and has a small
 * session of its own for the events that it reads. It lives as long as the session;
 * if it is killed, the session goes on, and its state in the kernel is removed like
 * that of any killed recorder.
 */

/*
 * Returns when the watcher is ready, or with the reason of its failure. The session was
 * made by the caller, which has one thread.
 */
int kft_watcher_spawn(struct kft_host *host, const char *session,
		      const struct kft_watch_opts *opts, struct kft_err *e) __must_check;

/* Ends the session's watcher and waits for its end; does nothing when there is none. */
void kft_watcher_end(struct kft_host *host, const char *session);
