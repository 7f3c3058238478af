// SPDX-License-Identifier: LGPL-2.1-or-later
/* The list of backends. A new backend has a folder of its own and a line here. */
#include "capture/backend.h"

const struct kft_backend_ops *const kft_backends[] = {
	&kft_tracefs_backend,
#if HAVE_PERF /* left out of a small build */
	&kft_perf_backend,
#endif
	NULL,
};
