// SPDX-License-Identifier: GPL-2.0-only
/* `kft pause`: a session stops recording for a while. */
#include "cli/run_session.h"

static int step(struct cli *c, struct kft_detached *r)
{
	int n = kft_detached_tend(r, &c->err);

	return n < 0 ? n : kft_run_pause(&r->run, &r->plan, KFT_CAUSE_USER, &c->err);
}

static int run(struct cli *c, int argc, char **argv)
{
	cli_run_named(argc, argv, &cli_run_name);
	return cli_run_step(c, cli_run_name, step);
}

const struct cli_verb cli_verb_pause = {
	.name = "pause",
	.group = CLI_GROUP_SESSIONS,
	.summary = "pause a session",
	.about = "The session stays set up and keeps what it has; 'kft resume' lets it "
		 "go on. Marks in the trace show the gap.",
	CLI_RUN_OPERAND,
	.opts = cli_run_opts,
	.run = run,
};
