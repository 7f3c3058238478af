// SPDX-License-Identifier: GPL-2.0-only
/* `kft config`: explains, checks and formats KFT configurations. */
#include <errno.h>

#include "base/err.h"
#include "cli/answer.h"
#include "cli/config_file.h"
#include "plan/explain.h"
#include "plan/format.h"

static struct {
	const char *map;
	bool syntax;
	int format;
} arg;

static const struct kft_opt opts[] = {
	{'m', "map", "MAP", "look functions up in this System.map of another kernel",
	 KFT_OPT_STRING, &arg.map},
	{0, "syntax", NULL, "look no functions up, leave this kernel alone", KFT_OPT_FLAG,
	 &arg.syntax},
	CLI_FORMAT_OPT(arg.format),
	{},
};

static int explain(struct cli *c, const struct kft_config *config,
		   const struct kft_config_caps *caps)
{
	_cleanup_(kft_result_finish) struct kft_result result = {};

	if (arg.format == KFT_OUTPUT_text) {
		kft_config_explain(config, caps, &c->out.sb);
		return 0;
	}
	kft_config_explain_result(config, caps, &result);
	return cli_answer(c, arg.format, true, &result) == CLI_OK ? 0 : -EIO;
}

static int check_live(struct cli *c, struct kft_config *config, const char *path)
{
	struct kft_config_caps caps;
	struct kft_host *host;
	int r = kft_host_open(NULL, &host, &c->err);

	if (r < 0)
		return r;
	cli_config_caps(host, &caps);
	/*
	 * A kernel that cannot trace functions cannot list them either; the
	 * reason is reported below.
	 */
	if (caps.function_graph)
		r = cli_config_resolve(c, path, host, config);
	host = kft_host_close(host);
	if (r < 0)
		return r;
	r = explain(c, config, &caps);
	return r < 0 ? r : cli_config_possible(c, path, config, &caps);
}

static int check(struct cli *c, struct kft_config *config, const char *path)
{
	if (!arg.syntax && !arg.map)
		return check_live(c, config, path);
	int r = arg.map ? cli_config_resolve_map(c, path, arg.map, config) : 0;
	return r < 0 ? r : explain(c, config, NULL);
}

static int format(struct cli *c, struct kft_config *config, const char *path)
{
	kft_config_format(config, &c->out.sb);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct cli *c, struct kft_config *config, const char *path);
} actions[] = {
	{"check", check},
	{"format", format},
};

static int run_action(struct cli *c, size_t action, const char *path)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_config_finish) struct kft_config config = {};
	int r = cli_config_read(c, path, &text, &config);

	if (r == 0)
		r = actions[action].run(c, &config, path);
	return r < 0 ? CLI_FAILED : CLI_OK;
}

static int run(struct cli *c, int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < ARRAY_SIZE(actions); i++)
		if (strcmp(argv[0], actions[i].name) == 0)
			return run_action(c, i, argv[1]);
	(void)kft_err_set(&c->err, -EINVAL, "expected check or format, and a file");
	kft_err_hint(&c->err, "`kft config check FILE` explains FILE");
	return CLI_USAGE;
}

const struct cli_verb cli_verb_config = {
	.name = "config",
	.group = CLI_GROUP_KFT,
	.summary = "check and explain a KFT configuration",
	.operands = "check|format FILE",
	.about = "check explains each clause of FILE (kft.conf(5); - is standard input), "
		 "and how it is carried out on this kernel. format writes "
		 "FILE in one canonical form.",
	.opts = opts,
	.max_operands = 2,
	.input = "-",
	.run = run,
};
