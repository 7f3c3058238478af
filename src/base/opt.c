// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses command lines by a table of options, and prints that table as help. */
#include "base/opt.h"

#include <errno.h>

#include "base/err.h"
#include "base/suggest.h"
#include "base/units.h"

/* Column of the help texts, and the indentation of "-x, --name=ARG" before them. */
#define HELP_COLUMN 28
#define HELP_INDENT 2

/* An option of every table, looked up last. */
static const struct kft_opt help_opt = {
	.letter = 'h',
	.name = "help",
	.help = "show this help",
};

/* The name of an option in messages: "--name", or "-x" when it has no long name. */
struct opt_label {
	char text[64];
};

static struct opt_label label(const struct kft_opt *opt)
{
	struct opt_label l = {{'-', opt->letter, '\0'}};

	if (opt->name) {
		size_t len = strnlen(opt->name, sizeof(l.text) - 3);

		l.text[1] = '-';
		memcpy(l.text + 2, opt->name, len);
		l.text[2 + len] = '\0';
	}
	return l;
}

static const struct kft_opt *find_letter(const struct kft_opt *opts, char letter)
{
	for (; !kft_opt_is_end(opts); opts++)
		if (letter && opts->letter == letter)
			return opts;
	return letter == help_opt.letter ? &help_opt : NULL;
}

static const struct kft_opt *find_name(const struct kft_opt *opts, const char *name,
				       size_t len)
{
	for (; !kft_opt_is_end(opts); opts++)
		if (opts->name && strlen(opts->name) == len &&
		    memcmp(opts->name, name, len) == 0)
			return opts;
	return len == 4 && memcmp(name, help_opt.name, len) == 0 ? &help_opt : NULL;
}

const struct kft_opt *kft_opt_find(const struct kft_opt *opts, const char *word,
				   size_t len)
{
	if (len > 2 && memcmp(word, "--", 2) == 0)
		return find_name(opts, word + 2, len - 2);
	if (len == 2 && word[0] == '-')
		return find_letter(opts, word[1]);
	return NULL;
}

static int unknown_option(const struct kft_opt *opts, const char *word, size_t len,
			  struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf shown = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf hint = {};
	char name[KFT_SUGGEST_WORD_MAX + 1] = "";
	struct kft_suggest near;

	kft_strbuf_add_escaped(&shown, word, len);
	if (len > 2 && len <= KFT_SUGGEST_WORD_MAX)
		memcpy(name, word, len);
	kft_suggest_init(&near, name);
	for (; !kft_opt_is_end(opts); opts++) {
		struct opt_label l = label(opts);

		if (opts->name && opts->help)
			kft_suggest_add(&near, l.text, strlen(l.text));
	}
	if (kft_suggest_text(&near, &hint))
		return kft_err_set(e, -EINVAL, "unknown option '%s' (%s)",
				   kft_strbuf_cstr(&shown), kft_strbuf_cstr(&hint));
	return kft_err_set(e, -EINVAL, "unknown option '%s'", kft_strbuf_cstr(&shown));
}

/* Reports "option '--cpu': 'x' is not WHAT", with the argument escaped. */
static int bad_argument(const struct kft_opt *opt, const char *arg, const char *what,
			struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf shown = {};

	kft_strbuf_add_escaped(&shown, arg, strlen(arg));
	return kft_err_set(e, -EINVAL, "option '%s': '%s' is not %s", label(opt).text,
			   kft_strbuf_cstr(&shown), what);
}

static int set_number(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	int r;

	switch (opt->kind) {
	case KFT_OPT_SIZE:
		r = kft_parse_size(arg, opt->value);
		return r < 0 ? bad_argument(opt, arg, "a size (like 64k or 4M)", e) : 0;
	case KFT_OPT_DURATION:
		r = kft_parse_duration(arg, UINT64_C(1000000000), opt->value);
		return r < 0 ? bad_argument(opt, arg, "a time (like 5s, 2.5 or 10ms)", e)
			     : 0;
	default:
		r = kft_parse_u64(arg, opt->value);
		return r < 0 ? bad_argument(opt, arg, "a number", e) : 0;
	}
}

static int set_enum(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf what = {};

	for (int i = 0; opt->words[i]; i++) {
		if (!arg || strcmp(opt->words[i], arg) == 0) {
			*(int *)opt->value = i;
			return 0;
		}
	}
	kft_strbuf_adds(&what, "one of ");
	for (int i = 0; opt->words[i]; i++)
		kft_strbuf_addf(&what, "%s%s", i ? ", " : "", opt->words[i]);
	return bad_argument(opt, arg, kft_strbuf_cstr(&what), e);
}

static int set_value(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	if (opt == &help_opt)
		return KFT_OPT_HELP;
	switch (opt->kind) {
	case KFT_OPT_FLAG:
		*(bool *)opt->value = true;
		return 0;
	case KFT_OPT_STRING:
		*(const char **)opt->value = arg;
		return 0;
	case KFT_OPT_STRINGS:
		if (!kft_vec_push((struct kft_opt_strings *)opt->value, arg))
			return kft_err_memory(e);
		return 0;
	case KFT_OPT_ENUM:
		return set_enum(opt, arg, e);
	case KFT_OPT_CALLBACK:
		return opt->parse(opt, arg, e);
	default:
		return set_number(opt, arg, e);
	}
}

