// SPDX-License-Identifier: LGPL-2.1-or-later
/* Quotes texts for comma separated values. */
#include "output/csv.h"

void kft_csv_add_quoted(struct kft_strbuf *sb, const char *s, size_t len)
{
	kft_strbuf_addc(sb, '"');
	for (const char *end = s + len; s < end;) {
		const char *quote = memchr(s, '"', end - s);
		size_t n = quote ? (size_t)(quote + 1 - s) : (size_t)(end - s);

		kft_strbuf_add(sb, s, n);
		if (quote)
			kft_strbuf_addc(sb, '"');
		s += n;
	}
	kft_strbuf_addc(sb, '"');
}
