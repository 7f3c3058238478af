/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_JSON_H
#define KFT_OUTPUT_JSON_H

#include "base/strbuf.h"

/*
 * JSON text without white space, appended to a buffer; commas are put where they belong.
 * The caller nests begin and end rightly and gives each value of an object its key.
 *
 * Integers beyond +-(2^53 - 1) are strings of their decimal digits, because readers that
 * keep numbers as doubles (JavaScript, jq before 1.7) would change them without a word;
 * kft_json_exact() is for those that are documented as 64-bit integers.
 */
struct kft_json {
	struct kft_strbuf *sb; /* borrowed */
	bool comma; /* the next key or value needs one before it */
};

void kft_json_begin_object(struct kft_json *j);
void kft_json_end_object(struct kft_json *j);
void kft_json_begin_array(struct kft_json *j);
void kft_json_end_array(struct kft_json *j);

/* The name of the next value: kft's own, so that it needs no escaping. */
void kft_json_key(struct kft_json *j, const char *key);
/* The same for names that come from a trace. */
void kft_json_key_escaped(struct kft_json *j, const char *key, size_t len);

/* Any bytes: those that are no UTF-8 are taken as Latin-1. */
void kft_json_str(struct kft_json *j, const char *s);
void kft_json_strn(struct kft_json *j, const char *s, size_t len);

void kft_json_u64(struct kft_json *j, uint64_t v);
void kft_json_i64(struct kft_json *j, int64_t v);
void kft_json_exact(struct kft_json *j, uint64_t v);
void kft_json_bool(struct kft_json *j, bool v);
void kft_json_null(struct kft_json *j);

/* v / 10^digits with all its digits, for rates and seconds without rounding. */
void kft_json_decimal(struct kft_json *j, uint64_t v, unsigned int digits);

/* "0x..." as a string. */
void kft_json_hex(struct kft_json *j, uint64_t v);

#endif
