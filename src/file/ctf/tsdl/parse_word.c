// SPDX-License-Identifier: LGPL-2.1-or-later
/* Steps through the tokens of TSDL and limits the nesting of blocks. */
#include "file/ctf/tsdl/parse_impl.h"

#include <errno.h>

#include "base/err.h"
#include "base/strbuf.h"

#define PATH_BYTES_MAX 1024

int kft_ctf_fail(struct kft_ctf_parser *p, const char *what)
{
	return kft_ctf_lex_error(&p->lex, p->e, "%s", what);
}

int kft_ctf_no_memory(struct kft_ctf_parser *p)
{
	return kft_err_set(p->e, -ENOMEM, "out of memory, or the metadata is too big");
}

int kft_ctf_enter(struct kft_ctf_parser *p)
{
	if (p->depth == KFT_CTF_NESTING_MAX)
		return kft_ctf_fail(p, "nested too deep");
	p->depth++;
	return 0;
}

void kft_ctf_leave(struct kft_ctf_parser *p)
{
	p->depth--;
}

bool kft_ctf_at(const struct kft_ctf_parser *p, const char *word)
{
	return kft_ctf_token_is(&p->lex.token, word);
}

bool kft_ctf_take(struct kft_ctf_parser *p, const char *word)
{
	if (!kft_ctf_at(p, word))
		return false;
	kft_ctf_lex_next(&p->lex);
	return true;
}

int kft_ctf_expect(struct kft_ctf_parser *p, const char *word)
{
	if (kft_ctf_take(p, word))
		return 0;
	return kft_ctf_lex_error(&p->lex, p->e, "'%s' is expected", word);
}

int kft_ctf_take_name(struct kft_ctf_parser *p, const char **ret)
{
	const struct kft_ctf_token *t = &p->lex.token;

	if (t->kind != KFT_CTF_NAME)
		return kft_ctf_fail(p, "a name is expected");
	*ret = kft_arena_strndup(&p->meta->arena, t->text, t->len);
	if (!*ret)
		return kft_ctf_no_memory(p);
	kft_ctf_lex_next(&p->lex);
	return 0;
}

int kft_ctf_take_int(struct kft_ctf_parser *p, int64_t *ret)
{
	bool minus = false;

	for (;;) {
		if (kft_ctf_take(p, "-"))
			minus = !minus;
		else if (!kft_ctf_take(p, "+"))
			break;
	}
	if (p->lex.token.kind != KFT_CTF_NUMBER)
		return kft_ctf_fail(p, "a number is expected");
	uint64_t v = p->lex.token.value;
	*ret = (int64_t)(minus ? 0 - v : v);
	kft_ctf_lex_next(&p->lex);
	return 0;
}

int kft_ctf_take_path(struct kft_ctf_parser *p, const char **ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	for (;;) {
		const struct kft_ctf_token *t = &p->lex.token;

		if (t->kind != KFT_CTF_NAME || sb.len + t->len > PATH_BYTES_MAX)
			return kft_ctf_fail(p, "a name is expected");
		kft_strbuf_add(&sb, t->text, t->len);
		kft_ctf_lex_next(&p->lex);
		if (!kft_ctf_take(p, "."))
			break;
		kft_strbuf_addc(&sb, '.');
	}
	*ret = kft_arena_strdup(&p->meta->arena, kft_strbuf_cstr(&sb));
	return *ret && kft_strbuf_ok(&sb) ? 0 : kft_ctf_no_memory(p);
}

/* Replaces the escapes that writers use; any other escape stands for its character. */
static char unescape(char c)
{
	return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
}

int kft_ctf_take_quoted(struct kft_ctf_parser *p, const char **ret)
{
	const struct kft_ctf_token *t = &p->lex.token;
	size_t n = 0;

	*ret = NULL;
	if (t->kind != KFT_CTF_QUOTED)
		return 0;
	char *text = kft_arena_strndup(&p->meta->arena, t->text, t->len);
	if (!text)
		return kft_ctf_no_memory(p);
	for (size_t i = 0; i < t->len; i++) {
		bool escaped = t->text[i] == '\\' && i + 1 < t->len;

		i += escaped;
		text[n++] = escaped ? unescape(t->text[i]) : t->text[i];
	}
	text[n] = '\0';
	*ret = text;
	kft_ctf_lex_next(&p->lex);
	return 0;
}

int kft_ctf_take_value(struct kft_ctf_parser *p, const char **ret_text,
		       int64_t *ret_number)
{
	int r = kft_ctf_take_quoted(p, ret_text);

	if (r < 0 || *ret_text)
		return r;
	if (p->lex.token.kind == KFT_CTF_NAME)
		return kft_ctf_take_path(p, ret_text);
	return kft_ctf_take_int(p, ret_number);
}
