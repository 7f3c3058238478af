/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "view/http.h"
#include "view/origin.h"
#include "view/pack.h"

/* The contents of a server: a page, and its chunks under the names c0, c1 and so on. */
struct kft_view_offer {
	struct kft_http http;
	struct kft_view_origin origin;
	struct kft_view_pack pack;
	struct kft_strbuf page;
};

/*
 * The handler that libmicrohttpd calls for each request, in its own
 * thread; it changes nothing.
 */
enum MHD_Result kft_view_answer(void *offer, struct MHD_Connection *connection,
				const char *path, const char *method, const char *version,
				const char *data, size_t *data_size, void **state);
