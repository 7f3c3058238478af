// SPDX-License-Identifier: LGPL-2.1-or-later
/* Splits a configuration into words. */
#include "plan/kft/lexer.h"

#include <string.h>

static const char byte_order_mark[] = "\xef\xbb\xbf";

void kft_lexer_init(struct kft_lexer *l, const char *text, size_t len)
{
	*l = (struct kft_lexer){.p = text, .end = text + len, .pos = {1, 1}};
	if (len >= 3 && memcmp(text, byte_order_mark, 3) == 0)
		l->p += 3;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

static bool ends_word(char c)
{
	return is_blank(c) || is_control(c) || c == ',' || c == '#' || c == '"';
}

static void advance(struct kft_lexer *l)
{
	if (*l->p == '\n') {
		l->pos.line++;
		l->pos.col = 1;
	} else {
		l->pos.col++;
	}
	l->p++;
}

static void skip_blanks(struct kft_lexer *l)
{
	bool comment = false;

	for (; l->p < l->end; advance(l)) {
		if (*l->p == '#')
			comment = true;
		else if (*l->p == '\n')
			comment = false;
		else if (!comment && !is_blank(*l->p))
			return;
	}
}

static struct kft_token take_string(struct kft_lexer *l)
{
	struct kft_token t = {.kind = KFT_TOKEN_STRING, .pos = l->pos, .text = l->p + 1};

	advance(l);
	while (l->p < l->end && *l->p != '"' && !is_control(*l->p))
		advance(l);
	t.len = l->p - t.text;
	if (l->p < l->end && *l->p == '"')
		advance(l);
	else
		t.kind = KFT_TOKEN_UNCLOSED;
	return t;
}

struct kft_token kft_lexer_next(struct kft_lexer *l)
{
	skip_blanks(l);
	struct kft_token t = {.kind = KFT_TOKEN_END, .pos = l->pos, .text = l->p};

	if (l->p == l->end)
		return t;
	if (*l->p == '"')
		return take_string(l);
	if (*l->p == ',' || is_control(*l->p)) {
		t.kind = *l->p == ',' ? KFT_TOKEN_COMMA : KFT_TOKEN_BAD_BYTE;
		t.len = 1;
		advance(l);
		return t;
	}
	t.kind = KFT_TOKEN_WORD;
	while (l->p < l->end && !ends_word(*l->p))
		advance(l);
	t.len = l->p - t.text;
	return t;
}
