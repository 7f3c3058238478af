// SPDX-License-Identifier: GPL-2.0-only
/* `kft boot`: a configuration for the next boot, and what it recorded. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "capture/boot/install.h"
#include "cli/answer.h"
#include "cli/boot_plan.h"
#include "cli/boot_report.h"
#include "cli/input.h"
#include "cli/picture.h"

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
	 KFT_OPT_SIZE, &arg.plan.buffer_bytes},
	{'m', "map", "MAP", "look functions up in this System.map of the kernel to boot",
	 KFT_OPT_STRING, &arg.plan.map},
	{0, "syntax", NULL, "look no functions up", KFT_OPT_FLAG, &arg.plan.syntax},
	{0, "limit", "BYTES",
	 "what the command line has room for (the machine's limit, less what is in use)",
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
	{0, "remove", NULL, "remove what --install wrote", KFT_OPT_FLAG, &arg.remove},
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

/* The program as the service is to start it. */
static int program(char *ret, size_t size)
{
	if (arg.root) { /* found by PATH: where it is now need not be where it is then */
		(void)snprintf(ret, size, "kft");
		return 0;
	}
	ssize_t n = readlink("/proc/self/exe", ret, size - 1);
	if (n < 0 || n == (ssize_t)size - 1)
		return n < 0 ? -errno : -ENAMETOOLONG;
	ret[n] = '\0';
	return 0;
}

/*
 * FILE of --parameters from the root. Without --root it counts from the current directory,
 * with it from there. No link is followed later, so that ".." can be taken off by its name.
 */
static int parameters_path(char *ret, size_t size)
{
	size_t len = 0;

	if (!arg.root && *arg.parameters != '/') {
		if (!getcwd(ret, size))
			return -errno;
		len = strlen(ret);
	}
	for (const char *p = arg.parameters; *p;) {
		size_t n = strcspn(p, "/");

		if (n == 2 && strncmp(p, "..", 2) == 0) {
			while (len && ret[--len] != '/')
				;
		} else if (n && !(n == 1 && *p == '.')) {
			if (n + 2 > size - len)
				return -ENAMETOOLONG;
			if (!len || ret[len - 1] != '/')
				ret[len++] = '/';
			memcpy(ret + len, p, n);
			len += n;
		}
		p += n;
		p += strspn(p, "/");
	}
	ret[len] = '\0';
	return len && ret[len - 1] != '/' ? 0 : -EISDIR;
}

static void tell(struct kft_strbuf *said)
{
	if (!arg.plan.quiet && kft_strbuf_ok(said))
		(void)!kft_write_all(STDERR_FILENO, said->buf, said->len);
}

static int install(struct cli *c, const char *params)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf said = {};
	char path[4096];
	char file[4096];
	struct kft_boot_install_opts o = {
		.files = &kft_boot_files_run,
		.params = params,
		.file = arg.parameters ? file : NULL,
		.kft = path,
	};
	int r = program(path, sizeof(path));

	if (r < 0)
		return kft_err_sys(&c->err, r, "cannot find out where kft is");
	r = arg.parameters ? parameters_path(file, sizeof(file)) : 0;
	if (r < 0)
		return kft_err_sys(&c->err, r, "cannot write '%s'", arg.parameters);
	r = kft_host_open(arg.root, &host, &c->err);
	if (r == 0)
		r = kft_boot_install(host, &o, &said, &c->err);
	if (r < 0)
		return r;
	kft_strbuf_adds(&said, arg.parameters
				       ? "next: put the line of that file onto the "
					 "kernel's command line, and reboot\n"
				       : "next: run update-grub, and reboot\n");
	tell(&said);
	return 0;
}

static int remove_installed(struct cli *c)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf said = {};
	int r = kft_host_open(arg.root, &host, &c->err);

	if (r == 0)
		r = kft_boot_remove(host, &kft_boot_files_run, &said, &c->err);
	if (r == 0 && strstr(kft_strbuf_cstr(&said), "/" KFT_BOOT_GRUB))
		kft_strbuf_adds(&said, "next: run update-grub\n");
	tell(&said);
	return r;
}

static int show(struct cli *c)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int r = arg.light   ? cli_boot_light(c, &arg.plan, &line, &text)
		: arg.focus ? cli_boot_focus(c, &arg.plan, arg.focus, &line, &text)
			    : cli_boot_params(c, &arg.plan, &line, &text);

	if (r < 0)
		return r;
	tell(&text);
	if (arg.install)
		r = install(c, kft_strbuf_cstr(&line));
	if (r == 0)
		kft_strbuf_addf(&c->out.sb, "%s\n", kft_strbuf_cstr(&line));
	return r;
}

static int run(struct cli *c, int argc, char **argv)
{
	if (arg.report)
		return cli_boot_report(c, cli_input_path(argc, argv), arg.format,
				       arg.all);
	if (HAVE_VIEWERS && arg.chart)
		return cli_boot_chart(c, cli_input_path(argc, argv), arg.chart);
	if (arg.chart) {
		(void)kft_err_set(&c->err, -ENOTSUP, CLI_NOT_DRAWN);
		return CLI_USAGE;
	}
#if HAVE_VIEW
	if (arg.view)
		return cli_boot_view(c, cli_input_path(argc, argv), arg.output);
#endif
	if (arg.remove && argc == 0 && !arg.install)
		return remove_installed(c) < 0 ? CLI_FAILED : CLI_OK;
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
	return show(c) < 0 ? CLI_FAILED : CLI_OK;
}

const struct cli_verb cli_verb_boot = {
	.name = "boot",
	.summary = "trace a boot as a KFT configuration says",
	.operands = "[FILE]",
	.about =
		"Prints the parameters for the kernel's command line that make the boot a "
		"run of FILE (kft.conf(5)), and says on standard error what they do. "
		"'kft save --boot' writes the trace when the machine is up.",
	.opts = opts,
	.max_operands = 1,
	.run = run,
};
