/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/notify.h>

#include "base/macro.h"

/* Passes a note for the user to n, which may be NULL. Cuts texts at KFT_ERR_MSG_MAX bytes. */
__printf_fmt(2, 3) void kft_notify(const struct kft_notify *n, const char *fmt, ...);
