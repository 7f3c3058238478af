// SPDX-License-Identifier: GPL-2.0-only
/* `kft stop`: stops the recording of a session. */
#include "cli/run_session.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/now.h"
#include "watch/watcher.h"

/* Reports losses at once: a trace with gaps must not look complete. */
static void report_lost(const struct kft_detached *r)
{
	const struct kft_session_state *rec = &r->run.rec;

	if (!kft_detached_is_recording(r) || !rec->lost)
		return;
	(void)fprintf(stderr,
		      "kft: session '%s' recorded %" PRIu64 " events, LOST %" PRIu64 "\n",
		      cli_run_name, rec->events, rec->lost);
}

/* Drains the recording and restores the kernel's state. */
static int step(struct cli *c, struct kft_detached *r)
{
	/* If the disk was full, only the file has to be completed. */
	bool is_stopped = r->run.rec.state == KFT_STATE_COMPLETE;
	int n = kft_detached_refresh(r, &c->err);

	if (n == 0 && !is_stopped)
		n = kft_run_stop(&r->run, &r->plan, KFT_CAUSE_USER, kft_now_ns(),
				 &c->err);
	if (n == 0)
		n = kft_detached_refresh(r, &c->err);
	if (n == 0)
		report_lost(r);
	return n;
}

static int run(struct cli *c, int argc, char **argv)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;

	cli_run_named(argc, argv, &cli_run_name);
	int status = cli_run_step(c, cli_run_name, step);
	/*
	 * The watcher would end itself a moment later, but the kernel's
	 * state is to be restored now.
	 */
	if (status == CLI_OK && kft_host_open(NULL, &host, NULL) == 0)
		kft_watcher_end(host, cli_run_name);
	return status;
}

const struct cli_verb cli_verb_stop = {
	.name = "stop",
	.group = CLI_GROUP_SESSIONS,
	.summary = "stop a session now",
	.about = "It is complete then and can be saved.",
	CLI_RUN_OPERAND,
	.opts = cli_run_opts,
	.run = run,
};
