// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses and prints numbers with units. */
#include "base/units.h"

#include <errno.h>
#include <strings.h>

int kft_parse_u64(const char *s, uint64_t *ret)
{
	uint64_t v = 0;

	if (*s < '0' || *s > '9')
		return -EINVAL;
	for (; *s >= '0' && *s <= '9'; s++)
		if (kft_mul(v, (uint64_t)10, &v) || kft_add(v, (uint64_t)(*s - '0'), &v))
			return -ERANGE;
	if (*s)
		return -EINVAL;
	*ret = v;
	return 0;
}

struct unit {
	const char *name;
	uint64_t factor;
};

/*
 * A decimal number with an optional fraction and a unit. The fraction is kept exactly:
 * value = digits / scale, multiplied by the unit before dividing.
 */
static int parse_scaled(const char *s, const struct unit *units, size_t n_units,
			uint64_t bare, uint64_t *ret)
{
	uint64_t digits = 0;
	uint64_t scale = 1;
	uint64_t factor = bare;
	bool any = false;
	bool fraction = false;

	for (; (*s >= '0' && *s <= '9') || (*s == '.' && !fraction); s++) {
		if (*s == '.') {
			fraction = true;
			continue;
		}
		any = true;
		if (fraction && scale >= UINT64_C(1000000000))
			continue;
		if (kft_mul(digits, (uint64_t)10, &digits) ||
		    kft_add(digits, (uint64_t)(*s - '0'), &digits))
			return -ERANGE;
		if (fraction)
			scale *= 10;
	}
	if (!any)
		return -EINVAL;
	if (*s) {
		size_t i = 0;

		while (i < n_units && strcasecmp(units[i].name, s) != 0)
			i++;
		if (i == n_units)
			return -EINVAL;
		factor = units[i].factor;
	}
	/*
	 * Multiplied in parts, because 32-bit targets have no type that holds
	 * digits * factor. The fraction and the scale are below 1e9, so their
	 * product cannot overflow.
	 */
	uint64_t behind = digits % scale;
	uint64_t fraction_part = behind * (factor / scale) +
				 behind * (factor % scale) / scale;
	uint64_t v;

	if (kft_mul(digits / scale, factor, &v) || kft_add(v, fraction_part, &v))
		return -ERANGE;
	*ret = v;
	return 0;
}

int kft_parse_size(const char *s, uint64_t *ret_bytes)
{
	static const struct unit units[] = {
		{"b", 1},	 {"k", 1 << 10},   {"kb", 1 << 10},  {"kib", 1 << 10},
		{"m", 1 << 20},	 {"mb", 1 << 20},  {"mib", 1 << 20}, {"g", 1 << 30},
		{"gb", 1 << 30}, {"gib", 1 << 30},
	};

	return parse_scaled(s, units, ARRAY_SIZE(units), 1, ret_bytes);
}

int kft_parse_duration(const char *s, uint64_t unit_ns, uint64_t *ret_ns)
{
	static const struct unit units[] = {
		{"ns", 1},
		{"us", 1000},
		{"\xc2\xb5s", 1000},
		{"ms", 1000000},
		{"s", UINT64_C(1000000000)},
		{"sec", UINT64_C(1000000000)},
		{"m", UINT64_C(60000000000)},
		{"min", UINT64_C(60000000000)},
		{"h", UINT64_C(3600000000000)},
	};

	return parse_scaled(s, units, ARRAY_SIZE(units), unit_ns, ret_ns);
}

int kft_parse_percent(const char *s, uint64_t *ret_ppm)
{
	static const struct unit units[] = {{"%", 10000}};

	return strchr(s, '%') ? parse_scaled(s, units, 1, 1, ret_ppm) : -EINVAL;
}

void kft_strbuf_add_count(struct kft_strbuf *sb, uint64_t n)
{
	if (n >= 1000) {
		kft_strbuf_add_count(sb, n / 1000);
		kft_strbuf_addc(sb, ',');
		kft_strbuf_addu(sb, n % 1000, 3);
	} else {
		kft_strbuf_addu(sb, n, 1);
	}
}

void kft_strbuf_add_bytes(struct kft_strbuf *sb, uint64_t bytes)
{
	static const char *const names[] = {"B", "KB", "MB", "GB", "TB"};
	size_t i = 0;
	double v = bytes;

	while (v >= 1024 && i + 1 < ARRAY_SIZE(names)) {
		v /= 1024;
		i++;
	}
	kft_strbuf_addf(sb, i ? "%.1f %s" : "%.0f %s", v, names[i]);
}

void kft_strbuf_add_duration(struct kft_strbuf *sb, uint64_t ns)
{
	if (ns < 1000)
		kft_strbuf_addf(sb, "%u ns", (unsigned int)ns);
	else if (ns < 1000000)
		kft_strbuf_addf(sb, "%.3f us", ns / 1e3);
	else if (ns < UINT64_C(1000000000))
		kft_strbuf_addf(sb, "%.3f ms", ns / 1e6);
	else
		kft_strbuf_addf(sb, "%.3f s", ns / 1e9);
}
