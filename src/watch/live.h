/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "watch/watcher.h"

struct kft_watcher_start {
	const char *session; /* borrowed, as opts */
	const struct kft_watch_opts *opts;
};

/*
 * The main function of a watcher process (session/background.h), started with a struct
 * kft_watcher_start. It answers with a struct kft_err when it is ready, or when it fails.
 */
void kft_watcher_live(const void *arg, int answer_fd);
