// SPDX-License-Identifier: LGPL-2.1-or-later
/* Runs a compiled `print fmt`. The speed of `kft report` depends on this file. */
#include "base/cursor.h"
#include "base/digits.h"
#include "decode/printfmt/ptr.h"
#include "decode/printfmt/text.h"
#include "model/syscall.h"

/* Longest output of an operation that prints a number, and the slack of text copies. */
#define NUMBER_ROOM 24
#define OP_ROOM	    (NUMBER_ROOM + KFT_EXPR_TEXT_SLACK)

/* " execve" is written into the slack. */
_Static_assert(1 + KFT_SYSCALL_NAME_MAX <= KFT_EXPR_TEXT_SLACK, "room for a name");

static inline char *put_s64(char *p, int64_t v)
{
	if (v < 0) {
		*p++ = '-';
		return kft_put_u64(p, -(uint64_t)v);
	}
	return kft_put_u64(p, v);
}

static inline char *put_s32(char *p, int32_t v)
{
	if (v < 0) {
		*p++ = '-';
		return kft_put_u32(p, -(uint32_t)v);
	}
	return kft_put_u32(p, v);
}

/*
 * Makes eight hexadecimal digits at once: each four bits of v
 * become a byte of the result.
 */
static inline uint64_t spread_digits(uint32_t v)
{
	const uint64_t sixes = UINT64_C(0x0606060606060606);
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t x = v;

	x = (x & 0xffff0000) << 16 | (x & 0xffff);
	x = (x & UINT64_C(0xff000000ff00)) << 8 | (x & UINT64_C(0xff000000ff));
	x = (x & UINT64_C(0xf000f000f000f0)) << 4 | (x & UINT64_C(0xf000f000f000f));
	/* Values 10 to 15 carry into bit 4: these bytes get 'a' - '0' - 10 added. */
	uint64_t letters = (x + sixes) >> 4 & ones;
	x += '0' * ones + letters * ('a' - '0' - 10);
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(x) : x;
}

/* Writes the last n of eight digits, n > 0; always stores eight bytes. */
static inline void put_last_digits(char *p, uint64_t digits, unsigned int n)
{
	unsigned int shift = 8 * (8 - n);

	digits = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? digits >> shift
							   : digits << shift;
	memcpy(p, &digits, sizeof(digits));
}

static inline char *put_hex(char *p, uint64_t v, unsigned int min_digits)
{
	unsigned int n = (67 - __builtin_clzll(v | 1)) / 4;

	if (n < min_digits)
		n = min_digits;
	if (n > 8) {
		put_last_digits(p, spread_digits(v >> 32), n - 8);
		put_last_digits(p + n - 8, spread_digits(v), 8);
	} else {
		put_last_digits(p, spread_digits(v), n);
	}
	return p + n;
}

/*
 * Marks the bytes of v that end or interrupt plain text: 0, below blank, DEL and above.
 */
static inline uint64_t special_bytes(uint64_t v)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	const uint64_t tops = ones << 7;
	/* 0x7f + 1 has its top bit set; so has a byte >= 0x80. */
	uint64_t high = (v + ones) | v;
	/*
	 * Marks bytes with v - 0x20 < 0. The set top bit of each byte absorbs the borrow,
	 * and bytes from 0x80 are marked anyway.
	 */
	uint64_t low = ~((v | tops) - ones * 0x20);

	return (high | low) & tops;
}

/* Copies plain text to p up to the first special byte; returns the length. */
static inline size_t copy_plain(char *p, const uint8_t *s, size_t len)
{
	size_t n = 0;

	for (; n + 8 <= len; n += 8) {
		uint64_t v;

		memcpy(&v, s + n, 8);
		if (special_bytes(v))
			break;
		memcpy(p + n, &v, 8);
	}
	for (; n < len && s[n] >= 0x20 && s[n] < 0x7f; n++)
		p[n] = s[n];
	return n;
}

/* The write position, kept outside of the strbuf while operations run. */
struct out {
	char *p;
	char *end;
	struct kft_strbuf *sb;
};

static inline void out_begin(struct out *o)
{
	o->p = o->sb->buf + o->sb->len;
	o->end = o->sb->buf + o->sb->cap;
}

static inline void out_commit(struct out *o)
{
	o->sb->len = o->p - o->sb->buf;
}

static inline bool out_room(struct out *o, size_t n)
{
	if (likely((size_t)(o->end - o->p) > n))
		return true;
	out_commit(o);
	if (!kft_strbuf_reserve(o->sb, n))
		return false;
	out_begin(o);
	return true;
}

static void put_bytes(struct out *o, struct kft_bytes b)
{
	if (!out_room(o, b.len))
		return;
	size_t n = copy_plain(o->p, b.p, b.len);
	o->p += n;
	if (n == b.len || b.p[n] == '\0')
		return;
	const char *rest = (const char *)b.p + n;
	out_commit(o);
	kft_strbuf_add_escaped(o->sb, rest, strnlen(rest, b.len - n));
	out_begin(o);
}

static inline void put_symbol(struct out *o, const struct kft_print_ctx *c, uint64_t addr,
			      bool offset)
{
	const struct kft_symbol_hit *hit = kft_print_env_symbol(c->env, addr);

	if (likely(hit->name && hit->plain && out_room(o, hit->len + NUMBER_ROOM))) {
		memcpy(o->p, hit->name, hit->len);
		o->p += hit->len;
		if (offset) {
			memcpy(o->p, "+0x", 3);
			o->p = put_hex(o->p + 3, hit->offset, 1);
		}
		return;
	}
	out_commit(o);
	kft_print_env_add_symbol(c->env, addr, offset, o->sb);
	out_begin(o);
}

