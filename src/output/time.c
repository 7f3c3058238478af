// SPDX-License-Identifier: LGPL-2.1-or-later
#include "output/time.h"

#define SECONDS_WIDTH 5
#define TICKS_WIDTH   12

/* Right aligned by blanks. */
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

static char *put_two(char *p, unsigned int v)
{
	static const char digits[] = "00010203040506070809"
				     "10111213141516171819"
				     "20212223242526272829"
				     "30313233343536373839"
				     "40414243444546474849"
				     "50515253545556575859"
				     "60616263646566676869"
				     "70717273747576777879"
				     "80818283848586878889"
				     "90919293949596979899";

	memcpy(p, digits + 2 * v, 2);
	return p + 2;
}

static void keep_seconds(struct kft_ts_writer *w, uint64_t seconds)
{
	char *end = put_padded(w->text, seconds, SECONDS_WIDTH);

	*end++ = '.';
	w->len = end - w->text;
	w->seconds = seconds;
}

char *kft_ts_write(struct kft_ts_writer *w, enum kft_clock_unit unit, uint64_t ts,
		   char *p)
{
	if (unlikely(unit != KFT_CLOCK_NS))
		return put_padded(p, ts, TICKS_WIDTH);
	/* Without the overflow that ts + 500 would have at the end of time. */
	uint64_t us = ts / 1000 + (ts % 1000 >= 500);
	uint64_t seconds = us / 1000000;
	uint32_t rest = us - seconds * 1000000;

	if (unlikely(seconds != w->seconds || !w->len))
		keep_seconds(w, seconds);
	memcpy(p, w->text, sizeof(w->text));
	p += w->len;
	p = put_two(p, rest / 10000);
	p = put_two(p, rest / 100 % 100);
	return put_two(p, rest % 100);
}

void kft_strbuf_add_ts(struct kft_strbuf *sb, enum kft_clock_unit unit, uint64_t ts)
{
	struct kft_ts_writer w = {};
	char text[KFT_TS_BYTES_MAX];

	kft_strbuf_add(sb, text, kft_ts_write(&w, unit, ts, text) - text);
}
