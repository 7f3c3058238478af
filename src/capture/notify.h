/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_NOTIFY_H
#define KFT_CAPTURE_NOTIFY_H

#include <kft/notify.h>

#include "base/macro.h"

/* Passes a note for the user to n, which may be NULL. Cuts texts at KFT_ERR_MSG_MAX bytes. */
__printf_fmt(2, 3) void kft_notify(const struct kft_notify *n, const char *fmt, ...);

#endif
