/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <time.h>

#include "base/macro.h"

#define KFT_LOCAL_TIME_BYTES 20 /* including the NUL */

/*
 * Writes "2026-11-23 08:05:09", in the time zone of the machine or of TZ.
 * False, and an empty text, for years beyond four digits. strftime() would
 * add 3.5 KB to a static build.
 */
bool kft_local_time_text(time_t t, char text[static KFT_LOCAL_TIME_BYTES]);
