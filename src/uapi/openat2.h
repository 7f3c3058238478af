/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/*
 * openat2(2) of Linux 5.6, which the headers of Linux 5.4 do not have. The number is the same
 * on all architectures but Alpha.
 */
enum {
	KFT_SYS_OPENAT2 = 437,
	KFT_RESOLVE_NO_SYMLINKS = 0x04,
	KFT_RESOLVE_BENEATH = 0x08,
};

/* struct open_how */
struct kft_open_how {
	uint64_t flags;
	uint64_t mode;
	uint64_t resolve;
};
