// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the names of user-space addresses. */
#include "model/user_symbol.h"

#include <string.h>

static void add_place(const char *file, uint64_t offset, struct kft_strbuf *sb)
{
	kft_strbuf_add_escaped(sb, file, strlen(file));
	kft_strbuf_adds(sb, "+0x");
	kft_strbuf_addx(sb, offset, 1);
}

void kft_user_symbol_add(const struct kft_user_symbol *s, struct kft_strbuf *sb)
{
	add_place(s->name ? s->name : s->file, s->offset, sb);
	if (!s->name)
		return;
	kft_strbuf_adds(sb, " (");
	kft_strbuf_add_escaped(sb, s->file, strlen(s->file));
	kft_strbuf_addc(sb, ')');
}

static const char *name_of_file(const struct kft_user_symbol *s)
{
	const char *slash = s->file[0] == '/' ? strrchr(s->file, '/') : NULL;

	return slash && slash[1] ? slash + 1 : s->file;
}

void kft_user_symbol_add_function(const struct kft_user_symbol *s, struct kft_strbuf *sb)
{
	const char *file = name_of_file(s);

	kft_strbuf_add_escaped(sb, file, strlen(file));
	kft_strbuf_addc(sb, s->name ? ':' : ' ');
	if (s->name)
		kft_strbuf_add_escaped(sb, s->name, strlen(s->name));
	else
		kft_strbuf_adds(sb, "(no symbol)");
}

void kft_user_symbol_add_short(const struct kft_user_symbol *s, struct kft_strbuf *sb)
{
	if (s->name)
		kft_user_symbol_add_function(s, sb);
	else
		add_place(name_of_file(s), s->offset, sb);
}
