/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_TIME_H
#define KFT_OUTPUT_TIME_H

#include "base/strbuf.h"
#include "model/clock.h"

/*
 * A time stamp as ftrace shows it: seconds with microseconds, rounded, at least 12
 * columns ("   12.345678"); a clock that does not count ns as a number, also at least 12.
 */
#define KFT_TS_BYTES_MAX 32 /* that it takes, or is written to and not used */

/*
 * What stays the same from one stamp to the next: the text of whole seconds. Zeroed at
 * first; one thread owns one.
 */
struct kft_ts_writer {
	uint64_t begin; /* the first time that is rounded to one of these seconds */
	uint32_t
		late; /* ns by which begin is later than half a microsecond before them */
	uint32_t len; /* 0: nothing kept yet */
	char text[KFT_TS_BYTES_MAX];
};

/* Writes at p, where KFT_TS_BYTES_MAX bytes are free; returns the end. */
char *kft_ts_write(struct kft_ts_writer *w, enum kft_clock_unit unit, uint64_t ts,
		   char *p);

/*
 * "2026-11-22 13:51:02.123456" in the local time zone, of ns since 1970; as many bytes as
 * above. Zeroed at first.
 */
struct kft_wall_writer {
	uint64_t second; /* of text, plus one; 0: nothing kept yet */
	char text[KFT_TS_BYTES_MAX];
};

char *kft_wall_write(struct kft_wall_writer *w, uint64_t ns, char *p);

void kft_strbuf_add_ts(struct kft_strbuf *sb, enum kft_clock_unit unit, uint64_t ts);

#endif
