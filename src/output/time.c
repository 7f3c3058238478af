// SPDX-License-Identifier: LGPL-2.1-or-later
#include "output/time.h"

#define SECONDS_WIDTH 5
#define TICKS_WIDTH   12

/* Without leading zeros, right aligned by blanks. */
static void add_padded(struct kft_strbuf *sb, uint64_t v, size_t width)
{
	size_t digits = 1;

	for (uint64_t rest = v; rest >= 10; rest /= 10)
		digits++;
	kft_strbuf_fill(sb, ' ', digits < width ? width - digits : 0);
	kft_strbuf_addu(sb, v, 1);
}

void kft_strbuf_add_ts(struct kft_strbuf *sb, enum kft_clock_unit unit, uint64_t ts)
{
	if (unit != KFT_CLOCK_NS) {
		add_padded(sb, ts, TICKS_WIDTH);
		return;
	}
	/* Without the overflow that ts + 500 would have at the end of time. */
	uint64_t us = ts / 1000 + (ts % 1000 >= 500);
	add_padded(sb, us / 1000000, SECONDS_WIDTH);
	kft_strbuf_addc(sb, '.');
	kft_strbuf_addu(sb, us % 1000000, 6);
}
