// SPDX-License-Identifier: GPL-2.0-only
/* Prints the help of verbs and of the program. */
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

static const char *const group_titles[CLI_N_GROUPS] = {
	[CLI_GROUP_RECORD] = "Record",		[CLI_GROUP_READ] = "Read and explain",
	[CLI_GROUP_KFT] = "KFT runs and boots", [CLI_GROUP_SESSIONS] = "Sessions",
	[CLI_GROUP_KERNEL] = "This kernel",	[CLI_GROUP_HELP] = "Help",
};

static void add_summary(struct kft_strbuf *sb, const struct cli_verb *verb)
{
	size_t len = strlen(verb->name);

	kft_strbuf_addf(sb, "  %s", verb->name);
	kft_strbuf_fill(sb, ' ', SUMMARY_COLUMN - KFT_MIN(len + 2, SUMMARY_COLUMN - 2));
	kft_strbuf_add_wrapped(sb, verb->summary, SUMMARY_COLUMN, SUMMARY_COLUMN,
			       cli_width());
	kft_strbuf_addc(sb, '\n');
}

void cli_general_help(struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb,
			"Usage: kft VERB [OPTION...] [ARGUMENT...]\n\n"
			"kft: trace the Linux kernel, read and explain its traces.\n");
	for (unsigned int group = 0; group < CLI_N_GROUPS; group++) {
		kft_strbuf_addf(sb, "\n%s:\n", group_titles[group]);
		for (const struct cli_verb *const *v = cli_verbs; *v; v++)
			if ((*v)->group == group)
				add_summary(sb, *v);
	}
	kft_strbuf_adds(
		sb, "\n`kft help VERB` or `kft VERB --help` shows its options, kft(1) is "
		    "the manual.\n`kft --version` prints the version.\n");
}

void cli_short_usage(void)
{
	static const char text[] =
		"usage: kft VERB [OPTION...] [ARGUMENT...]\n"
		"\n"
		"  kft record --for why -- COMMAND   record COMMAND into trace.dat (as root)\n"
		"  kft stats                         show its longest latencies\n"
		"  kft why                           explain the worst one\n"
		"\n"
		"`kft help` lists all verbs.\n";

	(void)!kft_write_all(STDERR_FILENO, text, strlen(text));
}
