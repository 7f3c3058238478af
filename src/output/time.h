/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/clock.h"

/*
 * Writes a time stamp like ftrace: seconds with microseconds, rounded, in at least 12
 * columns ("   12.345678"). The value of a clock that does not count ns is a plain number,
 * also in at least 12 columns.
 */
/* size of the buffer; the function may write beyond the stamp's end */
#define KFT_TS_BYTES_MAX 32

/*
 * Cache between stamps: the text of whole seconds. Zeroed at first;
 * each belongs to one thread.
 */
struct kft_ts_writer {
	uint64_t begin; /* first time that rounds to this second */
	uint32_t
		/* ns by which begin is later than half a microsecond before the second */
		late;
	uint32_t len; /* 0: empty */
	char text[KFT_TS_BYTES_MAX];
};

/*
 * Writes at p, which needs room for KFT_TS_BYTES_MAX bytes; returns the end of the text.
 */
char *kft_ts_write(struct kft_ts_writer *w, enum kft_clock_unit unit, uint64_t ts,
		   char *p);

/*
 * Writes ns since 1970 as "2026-11-22 13:51:02.123456" in the local time zone, with
 * the same room. Zeroed at first.
 */
struct kft_wall_writer {
	uint64_t second; /* second of text, plus one; 0: empty */
	char text[KFT_TS_BYTES_MAX];
};

char *kft_wall_write(struct kft_wall_writer *w, uint64_t ns, char *p);

void kft_strbuf_add_ts(struct kft_strbuf *sb, enum kft_clock_unit unit, uint64_t ts);
