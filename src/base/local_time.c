// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes times of day as people read them. */
#include "base/local_time.h"

#include "base/digits.h"

bool kft_local_time_text(time_t t, char text[static KFT_LOCAL_TIME_BYTES])
{
	struct tm tm;
	char *p = text;

	*text = '\0';
	if (!localtime_r(&t, &tm) || tm.tm_year < -1900 || tm.tm_year > 9999 - 1900)
		return false;
	const unsigned int parts[] = {tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
				      tm.tm_sec};

	p = kft_put_two(p, (tm.tm_year + 1900) / 100);
	p = kft_put_two(p, (tm.tm_year + 1900) % 100);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		*p++ = "-- ::"[i];
		p = kft_put_two(p, parts[i]);
	}
	*p = '\0';
	return true;
}
