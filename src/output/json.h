/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"

/*
 * Appends JSON text without white space to a buffer, and places the commas. The caller
 * balances begin and end, and gives each value of an object its key.
 *
 * Integers beyond +-(2^53 - 1) become strings of decimal digits, because readers that use
 * doubles for numbers (JavaScript, jq before 1.7) would silently change them;
 * kft_json_exact() is for numbers that are documented as 64-bit integers.
 */
struct kft_json {
	struct kft_strbuf *sb; /* borrowed */
	bool comma; /* a comma is due before the next key or value */
};

void kft_json_begin_object(struct kft_json *j);
void kft_json_end_object(struct kft_json *j);
void kft_json_begin_array(struct kft_json *j);
void kft_json_end_array(struct kft_json *j);

/* Appends the key of the next value: a constant of kft, which needs no escaping. */
void kft_json_key(struct kft_json *j, const char *key);
/* Does the same for a name from a trace. */
void kft_json_key_escaped(struct kft_json *j, const char *key, size_t len);

/* Accept any bytes: invalid UTF-8 is read as Latin-1. */
void kft_json_str(struct kft_json *j, const char *s);
void kft_json_strn(struct kft_json *j, const char *s, size_t len);

void kft_json_u64(struct kft_json *j, uint64_t v);
void kft_json_i64(struct kft_json *j, int64_t v);
void kft_json_exact(struct kft_json *j, uint64_t v);
void kft_json_bool(struct kft_json *j, bool v);
void kft_json_null(struct kft_json *j);

/* Appends v / 10^digits with all its digits: rates and seconds without rounding. */
void kft_json_decimal(struct kft_json *j, uint64_t v, unsigned int digits);

/* Appends "0x..." as a string. */
void kft_json_hex(struct kft_json *j, uint64_t v);
