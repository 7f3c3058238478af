/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include <stdint.h>

#include "base/macro.h"

/*
 * The address of a page's server, and the check of requests. Every user of the machine
 * and every site in a browser can connect to a loopback port. Therefore the address
 * contains a secret, and requests from pages of other sites are recognised by their
 * headers (RFC 6454, Fetch Metadata).
 */
#define KFT_VIEW_ADDRESS     "127.0.0.1"
#define KFT_VIEW_TOKEN_BYTES 16

struct kft_view_origin {
	char host[32]; /* with the port, as in the Host header */
	char alias[32]; /* the same with "localhost" */
	char token[2 * KFT_VIEW_TOKEN_BYTES + 1];
	char url[96];
};

/* Headers of a request; NULL: missing. */
struct kft_view_asker {
	const char *host; /* Host */
	const char *origin; /* Origin */
	const char *site; /* Sec-Fetch-Site */
	const char *dest; /* Sec-Fetch-Dest */
};

/* Creates a new secret. The errors of getrandom(2). */
int kft_view_origin_init(struct kft_view_origin *o, uint16_t port,
			 struct kft_err *e) __must_check;

bool kft_view_origin_allows(const struct kft_view_origin *o,
			    const struct kft_view_asker *asker);

/* The file name after the secret in the path; NULL: the secret is wrong or missing. */
const char *kft_view_origin_file(const struct kft_view_origin *o, const char *path);
