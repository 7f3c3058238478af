// SPDX-License-Identifier: GPL-2.0-only
/* Produces candidates for shell completion. */
#include "cli/complete.h"

#include "cli/complete_names.h"
#include "cli/input.h"

#define FILES	 ":files\n"
#define COMMANDS ":commands\n"

/* A word without a beginning that its candidates share. */
static struct cli_word whole(struct kft_strbuf *sb, const char *text)
{
	return (struct cli_word){.sb = sb, .lead = "", .text = text};
}

static void complete_verb(struct kft_strbuf *sb, const char *text)
{
	const struct cli_word w = whole(sb, text);

	for (const struct cli_verb *const *v = cli_verbs; *v; v++)
		cli_word_offer(&w, (*v)->name);
	cli_word_offer(&w, "--help");
	cli_word_offer(&w, "--version");
}

/* The option that takes the next word as its argument; NULL if word needs no argument. */
static const struct kft_opt *awaits_value(const struct kft_opt *opts, const char *word)
{
	size_t len = strlen(word);

	if (len < 2 || word[0] != '-')
		return NULL;
	char last[] = {'-', word[len - 1]};
	const struct kft_opt *opt = word[1] == '-' ? kft_opt_find(opts, word, len)
						   : kft_opt_find(opts, last, 2);
	return opt && opt->arg ? opt : NULL;
}

/* The trace that a verb reads: an operand before the last word, or the default. */
static const char *trace_of(const struct cli_verb *verb, int argc, char **argv)
{
	if (!verb->operands || !strstr(verb->operands, "[FILE"))
		return NULL;
	for (int i = 1; i + 1 < argc; i++)
		if (argv[i][0] != '-' && !awaits_value(verb->opts, argv[i - 1]) &&
		    cli_input_is(argv[i]))
			return argv[i];
	return CLI_TRACE_DEFAULT;
}

/* path: the trace that the verb reads; NULL when it reads none. */
static void complete_value(const struct cli_word *w, const struct kft_opt *opt,
			   const char *path)
{
	if (opt->kind == KFT_OPT_ENUM) {
		for (const char *const *one = opt->words; *one; one++)
			cli_word_offer(w, *one);
	} else if (strstr(opt->arg, "FILE")) {
		kft_strbuf_adds(w->sb, FILES);
	} else if (strcmp(opt->arg, "SETS") == 0) {
		cli_word_offer_sets(w);
	} else if (strstr(opt->arg, "EVENT")) {
		cli_word_offer_events(w, path);
	} else if (strcmp(opt->arg, "KIND") == 0) {
		cli_word_offer_kinds(w);
	} else if (strcmp(opt->arg, "QUESTIONS") == 0) {
		cli_word_offer_questions(w);
	} else if (strstr(opt->arg, "CLOCK")) {
		cli_word_offer_catalog(w, KFT_CATALOG_CLOCKS);
	}
}

static void complete_option(struct kft_strbuf *sb, const struct kft_opt *opts,
			    const char *word)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf form = {};
	const struct cli_word w = whole(sb, word);

	for (const struct kft_opt *o = opts; !kft_opt_is_end(o); o++) {
		kft_strbuf_clear(&form);
		if (o->name)
			kft_strbuf_addf(&form, "--%s%s", o->name, o->arg ? "=" : "");
		else
			kft_strbuf_addf(&form, "-%c", o->letter);
		if (o->help)
			cli_word_offer(&w, kft_strbuf_cstr(&form));
	}
	cli_word_offer(&w, "--help");
}

/* "+SET" and "-SET": the sign belongs to the beginning that candidates share. */
static void complete_signed_set(struct kft_strbuf *sb, const char *text)
{
	const struct cli_word w = {
		.sb = sb,
		.lead = text[0] == '-' ? "-" : "+",
		.text = text + (text[0] == '+' || text[0] == '-'),
	};

	cli_word_offer_sets(&w);
}

static void complete_operand(struct kft_strbuf *sb, const struct cli_verb *verb,
			     bool is_first, const char *text)
{
	const struct cli_word w = whole(sb, text);

	for (const char *const *one = verb->first_operands; is_first && one && *one;
	     one++)
		cli_word_offer(&w, *one);
	if (!verb->operands)
		return;
	if (strstr(verb->operands, "+SET")) {
		if (!is_first)
			complete_signed_set(sb, text);
		return;
	}
	if (strstr(verb->operands, "SET|"))
		cli_word_offer_sets(&w);
	if (strstr(verb->operands, "|events|") && is_first) {
		cli_word_offer(&w, "events");
		cli_word_offer(&w, "sample");
		cli_word_offer(&w, "wall");
		cli_word_offer_kinds(&w);
	}
	if (strstr(verb->operands, "[WHAT]")) {
		cli_word_offer(&w, "all");
		cli_word_offer(&w, "command");
		cli_word_offer_why_kinds(&w);
	}
	if (strstr(verb->operands, "FILE"))
		kft_strbuf_adds(sb, FILES);
	if (strstr(verb->operands, "COMMAND") && !verb->takes_command)
		kft_strbuf_adds(sb, COMMANDS);
	if (strstr(verb->operands, "VERB"))
		for (const struct cli_verb *const *v = cli_verbs; *v; v++)
			cli_word_offer(&w, (*v)->name);
}

/* Whether the options ended before the last word. */
static bool after_options(const struct cli_verb *verb, int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "--") == 0)
			return true;
		if (!(verb->opt_flags & KFT_OPT_STOP_AT_OPERAND))
			continue;
		if (argv[i][0] != '-' &&
		    !(i > 1 && awaits_value(verb->opts, argv[i - 1])))
			return true;
	}
	return false;
}

static void complete_word(struct kft_strbuf *sb, const struct cli_verb *verb, int argc,
			  char **argv)
{
	const char *word = argv[argc - 1];
	const char *eq = strchr(word, '=');
	const struct kft_opt *opt;

	if (after_options(verb, argc, argv)) {
		if (verb->takes_command)
			kft_strbuf_adds(sb, COMMANDS);
		else
			complete_operand(sb, verb, argc == 2, word);
		return;
	}
	opt = argc > 2 ? awaits_value(verb->opts, argv[argc - 2]) : NULL;
	if (opt) {
		const struct cli_word w = whole(sb, word);

		complete_value(&w, opt, trace_of(verb, argc, argv));
		return;
	}
	opt = eq ? kft_opt_find(verb->opts, word, eq - word) : NULL;
	if (opt && opt->arg) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf lead = {};

		kft_strbuf_add(&lead, word, eq + 1 - word);
		const struct cli_word w = {
			.sb = sb, .lead = kft_strbuf_cstr(&lead), .text = eq + 1};
		complete_value(&w, opt, trace_of(verb, argc, argv));
	} else if (word[0] == '-') {
		complete_option(sb, verb->opts, word);
	} else {
		complete_operand(sb, verb, argc == 2, word);
	}
}

int cli_complete(struct cli *c, int argc, char **argv)
{
	if (!argc)
		return CLI_OK;
	if (argc == 1) {
		complete_verb(&c->out.sb, argv[0]);
		return CLI_OK;
	}
	const struct cli_verb *verb = cli_verb_find(argv[0]);
	if (verb)
		complete_word(&c->out.sb, verb, argc, argv);
	return CLI_OK;
}
