// SPDX-License-Identifier: GPL-2.0-only
/* The table of the test build: that of kft, with one more line. */
#include "example.h"

const struct kft_backend_ops *const kft_backends[] = {
	&kft_tracefs_backend,
	&example_backend,
	NULL,
};
