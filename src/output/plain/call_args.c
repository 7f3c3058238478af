// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes arguments of system calls. */
#include "output/plain/call_args.h"

#include "output/plain/words.h"

/* A mask of 32 ones stands for the whole value. */
static uint64_t mask_of(const struct kft_arg_name *n)
{
	return n->mask == UINT32_MAX ? UINT64_MAX : n->mask;
}

void kft_arg_add_set(const struct kft_arg_type *type, uint64_t value,
		     struct kft_strbuf *sb)
{
	uint64_t rest = value;
	bool any = false;

	for (const struct kft_arg_name *n = type->names; n->name; n++) {
		if ((value & mask_of(n)) != n->value || (n->value && !(rest & n->value)))
			continue;
		if (any)
			kft_strbuf_addc(sb, '|');
		kft_strbuf_adds(sb, n->name);
		rest &= ~mask_of(n);
		any = true;
	}
	if (any && !rest)
		return;
	if (any)
		kft_strbuf_addc(sb, '|');
	if (type->is_int && !any)
		kft_strbuf_addi(sb, (int32_t)value);
	else if (rest)
		kft_strbuf_addf(sb, "0x%llx", (unsigned long long)rest);
	else
		kft_strbuf_addc(sb, '0');
}

static void add_number(uint64_t value, struct kft_strbuf *sb)
{
	int64_t v = (int64_t)value;

	if (v > -4096 && v <= UINT32_MAX) {
		kft_strbuf_addi(sb, v);
		return;
	}
	kft_strbuf_adds(sb, "0x");
	kft_strbuf_addx(sb, value, 1);
}

static void add_pointer(uint64_t value, struct kft_strbuf *sb)
{
	if (!value) {
		kft_strbuf_adds(sb, "NULL");
		return;
	}
	kft_strbuf_adds(sb, "0x");
	kft_strbuf_addx(sb, value, 1);
}

void kft_arg_add(const struct kft_arg_type *type, uint64_t value, const char *text,
		 size_t text_len, struct kft_strbuf *sb)
{
	switch (type->kind) {
	case KFT_ARG_NUMBER:
		add_number(value, sb);
		break;
	case KFT_ARG_INT:
		kft_strbuf_addi(sb, (int32_t)value);
		break;
	case KFT_ARG_OCTAL:
		kft_strbuf_addf(sb, "%#o", (uint32_t)value);
		break;
	case KFT_ARG_SIGNAL:
		kft_plain_add_signal((uint32_t)value, sb);
		break;
	case KFT_ARG_SET:
		/* The upper half of an int's register is undefined. */
		kft_arg_add_set(type, type->is_long ? value : (uint32_t)value, sb);
		break;
	case KFT_ARG_STRING:
	case KFT_ARG_POINTER:
		if (!text) {
			add_pointer(value, sb);
			break;
		}
		kft_strbuf_addc(sb, '"');
		kft_strbuf_add_escaped(sb, text, text_len);
		kft_strbuf_addc(sb, '"');
		break;
	}
}
