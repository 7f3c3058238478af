// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists the mechanisms that carry out plans: a new one is a folder and a line here. */
#include "capture/backend.h"

const struct kft_backend_ops *const kft_backends[] = {
	&kft_tracefs_backend,
	NULL,
};
