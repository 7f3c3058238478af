// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses configurations into runs. */
#include "plan/kft/parser.h"

#include <errno.h>

#include "plan/kft/check.h"
#include "plan/kft/clause.h"

/* Resumes after a mistake, at the next keyword that can begin a clause or block. */
static void skip_to_keyword(struct kft_words *w)
{
	while (w->tok.kind != KFT_TOKEN_END && !kft_words_at_keyword(w))
		kft_words_skip(w);
}

/*
 * Reads clauses up to end. Without begin (a text of clauses only, as in KFT's
 * documents) the end of the file is enough; after begin, another begin or the end of
 * the file means that an end is missing.
 */
static void read_block(struct kft_words *w, struct kft_run_config *run, bool has_begin)
{
	static const char *const choices[] = {"end", NULL};

	while (!kft_words_accept(w, "end")) {
		bool at_new = kft_words_at(w, "new") || kft_words_at(w, "begin");

		if (w->tok.kind == KFT_TOKEN_END && !has_begin)
			return;
		if (w->tok.kind == KFT_TOKEN_END || at_new) {
			(void)kft_words_expected(w, "end", choices);
			kft_diag_hint(w->diags, "the block begins on line %u",
				      run->pos.line);
			return;
		}
		if (kft_clause_read(w, run) < 0)
			skip_to_keyword(w);
	}
}

static int read_run(struct kft_words *w, struct kft_config *c)
{
	struct kft_run_config empty = {.pos = w->tok.pos};
	bool has_new = kft_words_accept(w, "new");
	bool has_begin = kft_words_accept(w, "begin");
	bool bare = !has_begin && !has_new && c->runs.len == 0;

	if (!has_begin && !bare) {
		static const char *const choices[] = {"new", "begin", NULL};

		(void)kft_words_expected(w, has_new ? "begin" : "new or begin", choices);
		if (kft_words_at(w, "prime"))
			kft_diag_hint(w->diags, "prime stands before end");
		kft_words_skip(w);
		while (w->tok.kind != KFT_TOKEN_END && !kft_words_at(w, "new") &&
		       !kft_words_at(w, "begin"))
			kft_words_skip(w);
		return 0;
	}
	if (c->runs.len == KFT_CONFIG_MAX_RUNS) {
		kft_diag_add(w->diags, empty.pos, "more than %d runs",
			     KFT_CONFIG_MAX_RUNS);
		return -EINVAL;
	}
	if (!kft_vec_push(&c->runs, empty))
		return -ENOMEM;
	struct kft_run_config *run = &c->runs.data[c->runs.len - 1];
	read_block(w, run, has_begin);
	kft_run_config_check(run, w->diags);
	return 0;
}

static int read_all(struct kft_words *w, struct kft_config *c)
{
	struct kft_pos start = w->tok.pos;

	while (w->tok.kind != KFT_TOKEN_END) {
		int r = read_run(w, c);

		if (r < 0)
			return r;
		if (w->out_of_memory)
			return -ENOMEM;
	}
	if (!c->runs.len && !kft_diags_any(w->diags)) {
		kft_diag_add(w->diags, start,
			     "nothing but blanks and comments: expected "
			     "begin, clauses, end");
	}
	return kft_diags_any(w->diags) ? -EINVAL : 0;
}

int kft_config_parse(const char *text, size_t len, struct kft_diags *diags,
		     struct kft_config *ret)
{
	struct kft_config c = {};
	struct kft_words w;

	if (len > KFT_CONFIG_MAX_BYTES) {
		kft_diag_add(diags, (struct kft_pos){}, "longer than %u bytes",
			     KFT_CONFIG_MAX_BYTES);
		return -EINVAL;
	}
	kft_words_init(&w, text, len, &c.arena, diags);
	int r = read_all(&w, &c);
	if (r < 0)
		kft_config_finish(&c);
	else
		*ret = c;
	return r;
}
