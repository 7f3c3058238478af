/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_SERVE_H
#define KFT_VIEW_SERVE_H

#include "view/page.h"

/*
 * Serves a trace's page on 127.0.0.1, to programs that know its address: a part of that is
 * a secret, made anew for each server. Pieces of detail are sent when the page asks for
 * them, so that a trace may be larger than a page can be. Other sites' pages get nothing
 * out of it, not by a name that they let point here either.
 */
struct kft_view_server;

struct kft_view_serve_opts {
	uint16_t port; /* 0: any that is free */
	/*
	 * Called after the trace and before the first request is read, in the thread that starts
	 * the server. The server's thread lacks privileges that this gives up. NULL: not called.
	 */
	int (*ready)(void *arg, const char *url, struct kft_err *e);
	void *arg;
};

/*
 * Reads the trace, then listens in a thread of its own. The trace
 * is used until the server is stopped. Errors as kft_view_write(); -ENOTSUP: this kft, or
 * this machine, has no HTTP library; -EADDRINUSE.
 */
int kft_view_server_start(struct kft_trace *t, const struct kft_view_opts *opts,
			  const struct kft_view_serve_opts *how,
			  struct kft_view_server **ret, struct kft_err *e) __must_check;

/* Owned by the server. */
const char *kft_view_server_url(const struct kft_view_server *s);

uint64_t kft_view_server_events(const struct kft_view_server *s);

/* Ends all connections. NULL is fine. */
void kft_view_server_stop(struct kft_view_server *s);

#endif
