// SPDX-License-Identifier: GPL-2.0-only
/* `kft resume`: a paused session records again. */
#include "cli/run_session.h"

static int step(struct cli *c, struct kft_detached *r)
{
	int n = kft_detached_tend(r, &c->err);

	return n < 0 ? n : kft_detached_resume(r, &c->err);
}

static int run(struct cli *c, int argc, char **argv)
{
	cli_run_named(argc, argv, &cli_run_name);
	return cli_run_step(c, cli_run_name, step);
}

const struct cli_verb cli_verb_resume = {
	.name = "resume",
	.group = CLI_GROUP_SESSIONS,
	.summary = "resume a paused session",
	.about = "What 'kft pause' had interrupted goes on.",
	CLI_RUN_OPERAND,
	.opts = cli_run_opts,
	.run = run,
};
