// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses the properties of integers, floats and strings in TSDL. */
#include "file/ctf/tsdl/parse_impl.h"

#include <string.h>

/* "key = value;" in the braces of integers, floats and strings (4.1). */

struct prop {
	const char *key;
	const char *word; /* a name or a text; NULL: the value is a number */
	int64_t number;
};

static int take_prop(struct kft_ctf_parser *p, struct prop *ret)
{
	int r = kft_ctf_take_name(p, &ret->key);

	if (r == 0)
		r = kft_ctf_expect(p, "=");
	if (r == 0)
		r = kft_ctf_take_value(p, &ret->word, &ret->number);
	return r < 0 ? r : kft_ctf_expect(p, ";");
}

static bool is(const struct prop *prop, const char *key)
{
	return strcmp(prop->key, key) == 0;
}

static bool word_in(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(word, *words) == 0)
			return true;
	return false;
}

static int set_bool(struct kft_ctf_parser *p, const struct prop *prop, bool *ret)
{
	static const char *const yes[] = {"true", "TRUE", NULL};
	static const char *const no[] = {"false", "FALSE", NULL};

	if (prop->word && !word_in(prop->word, yes) && !word_in(prop->word, no))
		return kft_ctf_fail(p, "before: true or false is expected");
	*ret = prop->word ? word_in(prop->word, yes) : prop->number != 0;
	return 0;
}

static int set_base(struct kft_ctf_parser *p, const struct prop *prop, uint8_t *ret)
{
	static const struct {
		uint8_t base;
		const char *words[6];
	} bases[] = {
		{2, {"binary", "bin", "b"}},
		{8, {"octal", "oct", "o"}},
		{10, {"decimal", "dec", "d", "i", "u"}},
		{16, {"hexadecimal", "hex", "x", "X", "p"}},
	};

	for (size_t i = 0; i < ARRAY_SIZE(bases); i++) {
		if (prop->word ? word_in(prop->word, bases[i].words)
			       : prop->number == bases[i].base) {
			*ret = bases[i].base;
			return 0;
		}
	}
	return kft_ctf_fail(p, "before: no such base");
}

static int set_order(struct kft_ctf_parser *p, const struct prop *prop, bool *ret)
{
	static const char *const big[] = {"be", "network", NULL};

	if (!prop->word)
		return kft_ctf_fail(p, "before: no such byte order");
	if (strcmp(prop->word, "native") == 0)
		*ret = p->meta->big_endian;
	else if (strcmp(prop->word, "le") == 0)
		*ret = false;
	else if (word_in(prop->word, big))
		*ret = true;
	else
		return kft_ctf_fail(p, "before: no such byte order");
	return 0;
}

static int set_encoding(struct kft_ctf_parser *p, const struct prop *prop, bool *ret)
{
	static const char *const text[] = {"UTF8",  "utf8",  "UTF-8", "utf-8",
					   "ASCII", "ascii", NULL};

	if (!prop->word)
		return kft_ctf_fail(p, "before: no such encoding");
	*ret = word_in(prop->word, text);
	return 0;
}

static int set_range(struct kft_ctf_parser *p, const struct prop *prop, int64_t max,
		     uint32_t *ret)
{
	if (prop->word || prop->number < 1 || prop->number > max)
		return kft_ctf_fail(p, "before: out of range");
	*ret = prop->number;
	return 0;
}

/*
 * Parses "clock.NAME.value". A clock that is not declared yet is
 * added; its block fills it in.
 */
