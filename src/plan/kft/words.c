// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads a configuration word by word and reports wrong words. */
#include "plan/kft/words.h"

#include <errno.h>
#include <string.h>

#include "base/suggest.h"

#define SHOWN_MAX 80 /* bytes of a wrong word that a message shows */

static const char *const keywords[] = {
	"new",	      "begin",	    "end",	 "trigger", "filter", "event", "watch",
	"logentries", "autorepeat", "overwrite", "untimed", "prime",  NULL,
};

void kft_words_init(struct kft_words *w, const char *text, size_t len,
		    struct kft_arena *arena, struct kft_diags *diags)
{
	*w = (struct kft_words){.arena = arena, .diags = diags};
	kft_lexer_init(&w->lexer, text, len);
	kft_words_skip(w);
}

void kft_words_skip(struct kft_words *w)
{
	w->tok = kft_lexer_next(&w->lexer);
}

bool kft_words_at(const struct kft_words *w, const char *word)
{
	return w->tok.kind == KFT_TOKEN_WORD && strlen(word) == w->tok.len &&
	       memcmp(word, w->tok.text, w->tok.len) == 0;
}

bool kft_words_accept(struct kft_words *w, const char *word)
{
	if (!kft_words_at(w, word))
		return false;
	kft_words_skip(w);
	return true;
}

bool kft_words_at_keyword(const struct kft_words *w)
{
	for (const char *const *k = keywords; *k; k++)
		if (kft_words_at(w, *k))
			return true;
	return false;
}

const char *kft_words_take(struct kft_words *w, const char *what)
{
	bool plain = w->tok.kind == KFT_TOKEN_WORD && !kft_words_at_keyword(w);

	if (!plain && w->tok.kind != KFT_TOKEN_STRING) {
		(void)kft_words_expected(w, what, NULL);
		return NULL;
	}
	const char *s = kft_arena_strndup(w->arena, w->tok.text, w->tok.len);

	if (!s)
		w->out_of_memory = true;
	kft_words_skip(w);
	return s;
}

static void suggest(struct kft_words *w, const char *const *choices)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf word = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	struct kft_suggest s;

	kft_strbuf_add(&word, w->tok.text, w->tok.len);
	kft_suggest_init(&s, kft_strbuf_cstr(&word));
	for (; *choices; choices++)
		kft_suggest_add(&s, *choices, strlen(*choices));
	if (kft_suggest_text(&s, &text))
		kft_diag_hint(w->diags, "%s", kft_strbuf_cstr(&text));
}

int kft_words_expected(struct kft_words *w, const char *what, const char *const *choices)
{
	const struct kft_token *t = &w->tok;
	int len = (int)KFT_MIN(t->len, (size_t)SHOWN_MAX);

	switch (t->kind) {
	case KFT_TOKEN_END:
		kft_diag_add(w->diags, t->pos, "end of file: expected %s", what);
		break;
	case KFT_TOKEN_UNCLOSED:
		kft_diag_add(w->diags, t->pos, "a quote that does not end on its line");
		break;
	case KFT_TOKEN_BAD_BYTE:
		kft_diag_add(w->diags, t->pos, "byte 0x%02x: expected text",
			     (unsigned char)*t->text);
		break;
	case KFT_TOKEN_COMMA:
	case KFT_TOKEN_WORD:
	case KFT_TOKEN_STRING:
		kft_diag_add(w->diags, t->pos, "'%.*s': expected %s", len, t->text, what);
		if (choices && t->kind == KFT_TOKEN_WORD)
			suggest(w, choices);
		break;
	}
	return -EINVAL;
}

int kft_words_wrong(struct kft_words *w, struct kft_pos pos, const char *word,
		    const char *what)
{
	kft_diag_add(w->diags, pos, "'%.*s': expected %s", SHOWN_MAX, word, what);
	return -EINVAL;
}
