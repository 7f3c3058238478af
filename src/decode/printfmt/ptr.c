// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints the %p family of the kernel's vsnprintf(). */
#include "decode/printfmt/ptr.h"

#include "decode/printfmt/hexdump.h"
#include "decode/printfmt/inet.h"

/* Limit of the bytes that %*ph prints, as in the kernel. */
#define HEX_BYTES_MAX 64

static bool is_symbol(const struct kft_directive *d)
{
	switch (d->suffix[0]) {
	case 'S':
	case 's':
	case 'B':
		return true;
	case 'F':
	case 'f':
		/* %pf printed symbols until 5.5; %pfw is a firmware node. */
		return d->suffix[1] != 'w';
	default:
		return false;
	}
}

/* Whether the directive prints the bytes that its pointer points to. */
static bool is_of_bytes(const struct kft_directive *d)
{
	char s = d->suffix[0];

	return s == 'M' || s == 'm' || s == 'I' || s == 'i' || s == 'U' || s == 'h' ||
	       s == 'b' || s == 'a';
}

bool kft_print_pointer_fits(const struct kft_directive *d, const struct kft_expr *e)
{
	return is_of_bytes(d) ? e->cls == KFT_EXPR_IS_BYTES
			      : e->cls == KFT_EXPR_IS_NUMBER;
}

void kft_print_address(const struct kft_directive *d, uint64_t v, struct kft_strbuf *sb)
{
	if (d->suffix[0] == 'x') {
		kft_strbuf_addx(sb, v, 2 * d->size);
		return;
	}
	/* The kernel would print a hash of the address; this prints the address. */
	if (v == 0) {
		kft_strbuf_add(sb, "(nil)", 5);
		return;
	}
	kft_strbuf_add(sb, "0x", 2);
	kft_strbuf_addx(sb, v, 1);
}

static void add_mac(const struct kft_directive *d, struct kft_bytes b,
		    struct kft_strbuf *sb)
{
	char separator = d->suffix[0] == 'm' ? '\0' : d->suffix[1] == 'F' ? '-' : ':';
	bool reverse = d->suffix[1] == 'R';

	if (b.len < 6) {
		kft_strbuf_adds(sb, "(einval)");
		return;
	}
	for (size_t i = 0; i < 6; i++) {
		if (i && separator)
			kft_strbuf_addc(sb, separator);
		kft_strbuf_addx(sb, b.p[reverse ? 5 - i : i], 2);
	}
}

static void add_hex_byte(struct kft_strbuf *sb, uint8_t v, bool upper)
{
	const char *set = upper ? "0123456789ABCDEF" : "0123456789abcdef";

	kft_strbuf_addc(sb, set[v >> 4]);
	kft_strbuf_addc(sb, set[v & 15]);
}

static void add_uuid(const struct kft_directive *d, struct kft_bytes b,
		     struct kft_strbuf *sb)
{
	static const uint8_t little[16] = {3, 2, 1,  0,	 5,  4,	 7,  6,
					   8, 9, 10, 11, 12, 13, 14, 15};
	char kind = d->suffix[1];
	bool upper = kind == 'B' || kind == 'L';
	bool is_little = kind == 'l' || kind == 'L';

	if (b.len < 16) {
		kft_strbuf_adds(sb, "(einval)");
		return;
	}
	for (size_t i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			kft_strbuf_addc(sb, '-');
		add_hex_byte(sb, b.p[is_little ? little[i] : i], upper);
	}
}

static void add_hex(const struct kft_directive *d, struct kft_bytes b,
		    struct kft_strbuf *sb)
{
	char separator = d->suffix[1] == 'C'   ? ':'
			 : d->suffix[1] == 'D' ? '-'
			 : d->suffix[1] == 'N' ? '\0'
					       : ' ';

	size_t count = KFT_MIN(d->width, HEX_BYTES_MAX);

	b.len = KFT_MIN(b.len, count);
	kft_bytes_add_hex(b, separator, sb);
}

/* Prints %pad and %pap: a DMA or physical address, as wide as its field. */
static void add_physical(struct kft_bytes b, uint8_t size, bool swap,
			 struct kft_strbuf *sb)
{
	kft_strbuf_add(sb, "0x", 2);
	if (size && b.len >= size)
		kft_strbuf_addx(sb, kft_load_sized(b.p, size, swap), 2 * size);
}

static void add_bytes(const struct kft_directive *d, const struct kft_print_ctx *c,
		      struct kft_strbuf *sb)
{
	struct kft_bytes b = kft_eval_bytes(c, d->arg);
	bool big_endian = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != c->swap;
	size_t start = sb->len;

	switch (d->suffix[0]) {
	case 'M':
	case 'm':
		add_mac(d, b, sb);
		break;
	case 'U':
		add_uuid(d, b, sb);
		break;
	case 'h':
		add_hex(d, b, sb);
		return; /* for %*ph the width was the number of bytes */
	case 'b':
		if (d->suffix[1] == 'l')
			kft_bytes_add_ranges(c, b, d->width, sb);
		else
			kft_bytes_add_bitmask(c, b, d->width, sb);
		return;
	case 'a':
		add_physical(b, d->arg->size, c->swap, sb);
		break;
	default:
		kft_inet_add(d->suffix, b, big_endian, sb);
	}
	kft_directive_pad(d, sb, start);
}

void kft_print_pointer(const struct kft_directive *d, const struct kft_print_ctx *c,
		       struct kft_strbuf *sb)
{
	if (is_of_bytes(d)) {
		add_bytes(d, c, sb);
		return;
	}
	uint64_t v = kft_expr_norm(kft_eval_number(c, d->arg), d->size, false);
	if (is_symbol(d))
		kft_print_env_add_symbol(c->env, v,
					 d->suffix[0] != 's' && d->suffix[0] != 'f', sb);
	else
		kft_print_address(d, v, sb);
}
