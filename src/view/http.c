// SPDX-License-Identifier: LGPL-2.1-or-later
/* Loads libmicrohttpd. */
#include "view/http.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"

#define LIBRARY "libmicrohttpd.so.12"

/*
 * Looks up a function. POSIX guarantees that the bytes of the pointer are valid as a
 * function pointer; C has no such conversion.
 */
static bool find(const struct kft_http *h, const char *name, void *ret, size_t size)
{
	void *address = dlsym(h->library, name);

	memcpy(ret, &address, size);
	return address;
}

#define FIND(h, name) find(h, "MHD_" #name, &(h)->name, sizeof((h)->name))

static bool find_all(struct kft_http *h)
{
	return FIND(h, start_daemon) && FIND(h, stop_daemon) &&
	       FIND(h, get_connection_info) && FIND(h, lookup_connection_value) &&
	       FIND(h, create_response_from_buffer) &&
	       FIND(h, create_response_from_fd_at_offset64) &&
	       FIND(h, add_response_header) && FIND(h, queue_response) &&
	       FIND(h, destroy_response);
}

int kft_http_load(struct kft_http *ret, struct kft_err *e)
{
	*ret = (struct kft_http){.library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL)};
	if (ret->library && find_all(ret))
		return 0;
	kft_http_unload(ret);
	(void)kft_err_set(e, -ENOTSUP, "cannot serve a page without %s", LIBRARY);
	kft_err_hint(e,
		     "install it (Debian: libmicrohttpd12), or write the page to a file "
		     "with -o");
	return -ENOTSUP;
}

void kft_http_unload(struct kft_http *h)
{
	if (h->library)
		(void)dlclose(h->library);
	*h = (struct kft_http){};
}
