// SPDX-License-Identifier: GPL-2.0-only
/* `kft start`: starts a primed run. */
#include "cli/run_session.h"

#include "base/now.h"

static int step(struct cli *c, struct kft_detached *r)
{
	int n = kft_detached_refresh(r, &c->err);

	return n == 0 ? kft_run_start(&r->run, &r->plan, KFT_CAUSE_USER, kft_now_ns(),
				      &c->err)
		      : n;
}

static int run(struct cli *c, int argc, char **argv)
{
	cli_run_named(argc, argv, &cli_run_name);
	return cli_run_step_and_keep(c, cli_run_name, step);
}

const struct cli_verb cli_verb_start = {
	.name = "start",
	.group = CLI_GROUP_SESSIONS,
	.summary = "start a session now",
	.about = "Whatever its start trigger is. A run that was not primed is "
		 "primed first.",
	CLI_RUN_OPERAND,
	.opts = cli_run_opts,
	.run = run,
};
