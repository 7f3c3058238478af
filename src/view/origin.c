// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decides which requests a page's server answers. */
#include "view/origin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/err.h"

int kft_view_origin_init(struct kft_view_origin *o, uint16_t port, struct kft_err *e)
{
	uint8_t secret[KFT_VIEW_TOKEN_BYTES];

	if (getrandom(secret, sizeof(secret), 0) != sizeof(secret))
		return kft_err_sys(e, -errno, "cannot make a secret address");
	for (size_t i = 0; i < sizeof(secret); i++)
		(void)snprintf(o->token + 2 * i, 3, "%02x", secret[i]);
	(void)snprintf(o->host, sizeof(o->host), KFT_VIEW_ADDRESS ":%u", port);
	(void)snprintf(o->alias, sizeof(o->alias), "localhost:%u", port);
	(void)snprintf(o->url, sizeof(o->url), "http://%s/%s/", o->host, o->token);
	return 0;
}

/* Rejects other names that point to this machine (DNS rebinding). */
static bool is_own_host(const struct kft_view_origin *o, const char *host)
{
	return host && (strcmp(host, o->host) == 0 || strcmp(host, o->alias) == 0);
}

static bool is_own_origin(const char *origin, const char *host)
{
	static const char scheme[] = "http://";
	const size_t len = sizeof(scheme) - 1;

	return strncmp(origin, scheme, len) == 0 && strcmp(origin + len, host) == 0;
}

bool kft_view_origin_allows(const struct kft_view_origin *o,
			    const struct kft_view_asker *asker)
{
	const char *site = asker->site;

	if (!is_own_host(o, asker->host) ||
	    (asker->origin && !is_own_origin(asker->origin, asker->host)))
		return false;
	/* Following a link from another site is the user's choice. */
	return !site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0 ||
	       (asker->dest && strcmp(asker->dest, "document") == 0);
}

/* The time of the comparison does not depend on the number of correct characters. */
const char *kft_view_origin_file(const struct kft_view_origin *o, const char *path)
{
	const size_t len = sizeof(o->token) - 1;
	unsigned int differ = 0;

	if (path[0] != '/' || strlen(path) < len + 2)
		return NULL;
	for (size_t i = 0; i < len; i++)
		differ |= (unsigned char)path[1 + i] ^ (unsigned char)o->token[i];
	return !differ && path[1 + len] == '/' ? path + len + 2 : NULL;
}
