// SPDX-License-Identifier: GPL-2.0-only
/* `kft prime`: sets up a loaded run, which then waits for its start. */
#include "cli/run_session.h"

/* Sets everything up in the kernel and waits for the start trigger. */
static int step(struct cli *c, struct kft_detached *r)
{
	int n = kft_detached_refresh(r, &c->err);

	return n == 0 ? kft_run_prime(&r->run, &r->plan, &c->err) : n;
}

static int run(struct cli *c, int argc, char **argv)
{
	cli_run_named(argc, argv, &cli_run_name);
	return cli_run_step_and_keep(c, cli_run_name, step);
}

const struct cli_verb cli_verb_prime = {
	.name = "prime",
	.group = CLI_GROUP_KFT,
	.summary = "arm a loaded KFT run: it waits for its start trigger",
	.about = "Sets the run up in the kernel. From then on its triggers work, even "
		 "without a kft process. A complete run can be primed again, "
		 "which deletes its records.",
	CLI_RUN_OPERAND,
	.opts = cli_run_opts,
	.run = run,
};
