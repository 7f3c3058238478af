// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes JSON. */
#include "output/json.h"

#define SAFE_INTEGER_MAX ((UINT64_C(1) << 53) - 1)

static void start_value(struct kft_json *j)
{
	if (j->comma)
		kft_strbuf_addc(j->sb, ',');
	j->comma = true;
}

static void begin(struct kft_json *j, char bracket)
{
	start_value(j);
	kft_strbuf_addc(j->sb, bracket);
	j->comma = false;
}

static void end(struct kft_json *j, char bracket)
{
	kft_strbuf_addc(j->sb, bracket);
	j->comma = true;
}

void kft_json_begin_object(struct kft_json *j)
{
	begin(j, '{');
}

void kft_json_end_object(struct kft_json *j)
{
	end(j, '}');
}

void kft_json_begin_array(struct kft_json *j)
{
	begin(j, '[');
}

void kft_json_end_array(struct kft_json *j)
{
	end(j, ']');
}

void kft_json_key(struct kft_json *j, const char *key)
{
	start_value(j);
	kft_strbuf_addc(j->sb, '"');
	kft_strbuf_adds(j->sb, key);
	kft_strbuf_add(j->sb, "\":", 2);
	j->comma = false;
}

void kft_json_key_escaped(struct kft_json *j, const char *key, size_t len)
{
	kft_json_strn(j, key, len);
	kft_strbuf_addc(j->sb, ':');
	j->comma = false;
}

void kft_json_strn(struct kft_json *j, const char *s, size_t len)
{
	start_value(j);
	kft_strbuf_addc(j->sb, '"');
	kft_strbuf_add_json(j->sb, s, len);
	kft_strbuf_addc(j->sb, '"');
}

void kft_json_str(struct kft_json *j, const char *s)
{
	kft_json_strn(j, s, strlen(s));
}

void kft_json_exact(struct kft_json *j, uint64_t v)
{
	start_value(j);
	kft_strbuf_addu(j->sb, v, 1);
}

/* Appends a sign and a magnitude, in quotes if a double cannot hold the number. */
static void add_integer(struct kft_json *j, bool negative, uint64_t magnitude)
{
	bool quoted = magnitude > SAFE_INTEGER_MAX;

	start_value(j);
	if (quoted)
		kft_strbuf_addc(j->sb, '"');
	if (negative)
		kft_strbuf_addc(j->sb, '-');
	kft_strbuf_addu(j->sb, magnitude, 1);
	if (quoted)
		kft_strbuf_addc(j->sb, '"');
}

void kft_json_u64(struct kft_json *j, uint64_t v)
{
	add_integer(j, false, v);
}

void kft_json_i64(struct kft_json *j, int64_t v)
{
	add_integer(j, v < 0, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

void kft_json_bool(struct kft_json *j, bool v)
{
	start_value(j);
	kft_strbuf_adds(j->sb, v ? "true" : "false");
}

void kft_json_null(struct kft_json *j)
{
	start_value(j);
	kft_strbuf_adds(j->sb, "null");
}

void kft_json_decimal(struct kft_json *j, uint64_t v, unsigned int digits)
{
	uint64_t scale = 1;

	for (unsigned int i = 0; i < digits; i++)
		scale *= 10;
	start_value(j);
	kft_strbuf_addu(j->sb, v / scale, 1);
	if (!digits)
		return;
	kft_strbuf_addc(j->sb, '.');
	kft_strbuf_addu(j->sb, v % scale, digits);
}

void kft_json_hex(struct kft_json *j, uint64_t v)
{
	start_value(j);
	kft_strbuf_add(j->sb, "\"0x", 3);
	kft_strbuf_addx(j->sb, v, 1);
	kft_strbuf_addc(j->sb, '"');
}
