// SPDX-License-Identifier: GPL-2.0-only
/* Shows the help of verbs and of the program. */
#include "cli/verb.h"

#include "base/io.h"

#define SUMMARY_COLUMN ((size_t)12)

void cli_verb_help(const struct cli_verb *verb, struct kft_strbuf *sb)
{
	size_t width = cli_width();

	kft_strbuf_addf(sb, "Usage: kft %s [OPTION...]", verb->name);
	if (verb->operands)
		kft_strbuf_addf(sb, " %s", verb->operands);
	kft_strbuf_addf(sb, "\n\nkft %s: ", verb->name);
	kft_strbuf_add_wrapped(sb, verb->summary, strlen("kft : ") + strlen(verb->name),
			       0, width);
	kft_strbuf_adds(sb, ".\n");
	if (verb->about) {
		kft_strbuf_addc(sb, '\n');
		kft_strbuf_add_wrapped(sb, verb->about, 0, 0, width);
		kft_strbuf_addc(sb, '\n');
	}
	kft_strbuf_adds(sb, "\nOptions:\n");
	kft_opt_help(verb->opts, width, sb);
	kft_strbuf_addf(sb, "\nSee kft-%s(1) for more.\n", verb->name);
}

void cli_general_help(struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "Usage: kft VERB [OPTION...] [ARGUMENT...]\n\n"
			    "kft: trace the Linux kernel and read what was recorded.\n\n"
			    "Verbs:\n");
	for (const struct cli_verb *const *v = cli_verbs; *v; v++) {
		size_t len = strlen((*v)->name);

		kft_strbuf_addf(sb, "  %s", (*v)->name);
		kft_strbuf_fill(sb, ' ',
				SUMMARY_COLUMN - KFT_MIN(len + 2, SUMMARY_COLUMN - 2));
		kft_strbuf_add_wrapped(sb, (*v)->summary, SUMMARY_COLUMN, SUMMARY_COLUMN,
				       cli_width());
		kft_strbuf_addc(sb, '\n');
	}
	kft_strbuf_adds(sb,
			"\n`kft help VERB` or `kft VERB --help` says more, kft(1) all. "
			"`kft --version`\nprints the version.\n");
}

void cli_short_usage(void)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf names = {};

	for (const struct cli_verb *const *v = cli_verbs; *v; v++)
		kft_strbuf_addf(&names, " %s", (*v)->name);
	kft_strbuf_adds(&sb, "usage: kft VERB [OPTION...] [ARGUMENT...]\nverbs:");
	kft_strbuf_add_wrapped(&sb, kft_strbuf_cstr(&names), strlen("verbs:"),
			       strlen("verbs: "), cli_width());
	kft_strbuf_adds(&sb, "\n`kft help` says what they do.\n");
	if (kft_strbuf_ok(&sb))
		(void)!kft_write_all(STDERR_FILENO, sb.buf, sb.len);
}
