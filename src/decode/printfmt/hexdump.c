// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints arrays, bit masks and stack traces in a record. */
#include "decode/printfmt/hexdump.h"

#define HOST_IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* The first `count` bytes, or all if there are fewer. */
struct kft_bytes kft_bytes_first(struct kft_bytes b, int64_t count)
{
	if (count < 0)
		count = 0;
	b.len = KFT_MIN(b.len, (size_t)count);
	return b;
}

void kft_bytes_add_hex(struct kft_bytes b, char separator, struct kft_strbuf *sb)
{
	for (size_t i = 0; i < b.len; i++) {
		if (i && separator)
			kft_strbuf_addc(sb, separator);
		kft_strbuf_addx(sb, b.p[i], 2);
	}
}

/* Prints like the kernel's trace_print_array_seq(). */
static void add_array(const struct kft_print_ctx *c, const struct kft_expr *e,
		      struct kft_strbuf *sb)
{
	struct kft_bytes b = kft_eval_bytes(c, e->a);
	uint64_t size = kft_eval_number(c, e->c);
	bool good = size == 1 || size == 2 || size == 4 || size == 8;
	size_t step = good ? size : 1;
	size_t n = b.len / step;

	if (e->b) {
		int64_t count = kft_eval_number(c, e->b);

		n = KFT_MIN(n, (size_t)KFT_MAX(count, (int64_t)0));
	}
	kft_strbuf_addc(sb, '{');
	for (size_t i = 0; i < n; i++) {
		if (i)
			kft_strbuf_addc(sb, ',');
		kft_strbuf_add(sb, "0x", 2);
		kft_strbuf_addx(sb, kft_load_sized(b.p + i * step, step, c->swap), 1);
	}
	kft_strbuf_addc(sb, '}');
}

/*
 * Bits 32 * i to 32 * i + 31 of a mask. In big-endian longs of 8 bytes,
 * the high word comes first.
 */
static uint32_t mask_word(const struct kft_print_ctx *c, struct kft_bytes b, size_t i)
{
	bool big_endian = HOST_IS_BIG_ENDIAN != c->swap;
	uint8_t tmp[4] = {};

	if (big_endian && c->long_size == 8)
		i ^= 1;
	for (size_t k = 0; k < sizeof(tmp) && i * sizeof(tmp) + k < b.len; k++)
		tmp[k] = b.p[i * sizeof(tmp) + k];
	return kft_load_sized(tmp, sizeof(tmp), c->swap);
}

void kft_bytes_add_bitmask(const struct kft_print_ctx *c, struct kft_bytes b,
			   size_t n_bits, struct kft_strbuf *sb)
{
	n_bits = KFT_MIN(n_bits, b.len * 8);
	size_t words = (n_bits + 31) / 32;
	size_t top_bits = n_bits % 32 ? n_bits % 32 : 32;

	for (size_t i = words; i > 0; i--) {
		uint32_t v = mask_word(c, b, i - 1);
		size_t bits = i == words ? top_bits : 32;

		if (i < words)
			kft_strbuf_addc(sb, ',');
		if (bits < 32)
			v &= (UINT32_C(1) << bits) - 1;
		kft_strbuf_addx(sb, v, (bits + 3) / 4);
	}
}

static void add_range(struct kft_strbuf *sb, bool *first_one, size_t from, size_t to)
{
	if (!*first_one)
		kft_strbuf_addc(sb, ',');
	*first_one = false;
	kft_strbuf_addu(sb, from, 1);
	if (to > from) {
		kft_strbuf_addc(sb, '-');
		kft_strbuf_addu(sb, to, 1);
	}
}

void kft_bytes_add_ranges(const struct kft_print_ctx *c, struct kft_bytes b,
			  size_t n_bits, struct kft_strbuf *sb)
{
	bool first_one = true;
	bool inside = false;
	size_t from = 0;
	uint32_t word = 0;

	n_bits = KFT_MIN(n_bits, b.len * 8);
	for (size_t i = 0; i < n_bits; i++) {
		if (i % 32 == 0)
			word = mask_word(c, b, i / 32);
		bool set = word >> (i % 32) & 1;
		if (set && !inside)
			from = i;
		if (!set && inside)
			add_range(sb, &first_one, from, i - 1);
		inside = set;
	}
	if (inside)
		add_range(sb, &first_one, from, n_bits - 1);
}

/* Prints one line per address, like the kernel's trace_stack_print(). */
static void add_stack(const struct kft_print_ctx *c, struct kft_bytes b,
		      struct kft_strbuf *sb)
{
	for (size_t i = 0; i + c->long_size <= b.len; i += c->long_size) {
		uint64_t addr = kft_load_sized(b.p + i, c->long_size, c->swap);

		kft_strbuf_adds(sb, "\n=> ");
		kft_print_env_add_symbol(c->env, addr, true, sb);
	}
}

void kft_bytes_add_dump_line(const struct kft_bytes_dump *d, struct kft_bytes b,
			     struct kft_strbuf *sb)
{
	size_t group = b.len % d->group ? 1 : d->group;
	size_t start = sb->len;
	size_t ascii_column = d->row * 2 + d->row / group + 1;

	for (size_t i = 0; i < b.len; i += group) {
		if (i)
			kft_strbuf_addc(sb, ' ');
		kft_strbuf_addx(sb, kft_load_sized(b.p + i, group, d->swap), group * 2);
	}
	if (!d->ascii)
		return;
	size_t used = sb->len - start;
	kft_strbuf_fill(sb, ' ', ascii_column > used ? ascii_column - used : 0);
	for (size_t i = 0; i < b.len; i++)
		kft_strbuf_addc(sb, b.p[i] >= 0x20 && b.p[i] < 0x7f ? b.p[i] : '.');
}

void kft_bytes_print(const struct kft_print_ctx *c, const struct kft_expr *e,
		     struct kft_strbuf *sb)
{
	struct kft_bytes b = kft_eval_bytes(c, e->a);

	switch (e->op) {
	case KFT_EXPR_HEX:
		kft_bytes_add_hex(kft_bytes_first(b, kft_eval_number(c, e->b)), ' ', sb);
		break;
	case KFT_EXPR_HEX_STR:
		kft_bytes_add_hex(kft_bytes_first(b, kft_eval_number(c, e->b)), '\0', sb);
		break;
	case KFT_EXPR_ARRAY:
		add_array(c, e, sb);
		break;
	case KFT_EXPR_BITMASK:
		kft_bytes_add_bitmask(c, b, b.len * 8, sb);
		break;
	case KFT_EXPR_CPUMASK:
		kft_bytes_add_ranges(c, b, b.len * 8, sb);
		break;
	case KFT_EXPR_STACK:
		add_stack(c, b, sb);
		break;
	default:
		break;
	}
}
