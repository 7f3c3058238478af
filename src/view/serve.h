/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "view/page.h"

/*
 * Serves a trace's page on 127.0.0.1 to programs that know its address, which contains a
 * new secret for each server. Chunks are sent when the page requests them, so that a
 * trace may be larger than a page can be. Pages of other sites get no data, even through
 * a name that points to this machine.
 */
struct kft_view_server;

struct kft_view_serve_opts {
	uint16_t port; /* 0: any free port */
	/*
	 * Called after the trace was read and before the first request, in the thread
	 * that starts the server. Privileges that it drops are also dropped for the
	 * server's thread. NULL: not called.
	 */
	int (*ready)(void *arg, const char *url, struct kft_err *e);
	void *arg;
};

/*
 * Reads the trace, then listens in a separate thread. The trace is used until the
 * server stops. The errors of kft_view_write(); -ENOTSUP: this kft or this machine has
 * no HTTP library; -EADDRINUSE.
 */
int kft_view_server_start(struct kft_trace *t, const struct kft_view_opts *opts,
			  const struct kft_view_serve_opts *how,
			  struct kft_view_server **ret, struct kft_err *e) __must_check;

/* Owned by the server. */
const char *kft_view_server_url(const struct kft_view_server *s);

uint64_t kft_view_server_events(const struct kft_view_server *s);

/* Closes all connections. NULL is fine. */
void kft_view_server_stop(struct kft_view_server *s);
