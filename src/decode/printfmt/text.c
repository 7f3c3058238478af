// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints expressions as text. */
#include "decode/printfmt/text.h"

#include "decode/printfmt/helper.h"
#include "decode/printfmt/hexdump.h"
#include "decode/printfmt/names.h"

static void add_string(const struct kft_print_ctx *c, const struct kft_expr *e,
		       size_t max, struct kft_strbuf *sb)
{
	struct kft_bytes b = kft_eval_bytes(c, e);
	const char *s = (const char *)b.p;
	size_t len = strnlen(s, KFT_MIN(b.len, max));

	/*
	 * Text of trace_printk() and trace_marker ends with a newline, which is dropped.
	 */
	if (e->op == KFT_EXPR_FIELD && e->field->place == KFT_FIELD_TAIL && len &&
	    s[len - 1] == '\n')
		len--;
	kft_strbuf_add_escaped(sb, s, len);
}

static void add_picked(const struct kft_print_ctx *c, const struct kft_expr *e,
		       struct kft_strbuf *sb)
{
	uint64_t i = kft_eval_number(c, e->a);

	if (i < e->n_texts)
		kft_strbuf_add(sb, e->texts[i].data, e->texts[i].len);
}

/* Prints a number where a string is expected: it is the address of a kernel string. */
static void add_number(const struct kft_print_ctx *c, const struct kft_expr *e,
		       struct kft_strbuf *sb)
{
	if (kft_expr_is_const(e) && e->value == 0)
		kft_strbuf_adds(sb, "(null)");
	else
		kft_print_env_add_string(c->env, kft_eval_number(c, e), sb);
}

enum { PREFIX_NONE, PREFIX_ADDRESS, PREFIX_OFFSET };

/* args: prefix, type of prefix, row size, group size, bytes, length, ascii. */
static void add_hex_dump(const struct kft_print_ctx *c,
			 const struct kft_expr *const *args, struct kft_strbuf *sb)
{
	struct kft_bytes b = kft_bytes_first(kft_eval_bytes(c, args[4]),
					     kft_eval_number(c, args[5]));
	uint64_t group = kft_eval_number(c, args[3]);
	struct kft_bytes_dump d = {.swap = c->swap,
				   .row = kft_eval_number(c, args[2]) == 32 ? 32 : 16,
				   .group = group == 2 || group == 4 || group == 8 ? group
										   : 1,
				   .ascii = kft_eval_number(c, args[6])};

	for (size_t i = 0; i < b.len; i += d.row) {
		kft_strbuf_addc(sb, '\n');
		if (args[0]->cls == KFT_EXPR_IS_TEXT)
			kft_eval_text(c, args[0], SIZE_MAX, sb);
		/*
		 * The address of the bytes in memory is not recorded; the
		 * offset stands for it.
		 */
		if (kft_eval_number(c, args[1]) != PREFIX_NONE) {
			kft_strbuf_addx(sb, i, 8);
			kft_strbuf_add(sb, ": ", 2);
		}
		struct kft_bytes row = {.p = b.p + i, .len = KFT_MIN(d.row, b.len - i)};
		kft_bytes_add_dump_line(&d, row, sb);
	}
}

void kft_eval_text(const struct kft_print_ctx *c, const struct kft_expr *e, size_t max,
		   struct kft_strbuf *sb)
{
	switch (e->op) {
	case KFT_EXPR_TEXT:
		kft_strbuf_add(sb, e->text.data, KFT_MIN(e->text.len, max));
		break;
	case KFT_EXPR_COND:
		kft_eval_text(c, kft_eval_number(c, e->a) ? e->b : e->c, max, sb);
		break;
	case KFT_EXPR_PICK:
		add_picked(c, e, sb);
		break;
	case KFT_EXPR_FLAGS:
		kft_name_table_add_flags(e->names, kft_eval_number(c, e->a), sb);
		break;
	case KFT_EXPR_SYMBOLIC:
		kft_name_table_add_symbol(e->names, kft_eval_number(c, e->a), sb);
		break;
	case KFT_EXPR_FORMAT:
		kft_print_run(e->program, c, sb);
		break;
	case KFT_EXPR_HEX_DUMP:
		add_hex_dump(c, e->args, sb);
		break;
	case KFT_EXPR_CALL:
		e->helper->print(c, e->args, sb);
		break;
	default:
		if (e->cls == KFT_EXPR_IS_BYTES)
			add_string(c, e, max, sb);
		else if (e->cls == KFT_EXPR_IS_NUMBER)
			add_number(c, e, sb);
		else
			kft_bytes_print(c, e, sb);
	}
}
