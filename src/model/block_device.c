// SPDX-License-Identifier: LGPL-2.1-or-later
/* Looks up names of block devices. */
#include "model/block_device.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* MINORBITS of include/linux/kdev_t.h */
#define MINOR_BITS 20

#define FIELDS 4 /* major, minor, blocks, name */

struct field {
	const char *start;
	size_t len;
};

/* The fields of a line between blanks; how many there are. */
static size_t split(const char *s, const char *end, struct field fields[FIELDS])
{
	size_t n = 0;

	while (n < FIELDS) {
		while (s < end && *s == ' ')
			s++;
		if (s == end)
			break;
		fields[n].start = s;
		while (s < end && *s != ' ')
			s++;
		fields[n].len = s - fields[n].start;
		n++;
	}
	return n;
}

static bool is_number(const struct field *f, uint64_t number)
{
	char text[24];
	int len = snprintf(text, sizeof(text), "%" PRIu64, number);

	return f->len == (size_t)len && memcmp(f->start, text, f->len) == 0;
}

void kft_add_block_device(const struct kft_meta *m, uint64_t dev, char separator,
			  struct kft_strbuf *sb)
{
	uint64_t major = (dev & UINT32_MAX) >> MINOR_BITS;
	uint64_t minor = dev & (((uint64_t)1 << MINOR_BITS) - 1);
	const char *s = m->devices.data;
	const char *end = s ? s + m->devices.len : NULL;

	while (s < end) {
		const char *newline = memchr(s, '\n', end - s);
		const char *line_end = newline ? newline : end;
		struct field f[FIELDS];

		if (split(s, line_end, f) == FIELDS && is_number(&f[0], major) &&
		    is_number(&f[1], minor)) {
			kft_strbuf_add_escaped(sb, f[3].start, f[3].len);
			return;
		}
		s = newline ? newline + 1 : end;
	}
	kft_strbuf_addf(sb, "%" PRIu64 "%c%" PRIu64, major, separator, minor);
}
