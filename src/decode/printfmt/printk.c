// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses printk_formats. */
#include "decode/printfmt/printk.h"

#include <errno.h>
#include <string.h>

#include "model/meta.h"

static bool parse_addr(const char **pp, const char *end, uint64_t *ret)
{
	const char *p = *pp;
	uint64_t addr = 0;
	unsigned int digits = 0;

	if (end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x')
		p += 2;
	for (; p < end && digits < 17; p++, digits++) {
		char c = *p | 0x20;

		if (*p >= '0' && *p <= '9')
			addr = addr << 4 | (uint64_t)(*p - '0');
		else if (c >= 'a' && c <= 'f')
			addr = addr << 4 | (uint64_t)(c - 'a' + 10);
		else
			break;
	}
	*pp = p;
	*ret = addr;
	return digits > 0 && digits < 17;
}

/* Undoes the four escapes that t_show() of kernel/trace/trace_printk.c writes. */
static size_t unescape(char *s, size_t len)
{
	size_t out = 0;

	for (size_t i = 0; i < len; i++) {
		char c = s[i];

		if (c == '\\' && i + 1 < len) {
			c = s[++i];
			c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
		}
		s[out++] = c;
	}
	s[out] = '\0';
	return out;
}

static int put(struct kft_map *map, struct kft_arena *arena, uint64_t addr,
	       const char *text, size_t len)
{
	char *copy = kft_arena_strndup(arena, text, len);
	struct kft_blob *blob = kft_arena_alloc(arena, sizeof(*blob));
	uint64_t *slot = kft_map_put(map, addr);

	if (!copy || !blob || !slot)
		return -ENOMEM;
	*blob = (struct kft_blob){.data = copy, .len = unescape(copy, len)};
	*slot = (uintptr_t)blob;
	return 0;
}

/* Parses a line; -EINVAL when it is malformed. */
static int parse_line(const char *p, const char *end, struct kft_arena *arena,
		      struct kft_map *map)
{
	uint64_t addr;

	if (!parse_addr(&p, end, &addr) || addr == KFT_MAP_NO_KEY)
		return -EINVAL;
	while (p < end && *p == ' ')
		p++;
	if (p == end || *p != ':')
		return -EINVAL;
	for (p++; p < end && *p == ' ';)
		p++;
	if (end - p < 2 || *p != '"' || end[-1] != '"')
		return -EINVAL;
	return put(map, arena, addr, p + 1, end - p - 2);
}

int kft_printkfmt_parse(const char *text, size_t len, struct kft_arena *arena,
			struct kft_map *map, size_t *ret_bad)
{
	size_t bad = 0;

	*ret_bad = 0;
	if (len == 0)
		return 0;
	const char *end = text + len;
	for (const char *p = text; p < end;) {
		const char *nl = memchr(p, '\n', end - p);
		const char *stop = nl ? nl : end;
		int r = p == stop ? 0 : parse_line(p, stop, arena, map);

		if (r == -ENOMEM)
			return r;
		bad += r < 0;
		p = nl ? nl + 1 : end;
	}
	*ret_bad = bad;
	return 0;
}
