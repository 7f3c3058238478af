// SPDX-License-Identifier: GPL-2.0-only
/* `kft stop`: ends the recording of a session. */
#include "cli/run_session.h"

#include "base/now.h"
#include "watch/watcher.h"

/* What it recorded is taken out of the kernel, which is as before then. */
static int step(struct cli *c, struct kft_detached *r)
{
	int n = kft_detached_tend(r, &c->err);

	if (n == 0)
		n = kft_run_stop(&r->run, &r->plan, KFT_CAUSE_USER, kft_now_ns(),
				 &c->err);
	return n == 0 ? kft_detached_tend(r, &c->err) : n;
}

static int run(struct cli *c, int argc, char **argv)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;

	cli_run_named(argc, argv, &cli_run_name);
	int status = cli_run_step(c, cli_run_name, step);
	/* It would notice itself, a moment later: the kernel is to be as before now. */
	if (status == CLI_OK && kft_host_open(NULL, &host, NULL) == 0)
		kft_watcher_end(host, cli_run_name);
	return status;
}

const struct cli_verb cli_verb_stop = {
	.name = "stop",
	.summary = "stop a session by hand",
	.about = "It is complete then and can be saved.",
	CLI_RUN_OPERAND,
	.opts = cli_run_opts,
	.run = run,
};