static inline char *put_address(char *p, uint64_t v)
{
	if (v == 0) {
		memcpy(p, "(nil)", 5);
		return p + 5;
	}
	memcpy(p, "0x", 2);
	return put_hex(p + 2, v, 1);
}

/* Writes "59 execve". */
static inline char *put_syscall(char *p, const struct kft_print_op *op, const uint8_t *f,
				bool swap)
{
	int64_t number = op->digits == 8 ? (int64_t)kft_load_u64(f, swap)
					 : (int32_t)kft_load_u32(f, swap);
	const char *name = kft_syscall_name(op->syscalls, number);

	p = put_s64(p, number);
	if (name) {
		*p++ = ' ';
		for (int i = 0; i < KFT_SYSCALL_NAME_MAX && name[i]; i++)
			*p++ = name[i];
	}
	return p;
}

/* Runs the rare operations, through the strbuf. */
static void run_other(const struct kft_print_op *op, const struct kft_print_ctx *c,
		      struct out *o)
{
	out_commit(o);
	if (op->kind == KFT_PRINT_TEXT)
		kft_eval_text(c, op->expr, SIZE_MAX, o->sb);
	else
		kft_print_directive(op->directive, c, o->sb);
	out_begin(o);
}

static inline bool put_text(struct out *o, const struct kft_print_op *op)
{
	if (!out_room(o, op->text_len + OP_ROOM))
		return false;
	memcpy(o->p, op->text, KFT_EXPR_TEXT_SLACK);
	if (op->text_len > KFT_EXPR_TEXT_SLACK)
		memcpy(o->p, op->text, op->text_len);
	o->p += op->text_len;
	return true;
}

/* Runs a program. swap is a constant in each of the two inlined copies. */
static inline __attribute__((always_inline)) void run(const struct kft_print_op *op,
						      const struct kft_print_ctx *c,
						      struct out *o, const bool swap)
{
	for (;; op++) {
		if (!put_text(o, op))
			return;
		const uint8_t *f = c->data + op->offset;
		switch (op->kind) {
		case KFT_PRINT_END:
			return;
		case KFT_PRINT_S32:
			o->p = put_s32(o->p, kft_load_u32(f, swap));
			break;
		case KFT_PRINT_S64:
			o->p = put_s64(o->p, kft_load_u64(f, swap));
			break;
		case KFT_PRINT_U8:
			o->p = kft_put_u32(o->p, *f);
			break;
		case KFT_PRINT_U16:
			o->p = kft_put_u32(o->p, kft_load_u16(f, swap));
			break;
		case KFT_PRINT_U32:
			o->p = kft_put_u32(o->p, kft_load_u32(f, swap));
			break;
		case KFT_PRINT_U64:
			o->p = kft_put_u64(o->p, kft_load_u64(f, swap));
			break;
		case KFT_PRINT_X32:
			o->p = put_hex(o->p, kft_load_u32(f, swap), op->digits);
			break;
		case KFT_PRINT_X64:
			o->p = put_hex(o->p, kft_load_u64(f, swap), op->digits);
			break;
		case KFT_PRINT_STRING:
			put_bytes(o, kft_eval_field(c, op->field));
			break;
		case KFT_PRINT_SYMBOL:
			put_symbol(o, c, kft_load_sized(f, c->long_size, swap), false);
			break;
		case KFT_PRINT_SYMBOL_OFFSET:
			put_symbol(o, c, kft_load_sized(f, c->long_size, swap), true);
			break;
		case KFT_PRINT_ADDRESS:
			o->p = put_address(o->p, kft_load_sized(f, c->long_size, swap));
			break;
		case KFT_PRINT_SYSCALL:
			o->p = put_syscall(o->p, op, f, swap);
			break;
		default:
			run_other(op, c, o);
		}
	}
}

void kft_print_run(const struct kft_print_program *p, const struct kft_print_ctx *c,
		   struct kft_strbuf *sb)
{
	struct out o = {.sb = sb};

	if (!kft_strbuf_reserve(sb, OP_ROOM))
		return;
	out_begin(&o);
	if (c->swap)
		run(p->ops, c, &o, true);
	else
		run(p->ops, c, &o, false);
	out_commit(&o);
}

static void print_string(const struct kft_directive *d, const struct kft_print_ctx *c,
			 struct kft_strbuf *sb)
{
	size_t start = sb->len;

	kft_eval_text(c, d->arg, d->precision < 0 ? SIZE_MAX : (size_t)d->precision, sb);
	kft_directive_pad(d, sb, start);
}

void kft_print_directive(const struct kft_directive *d, const struct kft_print_ctx *c,
			 struct kft_strbuf *sb)
{
	struct kft_directive now = *d;

	if (d->star_width)
		kft_directive_set_width(&now, kft_eval_number(c, d->width_arg));
	if (d->star_precision)
		kft_directive_set_precision(&now, kft_eval_number(c, d->precision_arg));
	switch (d->conv) {
	case KFT_CONV_STRING:
		print_string(&now, c, sb);
		break;
	case KFT_CONV_POINTER:
		kft_print_pointer(&now, c, sb);
		break;
	case KFT_CONV_CHAR:
		kft_directive_add_char(&now, kft_eval_number(c, d->arg), sb);
		break;
	default:
		kft_directive_add_number(&now, kft_eval_number(c, d->arg), sb);
	}
}
