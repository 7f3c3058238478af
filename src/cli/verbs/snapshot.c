// SPDX-License-Identifier: GPL-2.0-only
/* `kft snapshot`: saves the last moments of a session, which continues. */
#include "cli/record_detached.h"

#include <errno.h>
#include <limits.h>

#include "base/err.h"
#include "base/units.h"
#include "session/flight.h"

static struct {
	const char *name;
	const char *output;
	const char *why;
	bool quiet;
} arg = {.name = CLI_FLIGHT_NAME};

static const struct kft_opt opts[] = {
	{'n', "name", "NAME", "name of the session (" CLI_FLIGHT_NAME ")", KFT_OPT_STRING,
	 &arg.name},
	{'o', "output", "FILE", "write the trace to FILE (NAME-DATE-TIME.dat)",
	 KFT_OPT_STRING, &arg.output},
	{0, "why", "TEXT", "put TEXT into the trace, as a mark at its end",
	 KFT_OPT_STRING, &arg.why},
	{'q', "quiet", NULL, "print errors only", KFT_OPT_FLAG, &arg.quiet},
	{},
};

static int step(struct cli *c, struct kft_detached *d)
{
	struct kft_tracedat_recovered done = {};
	char file[PATH_MAX];
	int r = kft_detached_refresh(d, &c->err);

	if (r == 0 && !arg.output) {
		r = kft_flight_file(".", arg.name, NULL, file, sizeof(file));
		arg.output = file + strlen("./");
	}
	if (r == 0)
		r = cli_detached_check_output(d, arg.output, &c->err);
	if (r == 0)
		r = kft_detached_snapshot(d, arg.output, arg.why, &done, &c->err);
	if (r < 0 || arg.quiet)
		return r;
	kft_strbuf_add_escaped(&c->out.sb, arg.output, strlen(arg.output));
	kft_strbuf_adds(&c->out.sb, ": ");
	kft_strbuf_add_bytes(&c->out.sb, done.bytes);
	kft_strbuf_adds(&c->out.sb, " written\n");
	return 0;
}

static int run(struct cli *c, int argc, char **argv)
{
	cli_run_named(argc, argv, &arg.name);
	int status = cli_run_step(c, arg.name, step);
	if (c->err.code == -ENOENT)
		kft_err_hint(&c->err, "'kft flight start' starts a flight recorder");
	return status;
}

const struct cli_verb cli_verb_snapshot = {
	.name = "snapshot",
	.group = CLI_GROUP_RECORD,
	.summary = "write the most recent events of a flight recorder to a trace",
	.about = "The session records on. Each snapshot has as much as the buffers hold, "
		 "also one that comes right after another one.",
	CLI_RUN_OPERAND,
	.opts = opts,
	.run = run,
};
