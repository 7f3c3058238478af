/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "view/http.h"

/* A page needs six at a time and opens new ones by itself. */
#define KFT_VIEW_CONNECTIONS 256

/*
 * The connections of a server, from the oldest to the newest. Any local user can connect, and
 * a request that comes byte by byte is never silent long enough to be given up: the oldest
 * connection ends when there are more than KFT_VIEW_CONNECTIONS. Only the server's thread
 * uses it.
 */
struct kft_view_connections {
	const struct kft_http *http; /* borrowed */
	int fds[KFT_VIEW_CONNECTIONS + 1]; /* borrowed from the library */
	size_t n;
};

/* A callback: libmicrohttpd calls it for each connection that begins or ends. */
void kft_view_connection_changed(void *connections, struct MHD_Connection *connection,
				 void **context,
				 enum MHD_ConnectionNotificationCode what);
