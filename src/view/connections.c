// SPDX-License-Identifier: LGPL-2.1-or-later
/* Ends the oldest connections of a server that has too many. */
#include "view/connections.h"

#include <string.h>
#include <sys/socket.h>

static void forget(struct kft_view_connections *c, int fd)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->fds[i] != fd)
			continue;
		c->n--;
		memmove(&c->fds[i], &c->fds[i + 1], (c->n - i) * sizeof(*c->fds));
		return;
	}
}

/* The library sees the end of the input, closes the connection and says so. */
static void end_oldest(struct kft_view_connections *c)
{
	int fd = c->fds[0];

	forget(c, fd);
	(void)shutdown(fd, SHUT_RDWR);
}

void kft_view_connection_changed(void *connections, struct MHD_Connection *connection,
				 void **context, enum MHD_ConnectionNotificationCode what)
{
	struct kft_view_connections *c = connections;
	const union MHD_ConnectionInfo *info = c->http->get_connection_info(
		connection, MHD_CONNECTION_INFO_CONNECTION_FD);

	if (!info)
		return;
	/* The number of a closed connection can be that of a new one. */
	forget(c, info->connect_fd);
	if (what != MHD_CONNECTION_NOTIFY_STARTED)
		return;
	c->fds[c->n++] = info->connect_fd;
	if (c->n > KFT_VIEW_CONNECTIONS)
		end_oldest(c);
}
