// SPDX-License-Identifier: GPL-2.0-only
/* `kft pause` and `kft resume`: suspend and continue a session's recording. */
#include "cli/run_session.h"

#include <errno.h>

#include "session/pause.h"

static int control(struct cli *c, int argc, char **argv, enum kft_control request)
{
	char only[KFT_RUNDIR_NAME_MAX];
	struct kft_err by_name = {};
	const char *default_name = cli_run_name;

	cli_run_named(argc, argv, &cli_run_name);
	int r = kft_session_control(cli_run_name, request, &cli_run_notify, &by_name);
	/*
	 * The default name of kft record contains its pid, which a user
	 * would have to look up.
	 */
	if (r == -ENOENT && cli_run_name == default_name &&
	    kft_session_in_foreground(only, NULL) == 1)
		r = kft_session_control(only, request, &cli_run_notify, &c->err);
	else
		c->err = by_name;
	return r < 0 ? CLI_FAILED : CLI_OK;
}

static int run_pause(struct cli *c, int argc, char **argv)
{
	return control(c, argc, argv, KFT_CONTROL_PAUSE);
}

static int run_resume(struct cli *c, int argc, char **argv)
{
	return control(c, argc, argv, KFT_CONTROL_RESUME);
}

const struct cli_verb cli_verb_pause = {
	.name = "pause",
	.group = CLI_GROUP_SESSIONS,
	.summary = "pause a session",
	.about = "The session stays set up and keeps its events; 'kft resume' continues "
		 "it. Marks in the trace show the gap.",
	CLI_RUN_OPERAND,
	.opts = cli_run_opts,
	.run = run_pause,
};

const struct cli_verb cli_verb_resume = {
	.name = "resume",
	.group = CLI_GROUP_SESSIONS,
	.summary = "resume a paused session",
	.about = "The session records again after 'kft pause'.",
	CLI_RUN_OPERAND,
	.opts = cli_run_opts,
	.run = run_resume,
};
