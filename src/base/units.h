/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"

/* Numbers with units. Parsers accept the whole string or return -EINVAL / -ERANGE. */

int kft_parse_u64(const char *s, uint64_t *ret) __must_check;

/*
 * Parses "4096", "64k", "1M", "2G" (powers of 1024; KiB, MB and the
 * like accepted), to bytes.
 */
int kft_parse_size(const char *s, uint64_t *ret_bytes) __must_check;

/*
 * Parses "5", "2.5s", "10ms", "500us", "100ns", "3m", "1h", to ns; a bare
 * number has the unit unit_ns.
 */
int kft_parse_duration(const char *s, uint64_t unit_ns, uint64_t *ret_ns) __must_check;

/* Parses "2%", "0.5%" to parts of a million; the sign is needed. */
int kft_parse_percent(const char *s, uint64_t *ret_ppm) __must_check;

/* Appends 1234567 as "1,234,567"; bytes as "1.2 MB"; ns as "1.234 ms", "12 us". */
void kft_strbuf_add_count(struct kft_strbuf *sb, uint64_t n);
void kft_strbuf_add_bytes(struct kft_strbuf *sb, uint64_t bytes);
void kft_strbuf_add_duration(struct kft_strbuf *sb, uint64_t ns);
