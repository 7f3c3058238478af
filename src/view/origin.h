/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_ORIGIN_H
#define KFT_VIEW_ORIGIN_H

#include <kft/error.h>

#include <stdint.h>

#include "base/macro.h"

/*
 * Where a page is served, and who gets something there. Every user of the machine and every
 * site in a browser can connect to a loopback port: the address has a secret in it, and
 * requests that other sites' pages make are known by their headers (RFC 6454, Fetch Metadata).
 */
#define KFT_VIEW_ADDRESS     "127.0.0.1"
#define KFT_VIEW_TOKEN_BYTES 16

struct kft_view_origin {
	char host[32]; /* with the port, as browsers say it */
	char alias[32]; /* the same by name */
	char token[2 * KFT_VIEW_TOKEN_BYTES + 1];
	char url[96];
};

/* What a request says of itself; NULL: nothing. */
struct kft_view_asker {
	const char *host; /* Host */
	const char *origin; /* Origin */
	const char *site; /* Sec-Fetch-Site */
	const char *dest; /* Sec-Fetch-Dest */
};

/* With a new secret. Fails as getrandom(2). */
int kft_view_origin_init(struct kft_view_origin *o, uint16_t port,
			 struct kft_err *e) __must_check;

bool kft_view_origin_allows(const struct kft_view_origin *o,
			    const struct kft_view_asker *asker);

/* What is asked for, behind the secret of a path; NULL: the path has another one, or none. */
const char *kft_view_origin_file(const struct kft_view_origin *o, const char *path);

#endif
