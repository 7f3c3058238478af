// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "base/err.h"
#include "base/io.h"
#include "cli/boot_plan.h"
#include "cli/boot_report.h"
#include "cli/input.h"

static struct {
	struct cli_boot_opts plan;
	bool quiet;
	bool report;
	bool json;
	bool all;
} arg;

static const struct kft_opt opts[] = {
	{'b', "buffer-size", "SIZE", "size of the kernel's buffer of each CPU (16M)",
	 KFT_OPT_SIZE, &arg.plan.buffer_bytes},
	{'m', "map", "MAP", "look functions up in this System.map of the kernel to boot",
	 KFT_OPT_STRING, &arg.plan.map},
	{0, "syntax", NULL, "look no functions up", KFT_OPT_FLAG, &arg.plan.syntax},
	{0, "limit", "BYTES",
	 "what the command line has room for (the machine's limit, less what is in use)",
	 KFT_OPT_SIZE, &arg.plan.limit},
	{0, "report", NULL, "show where the time of a boot went, from the trace FILE",
	 KFT_OPT_FLAG, &arg.report},
	{'a', "all", NULL, "with --report, show all initcalls and functions",
	 KFT_OPT_FLAG, &arg.all},
	{0, "json", NULL, "with --report, write JSON instead of tables", KFT_OPT_FLAG,
	 &arg.json},
	{'q', "quiet", NULL, "print the parameters and errors only", KFT_OPT_FLAG,
	 &arg.quiet},
	{},
};

static void explain(struct kft_strbuf *text)
{
	if (!arg.quiet && kft_strbuf_ok(text))
		(void)!kft_write_all(STDERR_FILENO, text->buf, text->len);
}

static int show(struct cli *c)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int r = cli_boot_params(c, &arg.plan, &c->out.sb, &text);

	if (r < 0)
		return r;
	kft_strbuf_addc(&c->out.sb, '\n');
	explain(&text);
	return 0;
}

static int run(struct cli *c, int argc, char **argv)
{
	if (arg.report)
		return cli_boot_report(c, cli_input_path(argc, argv), arg.json, arg.all);
	if (argc != 1) {
		(void)kft_err_set(&c->err, -EINVAL, "expected a configuration");
		return CLI_USAGE;
	}
	arg.plan.path = argv[0];
	return show(c) < 0 ? CLI_FAILED : CLI_OK;
}

const struct cli_verb cli_verb_boot = {
	.name = "boot",
	.summary = "trace a boot as a KFT configuration says",
	.operands = "FILE",
	.about =
		"Prints the parameters for the kernel's command line that make the boot a "
		"run of FILE (kft.conf(5)), and says on standard error what they do. "
		"'kft save --boot' writes the trace when the machine is up.",
	.opts = opts,
	.max_operands = 1,
	.run = run,
};
