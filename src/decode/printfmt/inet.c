// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints IP addresses as %pI4, %pI6 and %pIS do. */
#include "decode/printfmt/inet.h"

#include "base/cursor.h"

/* Linux' address families, the same on every architecture. */
#define FAMILY_INET  2
#define FAMILY_INET6 10

/* Layout of struct sockaddr_in and sockaddr_in6. */
#define SOCKADDR_IN_BYTES  8
#define SOCKADDR_IN6_BYTES 28
#define PORT_OFFSET	   2
#define ADDR4_OFFSET	   4
#define FLOWINFO_OFFSET	   4
#define ADDR6_OFFSET	   8
#define SCOPE_OFFSET	   24
#define FLOWINFO_MASK	   0x0fffffff

static uint16_t get_be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

static uint32_t get_be32(const uint8_t *p)
{
	return (uint32_t)get_be16(p) << 16 | get_be16(p + 2);
}

/* reverse: the bytes are in little-endian order; padded: three digits each. */
static void add_ip4(const uint8_t *p, bool padded, bool reverse, struct kft_strbuf *sb)
{
	for (size_t i = 0; i < 4; i++) {
		if (i)
			kft_strbuf_addc(sb, '.');
		kft_strbuf_addu(sb, p[reverse ? 3 - i : i], padded ? 3 : 1);
	}
}

static bool is_reversed(const char *letters, bool big_endian)
{
	for (; *letters; letters++)
		if (*letters == 'l' || (*letters == 'h' && !big_endian))
			return true;
	return false;
}

static void add_ip6_full(const uint8_t *p, bool colons, struct kft_strbuf *sb)
{
	for (size_t i = 0; i < 16; i += 2) {
		if (i && colons)
			kft_strbuf_addc(sb, ':');
		kft_strbuf_addx(sb, get_be16(p + i), 4);
	}
}

/* IPv4 within IPv6: mapped (::ffff:a.b.c.d) or ISATAP (..:0:5efe:a.b.c.d). */
static bool ends_in_ip4(const uint8_t *p)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

	return memcmp(p, mapped, sizeof(mapped)) == 0 ||
	       (get_be32(p + 8) | 0x02000000) == 0x02005efe;
}

/* Finds the longest run of at least two zero words, the first of equal ones. */
static void find_zeros(const uint16_t *w, size_t n, size_t *ret_at, size_t *ret_len)
{
	*ret_at = n;
	*ret_len = 0;
	for (size_t i = 0; i < n; i++) {
		size_t len = 0;

		while (i + len < n && w[i + len] == 0)
			len++;
		if (len > 1 && len > *ret_len) {
			*ret_at = i;
			*ret_len = len;
		}
	}
}

static void add_ip6_short(const uint8_t *p, struct kft_strbuf *sb)
{
	bool ip4 = ends_in_ip4(p);
	size_t n = ip4 ? 6 : 8;
	uint16_t w[8];
	size_t zeros_at;
	size_t zeros;
	bool colon = false;

	for (size_t i = 0; i < 8; i++)
		w[i] = get_be16(p + 2 * i);
	find_zeros(w, n, &zeros_at, &zeros);
	for (size_t i = 0; i < n; i++) {
		if (i == zeros_at) {
			kft_strbuf_adds(sb, colon || i == 0 ? "::" : ":");
			colon = false;
			i += zeros - 1;
			continue;
		}
		if (colon)
			kft_strbuf_addc(sb, ':');
		kft_strbuf_addx(sb, w[i], 1);
		colon = true;
	}
	if (!ip4)
		return;
	if (colon)
		kft_strbuf_addc(sb, ':');
	add_ip4(p + 12, false, false, sb);
}

static void add_ip6(const char *suffix, const uint8_t *p, struct kft_strbuf *sb)
{
	if (suffix[0] == 'I' && strchr(suffix, 'c'))
		add_ip6_short(p, sb);
	else
		add_ip6_full(p, suffix[0] == 'I', sb);
}

static void add_sockaddr6(const char *suffix, const uint8_t *p, bool big_endian,
			  struct kft_strbuf *sb)
{
	bool port = strchr(suffix, 'p');
	bool flow = strchr(suffix, 'f');
	bool scope = strchr(suffix, 's');
	bool brackets = port || flow || scope;
	bool swap = big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	if (brackets)
		kft_strbuf_addc(sb, '[');
	add_ip6(suffix, p + ADDR6_OFFSET, sb);
	if (brackets)
		kft_strbuf_addc(sb, ']');
	if (port) {
		kft_strbuf_addc(sb, ':');
		kft_strbuf_addu(sb, get_be16(p + PORT_OFFSET), 1);
	}
	if (flow) {
		kft_strbuf_addc(sb, '/');
		kft_strbuf_addu(sb, get_be32(p + FLOWINFO_OFFSET) & FLOWINFO_MASK, 1);
	}
	if (scope) {
		kft_strbuf_addc(sb, '%');
		kft_strbuf_addu(sb, kft_load_u32(p + SCOPE_OFFSET, swap), 1);
	}
}

static bool add_sockaddr(const char *suffix, struct kft_bytes b, bool big_endian,
			 struct kft_strbuf *sb)
{
	bool swap = big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	uint16_t family = b.len >= 2 ? kft_load_u16(b.p, swap) : 0;

	if (family == FAMILY_INET && b.len >= SOCKADDR_IN_BYTES) {
		add_ip4(b.p + ADDR4_OFFSET, suffix[0] == 'i',
			is_reversed(suffix + 2, big_endian), sb);
		if (strchr(suffix, 'p')) {
			kft_strbuf_addc(sb, ':');
			kft_strbuf_addu(sb, get_be16(b.p + PORT_OFFSET), 1);
		}
		return true;
	}
	if (family != FAMILY_INET6 || b.len < SOCKADDR_IN6_BYTES)
		return false;
	add_sockaddr6(suffix, b.p, big_endian, sb);
	return true;
}

void kft_inet_add(const char *suffix, struct kft_bytes b, bool big_endian,
		  struct kft_strbuf *sb)
{
	if (suffix[1] == '4' && b.len >= 4) {
		add_ip4(b.p, suffix[0] == 'i', is_reversed(suffix + 2, big_endian), sb);
		return;
	}
	if (suffix[1] == '6' && b.len >= 16) {
		add_ip6(suffix, b.p, sb);
		return;
	}
	if (suffix[1] != 'S' || !add_sockaddr(suffix, b, big_endian, sb))
		kft_strbuf_adds(sb, "(einval)");
}
