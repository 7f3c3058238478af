// SPDX-License-Identifier: GPL-2.0-only
/* `kft boot`: configures the next boot, and shows its recording. */
#include <errno.h>

#include "base/err.h"
#include "cli/answer.h"
#include "cli/boot_install.h"
#include "cli/boot_plan.h"
#include "cli/boot_report.h"
#include "cli/input.h"
#include "cli/record_plan.h"

static struct {
	struct cli_boot_opts plan;
	bool install;
	bool remove;
	const char *parameters;
	const char *root;
	bool light;
	const char *focus;
	bool report;
	const char *chart;
	bool view;
	const char *output;
	int format;
	bool all;
} arg;

static const struct kft_opt opts[] = {
	{'b', "buffer-size", "SIZE", "size of the kernel's buffer of each CPU (16M)",
	 KFT_OPT_CALLBACK, &arg.plan.buffer_bytes, .parse = cli_parse_buffer_size},
	{'m', "map", "MAP", "look functions up in this System.map of the kernel to boot",
	 KFT_OPT_STRING, &arg.plan.map},
	{0, "syntax", NULL, "look no functions up", KFT_OPT_FLAG, &arg.plan.syntax},
	{0, "limit", "BYTES",
	 "maximum length of the parameters (the machine's limit, less the current ones)",
	 KFT_OPT_SIZE, &arg.plan.limit},
	{0, "light", NULL,
	 "a first look without FILE: initcalls and the steps of the boot, at next to no "
	 "cost",
	 KFT_OPT_FLAG, &arg.light},
	{0, "focus", "TRACE",
	 "without FILE: look into the slowest initcalls of the trace of such a boot",
	 KFT_OPT_STRING, &arg.focus},
	{0, "install", NULL,
	 "make the next boots such ones: write a drop-in for GRUB, and a service that "
	 "saves the trace",
	 KFT_OPT_FLAG, &arg.install},
	{0, "parameters", "FILE",
	 "with --install, write the parameters to FILE and not for GRUB", KFT_OPT_STRING,
	 &arg.parameters},
	{0, "remove", NULL, "undo --install", KFT_OPT_FLAG, &arg.remove},
	{0, "root", "DIR", "install below DIR, or remove from there", KFT_OPT_STRING,
	 &arg.root},
	{0, "report", NULL, "show where the time of a boot went, from the trace FILE",
	 KFT_OPT_FLAG, &arg.report},
	{0, "chart", "OUT",
	 "draw the boot of the trace FILE as a picture (SVG) into OUT; - is standard output",
	 KFT_OPT_STRING, &arg.chart},
#if HAVE_VIEW
	{0, "view", NULL,
	 "show the boot of the trace FILE as a page, as kft view does, with rows of the boot",
	 KFT_OPT_FLAG, &arg.view},
	{'o', "output", "OUT",
	 "with --view, the page (default: the trace's name with .html)", KFT_OPT_STRING,
	 &arg.output},
#endif
	{'a', "all", NULL, "with --report, show all initcalls and functions",
	 KFT_OPT_FLAG, &arg.all},
	CLI_FORMAT_OPT(arg.format),
	CLI_JSON_OPT(arg.format),
	{'q', "quiet", NULL, "print the parameters and errors only", KFT_OPT_FLAG,
	 &arg.plan.quiet},
	{},
};

static int show(struct cli *c, const struct cli_boot_where *where)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int r = arg.light   ? cli_boot_light(c, &arg.plan, &line, &text)
		: arg.focus ? cli_boot_focus(c, &arg.plan, arg.focus, &line, &text)
			    : cli_boot_params(c, &arg.plan, &line, &text);

	if (r < 0)
		return r;
	cli_boot_tell(arg.plan.quiet, &text);
	if (arg.install)
		r = cli_boot_install(c, where, kft_strbuf_cstr(&line));
	if (r == 0)
		kft_strbuf_addf(&c->out.sb, "%s\n", kft_strbuf_cstr(&line));
	return r;
}

static int run(struct cli *c, int argc, char **argv)
{
	const struct cli_boot_where where = {
		.files = &kft_boot_files_run,
		.parameters = arg.parameters,
		.root = arg.root,
		.quiet = arg.plan.quiet,
	};

	if (arg.report)
		return cli_boot_report(c, cli_input_path(argc, argv), arg.format,
				       arg.all);
	if (HAVE_VIEWERS && arg.chart)
		return cli_boot_chart(c, cli_input_path(argc, argv), arg.chart);
	if (arg.chart) {
		(void)cli_left_out(&c->err, "pictures");
		return CLI_USAGE;
	}
#if HAVE_VIEW
	if (arg.view)
		return cli_boot_view(c, cli_input_path(argc, argv), arg.output);
#endif
	if (arg.remove && argc == 0 && !arg.install)
		return cli_boot_remove(c, &where) < 0 ? CLI_FAILED : CLI_OK;
	if (arg.remove) {
		(void)kft_err_set(&c->err, -EINVAL, "--remove goes alone");
		return CLI_USAGE;
	}
	if ((arg.root || arg.parameters) && !arg.install) {
		(void)kft_err_set(&c->err, -EINVAL,
				  "--parameters and --root go with --install");
		return CLI_USAGE;
	}
	if (argc != !(arg.light || arg.focus) || (arg.light && arg.focus)) {
		(void)kft_err_set(&c->err, -EINVAL,
				  "expected a configuration, --light or --focus TRACE");
		return CLI_USAGE;
	}
	arg.plan.path = argc ? argv[0] : NULL;
	return show(c, &where) < 0 ? CLI_FAILED : CLI_OK;
}

const struct cli_verb cli_verb_boot = {
	.name = "boot",
	.group = CLI_GROUP_KFT,
	.summary = "trace a boot with a KFT configuration",
	.operands = "[FILE]",
	.about = "Prints the parameters for the kernel's command line that make the boot "
		 "a run of FILE (kft.conf(5)), and explains them on standard "
		 "error. 'kft save --boot' writes the trace when the machine "
		 "is up.",
	.opts = opts,
	.max_operands = 1,
	.input = CLI_TRACE_DEFAULT,
	.run = run,
};