/* The arguments that are left to parse. */
struct args {
	char **argv;
	int argc;
	int pos;
};

static int needs_argument(const struct kft_opt *opt, struct kft_err *e)
{
	return kft_err_set(e, -EINVAL, "option '%s' needs an argument: %s",
			   label(opt).text, opt->arg);
}

static int parse_long(const struct kft_opt *opts, const char *word, struct args *a,
		      struct kft_err *e)
{
	const char *eq = strchr(word, '=');
	size_t len = eq ? (size_t)(eq - word) : strlen(word);
	const struct kft_opt *opt = kft_opt_find(opts, word, len);

	if (!opt)
		return unknown_option(opts, word, len, e);
	if (eq && !opt->arg)
		return kft_err_set(e, -EINVAL, "option '%s' takes no argument",
				   label(opt).text);
	if (!opt->arg || opt->arg[0] == '[' || eq)
		return set_value(opt, eq ? eq + 1 : NULL, e);
	if (a->pos == a->argc)
		return needs_argument(opt, e);
	return set_value(opt, a->argv[a->pos++], e);
}

static int parse_letters(const struct kft_opt *opts, const char *word, struct args *a,
			 struct kft_err *e)
{
	for (const char *p = word + 1; *p; p++) {
		const struct kft_opt *opt = find_letter(opts, *p);
		int r;

		if (!opt) {
			char one[] = {'-', *p};

			return unknown_option(opts, one, sizeof(one), e);
		}
		if (!opt->arg) {
			r = set_value(opt, NULL, e);
			if (r != 0)
				return r;
			continue;
		}
		if (p[1])
			return set_value(opt, p + 1, e);
		if (a->pos == a->argc)
			return needs_argument(opt, e);
		return set_value(opt, a->argv[a->pos++], e);
	}
	return 0;
}

int kft_opt_parse(const struct kft_opt *opts, unsigned int flags, int argc, char **argv,
		  int *ret_operands, struct kft_err *e)
{
	struct args a = {.argv = argv, .argc = argc};
	bool only_operands = false;
	int n = 0;

	while (a.pos < a.argc) {
		char *word = a.argv[a.pos++];
		int r = 0;

		if (only_operands || word[0] != '-' || !word[1]) {
			argv[n++] = word;
			if (flags & KFT_OPT_STOP_AT_OPERAND)
				only_operands = true;
		} else if (strcmp(word, "--") == 0) {
			only_operands = true;
		} else if (word[1] == '-') {
			r = parse_long(opts, word, &a, e);
		} else {
			r = parse_letters(opts, word, &a, e);
		}
		if (r != 0)
			return r;
	}
	*ret_operands = n;
	return 0;
}

static void fill_to(struct kft_strbuf *sb, size_t column, size_t want)
{
	if (column < want)
		kft_strbuf_fill(sb, ' ', want - column);
}

void kft_strbuf_add_wrapped(struct kft_strbuf *sb, const char *text, size_t column,
			    size_t indent, size_t width)
{
	while (*text) {
		size_t blanks = strspn(text, " ");
		size_t len = strcspn(text + blanks, " \n");

		if (*text == '\n') {
			kft_strbuf_addc(sb, '\n');
			text++;
			column = 0;
			continue;
		}
		text += blanks;
		if (column > indent && column + blanks + len > width) {
			kft_strbuf_addc(sb, '\n');
			column = 0;
			blanks = 0;
		}
		if (!column)
			blanks += indent;
		fill_to(sb, 0, len ? blanks : 0);
		kft_strbuf_add(sb, text, len);
		column += blanks + len;
		text += len;
	}
}

/* Appends "  -x, --name=ARG". */
static void add_syntax(const struct kft_opt *opt, struct kft_strbuf *sb)
{
	kft_strbuf_fill(sb, ' ', HELP_INDENT);
	if (opt->letter)
		kft_strbuf_addf(sb, "-%c", opt->letter);
	else
		kft_strbuf_adds(sb, "  ");
	if (opt->name)
		kft_strbuf_addf(sb, "%s--%s", opt->letter ? ", " : "  ", opt->name);
	if (opt->arg && opt->arg[0] == '[')
		kft_strbuf_addf(sb, "[=%s", opt->arg + 1);
	else if (opt->arg)
		kft_strbuf_addf(sb, "%c%s", opt->name ? '=' : ' ', opt->arg);
}

static void add_help(const struct kft_opt *opt, size_t width, struct kft_strbuf *sb)
{
	size_t start = sb->len;

	add_syntax(opt, sb);
	size_t column = sb->len - start;
	if (column + 2 > HELP_COLUMN) {
		kft_strbuf_addc(sb, '\n');
		column = 0;
	}
	fill_to(sb, column, HELP_COLUMN);
	kft_strbuf_add_wrapped(sb, opt->help, HELP_COLUMN, HELP_COLUMN, width);
	kft_strbuf_addc(sb, '\n');
}

void kft_opt_help(const struct kft_opt *opts, size_t width, struct kft_strbuf *sb)
{
	struct kft_opt help = help_opt;

	if (find_letter(opts, 'h') != &help_opt)
		help.letter = 0;
	for (; !kft_opt_is_end(opts); opts++)
		if (opts->help)
			add_help(opts, width, sb);
	add_help(&help, width, sb);
}
