// SPDX-License-Identifier: GPL-2.0-only
/* Answers what a shell's completion asks. */
#include "cli/complete.h"

#include "capture/tracefs/catalog.h"
#include "sets/choose.h"
#include "sets/sets.h"

#define FILES	 ":files\n"
#define COMMANDS ":commands\n"

static void add_if_prefix(struct kft_strbuf *sb, const char *word, const char *lead,
			  const char *candidate)
{
	size_t len = strlen(word);

	if (strncmp(candidate, word, len) == 0)
		kft_strbuf_addf(sb, "%s%s\n", lead, candidate);
}

static void complete_verb(struct kft_strbuf *sb, const char *word)
{
	for (const struct cli_verb *const *v = cli_verbs; *v; v++)
		add_if_prefix(sb, word, "", (*v)->name);
	add_if_prefix(sb, word, "", "--help");
	add_if_prefix(sb, word, "", "--version");
}

/* What the running kernel has; nothing, when it does not let us look. */
static void complete_catalog(struct kft_strbuf *sb, enum kft_catalog_kind kind,
			     const char *lead, const char *word)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	_cleanup_(kft_catalog_finish) struct kft_catalog catalog = {};

	if (kft_host_open(NULL, &host, NULL) < 0 ||
	    kft_catalog_read(host, kind, NULL, &catalog, NULL) < 0)
		return;
	kft_vec_for_each(&catalog.entries, entry)
		add_if_prefix(sb, word, lead, entry->name);
}

/* kft's own and the user's; of one name only the last one is used. */
static void complete_sets(struct kft_strbuf *sb, const char *lead, const char *word)
{
	_cleanup_(kft_sets_finish) struct kft_sets sets = {};

	if (kft_sets_add_builtin(&sets, NULL) == 0)
		(void)!kft_sets_add_users(&sets, KFT_SETS_USERS_DIR, NULL);
	kft_vec_for_each(&sets.list, set)
		if (!set->is_symbol && kft_sets_find(&sets, NULL, set->name) == set)
			add_if_prefix(sb, word, lead, set->name);
}

/* lead is what stands before the value in the word: "--style=" or nothing. */
static void complete_value(struct kft_strbuf *sb, const struct kft_opt *opt,
			   const char *lead, const char *word)
{
	if (opt->kind == KFT_OPT_ENUM) {
		for (const char *const *w = opt->words; *w; w++)
			add_if_prefix(sb, word, lead, *w);
	} else if (strstr(opt->arg, "FILE")) {
		kft_strbuf_adds(sb, FILES);
	} else if (strcmp(opt->arg, "SETS") == 0) {
		complete_sets(sb, lead, word);
	} else if (strstr(opt->arg, "EVENT")) {
		complete_catalog(sb, KFT_CATALOG_EVENTS, lead, word);
	} else if (strstr(opt->arg, "CLOCK")) {
		complete_catalog(sb, KFT_CATALOG_CLOCKS, lead, word);
	}
}

static void complete_option(struct kft_strbuf *sb, const struct kft_opt *opts,
			    const char *word)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf form = {};

	for (const struct kft_opt *o = opts; !kft_opt_is_end(o); o++) {
		kft_strbuf_clear(&form);
		if (o->name)
			kft_strbuf_addf(&form, "--%s%s", o->name, o->arg ? "=" : "");
		else
			kft_strbuf_addf(&form, "-%c", o->letter);
		if (o->help)
			add_if_prefix(sb, word, "", kft_strbuf_cstr(&form));
	}
	add_if_prefix(sb, word, "", "--help");
}

static void complete_operand(struct kft_strbuf *sb, const struct cli_verb *verb,
			     bool is_first, const char *word)
{
	for (const char *const *w = verb->first_operands; is_first && w && *w; w++)
		add_if_prefix(sb, word, "", *w);
	if (!verb->operands)
		return;
	if (strstr(verb->operands, "+SET")) {
		bool is_signed = word[0] == '+' || word[0] == '-';

		if (!is_first)
			complete_sets(sb, word[0] == '-' ? "-" : "+", word + is_signed);
		return;
	}
	if (strstr(verb->operands, "SET|"))
		complete_sets(sb, "", word);
	if (strstr(verb->operands, "FILE"))
		kft_strbuf_adds(sb, FILES);
	if (strstr(verb->operands, "COMMAND"))
		kft_strbuf_adds(sb, COMMANDS);
	if (strstr(verb->operands, "VERB"))
		for (const struct cli_verb *const *v = cli_verbs; *v; v++)
			add_if_prefix(sb, word, "", (*v)->name);
}

/* The option that takes the next word as its argument, NULL when word is none. */
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

/* Whether the options had ended before the last word. */
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
		complete_operand(sb, verb, argc == 2, word);
		return;
	}
	opt = argc > 2 ? awaits_value(verb->opts, argv[argc - 2]) : NULL;
	if (opt) {
		complete_value(sb, opt, "", word);
		return;
	}
	opt = eq ? kft_opt_find(verb->opts, word, eq - word) : NULL;
	if (opt && opt->arg) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf lead = {};

		kft_strbuf_add(&lead, word, eq + 1 - word);
		complete_value(sb, opt, kft_strbuf_cstr(&lead), eq + 1);
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
