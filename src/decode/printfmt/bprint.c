// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints binary trace_printk() records. */
#include "decode/printfmt/bprint.h"

#include <ctype.h>
#include <string.h>

#include "base/vec.h"
#include "decode/printfmt/eval.h"
#include "decode/printfmt/ptr.h"
#include "model/meta.h"

/* Constant text and the directive that follows it; the last item has no directive. */
struct item {
	const char *text;
	size_t len;
	struct kft_directive directive;
	bool is_last;
};

struct kft_bprint_format {
	struct item *items;
	size_t n;
};

struct items {
	KFT_VEC(struct item) v;
	struct kft_strbuf text;
};

static void items_finish(struct items *it)
{
	kft_vec_finish(&it->v);
	kft_strbuf_finish(&it->text);
}

void kft_bprint_finish(struct kft_bprint *b)
{
	kft_map_finish(&b->by_addr);
}

static bool add_item(struct kft_bprint *b, struct items *it, struct item item)
{
	item.text = kft_expr_literal(b->arena, it->text.buf, it->text.len, &item.len);
	kft_strbuf_clear(&it->text);
	return item.text && kft_vec_push(&it->v, item);
}

static bool read_items(struct kft_bprint *b, const char *p, size_t len, struct items *it)
{
	const char *end = p + len;

	while (p < end) {
		struct item item = {};
		size_t n = 0;

		if (*p == '%' && end - p > 1 && p[1] == '%')
			p++;
		else if (*p == '%')
			n = kft_directive_parse(p, end, b->long_size, &item.directive);
		if (!n) {
			kft_strbuf_addc(&it->text, *p++);
			continue;
		}
		if (!add_item(b, it, item))
			return false;
		p += n;
	}
	return add_item(b, it, (struct item){.is_last = true}) &&
	       kft_strbuf_ok(&it->text);
}

static const struct kft_bprint_format *make_format(struct kft_bprint *b,
						   const struct kft_blob *text)
{
	_cleanup_(items_finish) struct items it = {};

	if (!read_items(b, text->data, text->len, &it))
		return NULL;
	struct kft_bprint_format *f = kft_arena_alloc(b->arena, sizeof(*f));
	struct item *items = kft_arena_calloc(b->arena, it.v.len, sizeof(*items));
	if (!f || !items)
		return NULL;
	memcpy(items, it.v.data, it.v.len * sizeof(*items));
	*f = (struct kft_bprint_format){.items = items, .n = it.v.len};
	return f;
}

/* The format at addr; NULL when the trace lacks it. */
static const struct kft_bprint_format *
get_format(struct kft_bprint *b, const struct kft_print_ctx *c, uint64_t addr)
{
	const uint64_t *there = kft_map_get(&b->by_addr, addr);

	if (there)
		return (const struct kft_bprint_format *)(uintptr_t)*there;
	const uint64_t *text = kft_map_get(c->env->printk, addr);
	if (!text)
		return NULL;
	const struct kft_bprint_format *f =
		make_format(b, (const struct kft_blob *)(uintptr_t)*text);
	uint64_t *slot = f ? kft_map_put(&b->by_addr, addr) : NULL;
	if (slot)
		*slot = (uintptr_t)f;
	return f;
}

/* The packed arguments, as vbin_printf() of the kernel (lib/vsprintf.c) stores them. */
struct packed {
	const struct kft_print_ctx *c;
	const uint8_t *p;
	size_t len;
	size_t pos;
};

static bool get_number(struct packed *a, uint8_t size, uint64_t *ret)
{
	size_t align = size == 8 ? 4 : size;
	size_t pos = (a->pos + align - 1) & ~(align - 1);

	if (pos > a->len || size > a->len - pos)
		return false;
	*ret = kft_load_sized(a->p + pos, size, a->c->swap);
	a->pos = pos + size;
	return true;
}

static bool get_string(struct packed *a, const char **ret, size_t *ret_len)
{
	if (a->pos >= a->len)
		return false;
	*ret = (const char *)a->p + a->pos;
	*ret_len = strnlen(*ret, a->len - a->pos);
	a->pos += *ret_len + 1;
	return true;
}

/*
 * Whether %p with these letters is stored as an address; with other
 * letters it is stored as text.
 */
static bool is_stored_as_address(const struct kft_directive *d)
{
	switch (d->suffix[0]) {
	case '\0':
	case 'S':
	case 's':
	case 'x':
	case 'K':
	case 'e':
		return true;
	case 'F':
	case 'f':
		return d->suffix[1] != 'w';
	default:
		return false;
	}
}

static bool get_stars(struct packed *a, struct kft_directive *d)
{
	uint64_t v;

	if (d->star_width) {
		if (!get_number(a, 4, &v))
			return false;
		kft_directive_set_width(d, (int32_t)v);
	}
	if (d->star_precision) {
		if (!get_number(a, 4, &v))
			return false;
		kft_directive_set_precision(d, (int32_t)v);
	}
	return true;
}

static bool add_text(struct packed *a, const struct kft_directive *d,
		     struct kft_strbuf *sb)
{
	size_t start = sb->len;
	const char *s;
	size_t len;

	if (!get_string(a, &s, &len))
		return false;
	if (d->conv == KFT_CONV_STRING && d->precision >= 0)
		len = KFT_MIN(len, (size_t)d->precision);
	kft_strbuf_add_escaped(sb, s, len);
	if (d->conv == KFT_CONV_STRING)
		kft_directive_pad(d, sb, start);
	return true;
}

static bool add_address(struct packed *a, const struct kft_directive *d,
			struct kft_strbuf *sb)
{
	char kind = d->suffix[0] | 0x20;
	uint64_t v;

	if (!get_number(a, d->size, &v))
		return false;
	if (kind == 's' || kind == 'f')
		kft_print_env_add_symbol(a->c->env, v,
					 d->suffix[0] != 's' && d->suffix[0] != 'f', sb);
	else
		kft_print_address(d, v, sb);
	return true;
}

static bool add_directive(struct packed *a, const struct kft_directive *parsed,
			  struct kft_strbuf *sb)
{
	struct kft_directive d = *parsed;
	uint64_t v;

	if (!get_stars(a, &d))
		return false;
	switch (d.conv) {
	case KFT_CONV_STRING:
		return add_text(a, &d, sb);
	case KFT_CONV_POINTER:
		return is_stored_as_address(&d) ? add_address(a, &d, sb)
						: add_text(a, &d, sb);
	case KFT_CONV_CHAR:
		if (!get_number(a, 1, &v))
			return false;
		kft_directive_add_char(&d, v, sb);
		return true;
	default:
		if (!get_number(a, d.size, &v))
			return false;
		kft_directive_add_number(&d, v, sb);
		return true;
	}
}

void kft_bprint_add(struct kft_bprint *b, const struct kft_print_ctx *c, uint64_t addr,
		    const uint8_t *args, size_t len, struct kft_strbuf *sb)
{
	const struct kft_bprint_format *f = get_format(b, c, addr);
	struct packed a = {.c = c, .p = args, .len = len};
	size_t start = sb->len;

	if (!f) {
		kft_strbuf_adds(sb, "(NO FORMAT FOUND at ");
		kft_strbuf_addx(sb, addr, 1);
		kft_strbuf_addc(sb, ')');
		return;
	}
	for (const struct item *it = f->items;; it++) {
		kft_strbuf_add(sb, it->text, it->len);
		if (it->is_last || sb->len - start > KFT_BPRINT_TEXT_MAX ||
		    !add_directive(&a, &it->directive, sb))
			return;
	}
}
