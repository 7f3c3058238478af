// SPDX-License-Identifier: GPL-2.0-only
/* `kft help`: prints the help of a verb. */
#include "cli/verb.h"

static const struct kft_opt opts[] = {{}};

static int run(struct cli *c, int argc, char **argv)
{
	if (!argc) {
		cli_general_help(&c->out.sb);
		return CLI_OK;
	}
	const struct cli_verb *verb = cli_verb_find(argv[0]);
	if (!verb)
		return cli_verb_unknown(c, argv[0]);
	cli_verb_help(verb, &c->out.sb);
	return CLI_OK;
}

const struct cli_verb cli_verb_help_verb = {
	.name = "help",
	.group = CLI_GROUP_HELP,
	.summary = "show the help of a verb",
	.operands = "[VERB]",
	.opts = opts,
	.max_operands = 1,
	.run = run,
};
