// SPDX-License-Identifier: LGPL-2.1-or-later
/* Answers the requests to a page's server. */
#include "view/answer.h"

#include <fcntl.h>
#include <string.h>

#include "base/io.h"
#include "base/units.h"

/* A request to the server. */
struct request {
	const struct kft_view_offer *offer;
	struct MHD_Connection *connection;
	const char *path;
	const char *method;
};

static const char *header(const struct request *r, const char *name)
{
	return r->offer->http.lookup_connection_value(r->connection, MHD_HEADER_KIND,
						      name);
}

static enum MHD_Result send_response(const struct request *r, unsigned int status,
				     const char *type, struct MHD_Response *response)
{
	static const char *const headers[][2] = {
		{"Cache-Control", "no-store"},
		{"X-Content-Type-Options", "nosniff"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Content-Security-Policy", "frame-ancestors 'none'"},
		{"Referrer-Policy", "no-referrer"},
	};
	const struct kft_http *http = &r->offer->http;

	if (!response)
		return MHD_NO;
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++)
		(void)http->add_response_header(response, headers[i][0], headers[i][1]);
	(void)http->add_response_header(response, "Content-Type", type);
	enum MHD_Result sent = http->queue_response(r->connection, status, response);
	http->destroy_response(response);
	return sent;
}

/* text must live as long as the server. */
static enum MHD_Result send_text(const struct request *r, unsigned int status,
				 const char *type, const char *text, size_t len)
{
	return send_response(
		r, status, type,
		r->offer->http.create_response_from_buffer(len, (void *)(uintptr_t)text,
							   MHD_RESPMEM_PERSISTENT));
}

static enum MHD_Result refuse(const struct request *r, unsigned int status,
			      const char *why)
{
	return send_text(r, status, "text/plain", why, strlen(why));
}

static enum MHD_Result send_chunk(const struct request *r, const char *number)
{
	const struct kft_view_chunks *chunks = &r->offer->pack.chunks;
	uint64_t i;

	if (kft_parse_u64(number, &i) < 0 || i >= chunks->list.len)
		return refuse(r, MHD_HTTP_NOT_FOUND, "no such part\n");
	const struct kft_view_chunk *chunk = &chunks->list.data[i];
	int fd = fcntl(chunks->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return MHD_NO;
	struct MHD_Response *response =
		r->offer->http.create_response_from_fd_at_offset64(chunk->bytes, fd,
								   chunk->offset);
	if (!response)
		kft_closep(&fd);
	return send_response(r, MHD_HTTP_OK, "application/octet-stream", response);
}

static enum MHD_Result serve(const struct request *r)
{
	const struct kft_view_offer *o = r->offer;

	if (strcmp(r->method, MHD_HTTP_METHOD_GET) != 0 &&
	    strcmp(r->method, MHD_HTTP_METHOD_HEAD) != 0)
		return refuse(r, MHD_HTTP_METHOD_NOT_ALLOWED, "nothing to change\n");
	const struct kft_view_asker asker = {
		.host = header(r, "Host"),
		.origin = header(r, "Origin"),
		.site = header(r, "Sec-Fetch-Site"),
		.dest = header(r, "Sec-Fetch-Dest"),
	};
	const char *file = kft_view_origin_file(&o->origin, r->path);

	if (!file || !kft_view_origin_allows(&o->origin, &asker))
		return refuse(r, MHD_HTTP_FORBIDDEN, "not for you\n");
	if (!*file)
		return send_text(r, MHD_HTTP_OK, "text/html; charset=utf-8", o->page.buf,
				 o->page.len);
	if (*file == 'c')
		return send_chunk(r, file + 1);
	return refuse(r, MHD_HTTP_NOT_FOUND, "no such file\n");
}

enum MHD_Result kft_view_answer(void *offer, struct MHD_Connection *connection,
				const char *path, const char *method, const char *version,
				const char *data, size_t *data_size, void **state)
{
	const struct request r = {offer, connection, path, method};

	return serve(&r);
}