static int set_clock(struct kft_ctf_parser *p, const struct prop *prop, uint16_t *ret)
{
	static const char prefix[] = "clock.";
	const char *name = prop->word;

	if (!name || strncmp(name, prefix, strlen(prefix)) != 0)
		return kft_ctf_fail(p, "before: a clock's value is expected");
	name += strlen(prefix);
	const char *dot = strrchr(name, '.');
	size_t len = dot ? (size_t)(dot - name) : strlen(name);
	for (size_t i = 0; i < p->meta->clocks.len; i++) {
		const char *known = p->meta->clocks.data[i].name;

		if (strlen(known) == len && memcmp(known, name, len) == 0) {
			*ret = i;
			return 0;
		}
	}
	struct kft_ctf_clock c = {.name = kft_arena_strndup(&p->meta->arena, name, len),
				  .freq = UINT64_C(1000000000)};
	if (p->meta->clocks.len >= KFT_CTF_NO_CLOCK)
		return kft_ctf_fail(p, "too many clocks");
	*ret = p->meta->clocks.len;
	return c.name && kft_vec_push(&p->meta->clocks, c) ? 0 : kft_ctf_no_memory(p);
}

static int check_align(struct kft_ctf_parser *p, uint32_t align)
{
	return align & (align - 1) ? kft_ctf_fail(p, "an alignment is a power of two")
				   : 0;
}

static int set_integer(struct kft_ctf_parser *p, const struct prop *prop,
		       struct kft_ctf_type *t, bool *has_align)
{
	if (is(prop, "size"))
		return set_range(p, prop, KFT_CTF_INT_BITS_MAX, &t->size);
	if (is(prop, "align")) {
		*has_align = true;
		return set_range(p, prop, KFT_CTF_ALIGN_MAX, &t->align);
	}
	if (is(prop, "signed"))
		return set_bool(p, prop, &t->is_signed);
	if (is(prop, "base"))
		return set_base(p, prop, &t->base);
	if (is(prop, "byte_order"))
		return set_order(p, prop, &t->big_endian);
	if (is(prop, "encoding"))
		return set_encoding(p, prop, &t->is_text);
	if (is(prop, "map"))
		return set_clock(p, prop, &t->clock);
	return 0; /* unknown properties are ignored */
}

int kft_ctf_parse_integer(struct kft_ctf_parser *p, struct kft_ctf_type *t)
{
	bool has_align = false;
	int r = kft_ctf_expect(p, "{");

	t->big_endian = p->meta->big_endian;
	while (r == 0 && !kft_ctf_take(p, "}")) {
		struct prop prop;

		r = take_prop(p, &prop);
		if (r == 0)
			r = set_integer(p, &prop, t, &has_align);
	}
	if (r < 0)
		return r;
	if (!t->size)
		return kft_ctf_fail(p, "before: an integer has a size");
	if (!has_align)
		t->align = t->size % 8 ? 1 : 8;
	return check_align(p, t->align);
}

int kft_ctf_parse_float(struct kft_ctf_parser *p, struct kft_ctf_type *t)
{
	uint32_t exponent = 0;
	uint32_t mantissa = 0;
	int r = kft_ctf_expect(p, "{");

	t->big_endian = p->meta->big_endian;
	t->align = 8;
	while (r == 0 && !kft_ctf_take(p, "}")) {
		struct prop prop;

		r = take_prop(p, &prop);
		if (r < 0)
			return r;
		if (is(&prop, "exp_dig"))
			r = set_range(p, &prop, KFT_CTF_INT_BITS_MAX, &exponent);
		else if (is(&prop, "mant_dig"))
			r = set_range(p, &prop, KFT_CTF_INT_BITS_MAX, &mantissa);
		else if (is(&prop, "align"))
			r = set_range(p, &prop, KFT_CTF_ALIGN_MAX, &t->align);
		else if (is(&prop, "byte_order"))
			r = set_order(p, &prop, &t->big_endian);
	}
	if (r < 0)
		return r;
	t->size = exponent + mantissa;
	t->is_signed = true;
	if (!(exponent == 8 && mantissa == 24) && !(exponent == 11 && mantissa == 53))
		return kft_ctf_fail(p,
				    "before: only floats of 32 and 64 bits can be read");
	return check_align(p, t->align);
}

int kft_ctf_parse_string(struct kft_ctf_parser *p, struct kft_ctf_type *t)
{
	int r = 0;

	t->align = 8;
	if (!kft_ctf_take(p, "{"))
		return 0;
	while (r == 0 && !kft_ctf_take(p, "}")) {
		struct prop prop;

		r = take_prop(p, &prop);
	}
	return r;
}
