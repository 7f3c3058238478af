// SPDX-License-Identifier: GPL-2.0-only
/* `kft save`: writes the recording of a session or a boot to a file. */
#include "cli/record_detached.h"

#include "cli/input.h"
#include "session/boot.h"
#include "session/summary.h"

static struct {
	const char *name;
	const char *output;
	bool boot;
	bool quiet;
} arg = {.name = CLI_RUN_NAME, .output = CLI_TRACE_DEFAULT};

static const struct kft_opt opts[] = {
	CLI_RUN_NAME_OPT(arg.name),
	{'o', "output", "FILE", "write the trace to FILE (" CLI_TRACE_DEFAULT ")",
	 KFT_OPT_STRING, &arg.output},
	{0, "boot", NULL, "save the records of this machine's boot, see kft boot",
	 KFT_OPT_FLAG, &arg.boot},
	{'q', "quiet", NULL, "print errors only", KFT_OPT_FLAG, &arg.quiet},
	{},
};

static int save_recording(struct cli *c, const struct kft_detached *r)
{
	int n = kft_detached_copy(r, arg.output, &c->err);

	if (n == 0 && !arg.quiet)
		cli_detached_saved(c, r, arg.output);
	return n;
}

static int save_run(struct cli *c, struct kft_detached *r)
{
	struct kft_cut cut;
	int n = kft_detached_save(r, arg.output, &cut, &c->err);

	if (n < 0)
		return n;
	if (!arg.quiet) {
		kft_strbuf_add_escaped(&c->out.sb, arg.output, strlen(arg.output));
		kft_strbuf_adds(&c->out.sb, ": ");
		kft_run_counts_text(&r->run.rec, &cut, &c->out.sb);
		kft_strbuf_addc(&c->out.sb, '\n');
	}
	n = kft_detached_check(r, &cut, &c->err);
	kft_cut_finish(&cut);
	return n;
}

static int save(struct cli *c)
{
	struct kft_detached r;
	int n = kft_detached_open(arg.name, &cli_run_notify, &r, &c->err);

	if (n < 0)
		return n;
	n = kft_detached_refresh(&r, &c->err);
	if (n == 0)
		n = cli_detached_check_output(&r, arg.output, &c->err);
	if (n == 0)
		n = kft_detached_is_recording(&r) ? save_recording(c, &r)
						  : save_run(c, &r);
	kft_detached_close(&r);
	return n;
}

static int save_boot(struct cli *c)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf said = {};
	int n = kft_boot_save(arg.output, &cli_run_notify, &said, &c->err);

	if (!arg.quiet)
		kft_strbuf_add(&c->out.sb, said.buf, said.len);
	return n;
}

static int run(struct cli *c, int argc, char **argv)
{
	cli_run_named(argc, argv, &arg.name);
	int n = arg.boot ? save_boot(c) : save(c);

	return n < 0 ? CLI_FAILED : CLI_OK;
}

const struct cli_verb cli_verb_save = {
	.name = "save",
	.group = CLI_GROUP_SESSIONS,
	.summary = "write the events of a stopped session to a trace",
	.about = "For a KFT run, writes only calls between the start and the stop that "
		 "pass the filters. Can be repeated until the session is "
		 "reset, or primed again.",
	CLI_RUN_OPERAND,
	.opts = opts,
	.run = run,
};
