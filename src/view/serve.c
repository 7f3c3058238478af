// SPDX-License-Identifier: LGPL-2.1-or-later
/* Serves a page on a loopback address. */
#include "view/serve.h"

#include <errno.h>

#include "base/err.h"

#if HAVE_SERVE

#include <netinet/in.h>
#include <sys/socket.h>

#include "base/io.h"
#include "view/answer.h"
#include "view/connections.h"

/*
 * The library accepts no connection beyond its limit. Those that are ended to make room still
 * count until it has closed them. A silent one ends sooner.
 */
#define CONNECTIONS	  (2U * KFT_VIEW_CONNECTIONS)
#define CONNECTION_WAIT_S 5U

struct kft_view_server {
	struct kft_view_offer offer;
	struct kft_view_connections connections;
	struct MHD_Daemon *daemon; /* owned */
	int listen_fd; /* owned, until the daemon takes it */
};

/* Drops the library's messages about clients that disconnect. */
static void say_nothing(void *arg, const char *format, va_list values)
{
}

/* Called before the trace is read, so that a port in use is reported at once. */
static int listen_at(struct kft_view_server *s, uint16_t port, struct kft_err *e)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(address);
	const int yes = 1;

	s->listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->listen_fd < 0 ||
	    setsockopt(s->listen_fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) < 0 ||
	    bind(s->listen_fd, (struct sockaddr *)&address, len) < 0 ||
	    listen(s->listen_fd, CONNECTIONS) < 0 ||
	    getsockname(s->listen_fd, (struct sockaddr *)&address, &len) < 0)
		return kft_err_sys(e, -errno,
				   "cannot listen at " KFT_VIEW_ADDRESS ", port %u",
				   port);
	return kft_view_origin_init(&s->offer.origin, ntohs(address.sin_port), e);
}

static int start(struct kft_view_server *s, struct kft_err *e)
{
	s->connections.http = &s->offer.http;
	s->daemon = s->offer.http.start_daemon(
		MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_ERROR_LOG, 0, NULL, NULL,
		kft_view_answer, &s->offer, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
		MHD_OPTION_LISTEN_SOCKET, s->listen_fd, MHD_OPTION_CONNECTION_LIMIT,
		CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, CONNECTION_WAIT_S,
		MHD_OPTION_NOTIFY_CONNECTION, kft_view_connection_changed,
		&s->connections, MHD_OPTION_END);
	if (!s->daemon)
		return kft_err_set(e, -EIO, "cannot serve the page");
	s->listen_fd = -1; /* now owned by the daemon */
	return 0;
}

int kft_view_server_start(struct kft_trace *t, const struct kft_view_opts *opts,
			  const struct kft_view_serve_opts *how,
			  struct kft_view_server **ret, struct kft_err *e)
{
	struct kft_view_server *s = calloc(1, sizeof(*s));

	*ret = NULL;
	if (!s)
		return kft_err_sys(e, -ENOMEM, "cannot serve the page");
	s->offer.pack.chunks.fd = -1;
	s->listen_fd = -1;
	int r = kft_http_load(&s->offer.http, e);
	if (r == 0)
		r = listen_at(s, how->port, e);
	if (r == 0)
		r = kft_view_collect(t, opts, &s->offer.pack, e);
	if (r == 0 && kft_view_frame(&s->offer.pack, opts->name, &s->offer.page) < 0)
		r = kft_err_sys(e, -ENOMEM, "cannot make the page");
	if (r == 0 && how->ready)
		r = how->ready(how->arg, s->offer.origin.url, e);
	if (r == 0)
		r = start(s, e);
	if (r == 0)
		*ret = s;
	else
		kft_view_server_stop(s);
	return r;
}

const char *kft_view_server_url(const struct kft_view_server *s)
{
	return s->offer.origin.url;
}

uint64_t kft_view_server_events(const struct kft_view_server *s)
{
	return s->offer.pack.events;
}

void kft_view_server_stop(struct kft_view_server *s)
{
	if (!s)
		return;
	if (s->daemon)
		s->offer.http.stop_daemon(s->daemon);
	kft_closep(&s->listen_fd);
	kft_http_unload(&s->offer.http);
	kft_view_pack_finish(&s->offer.pack);
	kft_strbuf_finish(&s->offer.page);
	free(s);
}

#else

int kft_view_server_start(struct kft_trace *t, const struct kft_view_opts *opts,
			  const struct kft_view_serve_opts *how,
			  struct kft_view_server **ret, struct kft_err *e)
{
	*ret = NULL;
	return kft_err_set(e, -ENOTSUP, "this kft was built without libmicrohttpd");
}

const char *kft_view_server_url(const struct kft_view_server *s)
{
	return "";
}

uint64_t kft_view_server_events(const struct kft_view_server *s)
{
	return 0;
}

void kft_view_server_stop(struct kft_view_server *s)
{
}

#endif
