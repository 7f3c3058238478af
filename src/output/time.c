// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes time stamps like ftrace. */
#include "output/time.h"

#include "base/digits.h"
#include "base/local_time.h"

#define SECONDS_WIDTH 5
#define TICKS_WIDTH   12

#define NS_PER_S UINT64_C(1000000000)

/* Writes v right-aligned with blanks. */
static char *put_padded(char *p, uint64_t v, size_t width)
{
	char digits[KFT_TS_BYTES_MAX];
	size_t n = 0;

	do {
		digits[sizeof(digits) - ++n] = '0' + v % 10;
		v /= 10;
	} while (v);
	while (n < width)
		digits[sizeof(digits) - ++n] = ' ';
	memcpy(p, digits + sizeof(digits) - n, n);
	return p + n;
}

static void keep_seconds(struct kft_ts_writer *w, uint64_t seconds)
{
	char *end = put_padded(w->text, seconds, SECONDS_WIDTH);

	*end++ = '.';
	w->len = end - w->text;
	/* Times before 0 do not exist, so the first range is shorter. */
	w->late = seconds ? 0 : 500;
	w->begin = seconds * NS_PER_S + w->late - 500;
}

char *kft_ts_write(struct kft_ts_writer *w, enum kft_clock_unit unit, uint64_t ts,
		   char *p)
{
	if (unlikely(unit != KFT_CLOCK_NS))
		return put_padded(p, ts, TICKS_WIDTH);
	if (unlikely(ts < w->begin || ts - w->begin >= NS_PER_S - w->late || !w->len))
		/*
		 * The rounding avoids ts + 500, which would overflow at
		 * the end of the range.
		 */
		keep_seconds(w, ts / NS_PER_S + (ts % NS_PER_S >= NS_PER_S - 500));
	uint32_t us = (uint32_t)(ts - w->begin + w->late) / 1000;

	memcpy(p, w->text, sizeof(w->text));
	p += w->len;
	p = kft_put_two(p, us / 10000);
	p = kft_put_two(p, us / 100 % 100);
	return kft_put_two(p, us % 100);
}

char *kft_wall_write(struct kft_wall_writer *w, uint64_t ns, char *p)
{
	const uint64_t second = ns / NS_PER_S;
	const uint32_t us = (uint32_t)(ns % NS_PER_S) / 1000;

	if (unlikely(w->second != second + 1)) {
		(void)kft_local_time_text((time_t)second, w->text);
		w->second = second + 1;
	}
	size_t len = strlen(w->text);
	memcpy(p, w->text, len);
	p += len;
	*p++ = '.';
	p = kft_put_two(p, us / 10000);
	p = kft_put_two(p, us / 100 % 100);
	return kft_put_two(p, us % 100);
}

void kft_strbuf_add_ts(struct kft_strbuf *sb, enum kft_clock_unit unit, uint64_t ts)
{
	struct kft_ts_writer w = {};
	char text[KFT_TS_BYTES_MAX];

	kft_strbuf_add(sb, text, kft_ts_write(&w, unit, ts, text) - text);
}
