/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_TIME_H
#define KFT_OUTPUT_TIME_H

#include "base/strbuf.h"
#include "model/clock.h"

/*
 * A time stamp as ftrace shows it: seconds with microseconds, rounded, at least 12
 * columns ("   12.345678"); a clock that does not count ns as a number, also at least 12.
 */
void kft_strbuf_add_ts(struct kft_strbuf *sb, enum kft_clock_unit unit, uint64_t ts);

#endif
