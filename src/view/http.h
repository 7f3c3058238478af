/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/macro.h"

#include <microhttpd.h>

/*
 * The functions of libmicrohttpd that kft uses. The library is loaded only to serve a
 * page: it needs a dozen others, which would slow down every start of kft.
 */
struct kft_http {
	void *library; /* owned */
	__typeof__(MHD_start_daemon) *start_daemon;
	__typeof__(MHD_stop_daemon) *stop_daemon;
	__typeof__(MHD_get_connection_info) *get_connection_info;
	__typeof__(MHD_lookup_connection_value) *lookup_connection_value;
	__typeof__(MHD_create_response_from_buffer) *create_response_from_buffer;
	__typeof__(MHD_create_response_from_fd_at_offset64)
		*create_response_from_fd_at_offset64;
	__typeof__(MHD_add_response_header) *add_response_header;
	__typeof__(MHD_queue_response) *queue_response;
	__typeof__(MHD_destroy_response) *destroy_response;
};

/*
 * -ENOTSUP: the library is missing, or has another version than the
 * one kft was built with.
 */
int kft_http_load(struct kft_http *ret, struct kft_err *e) __must_check;
void kft_http_unload(struct kft_http *h);
