// SPDX-License-Identifier: GPL-2.0-only
/* `kft flame`: shows the distribution of time, as a flame graph or as folded stacks. */
#include "cli/verb.h"

#include "analysis/flame.h"
#include "cli/input.h"
#include "cli/answer.h"
#include "cli/progress.h"
#include "cli/scope.h"
#include "decode/trace_lazy.h"
#include "output/flame.h"

static const char *const of_words[] = {"calls", "off-cpu", "stacks", NULL};
static const char *const titles[] = {"time in functions", "time off CPU",
				     "stacks of the kernel"};

static struct cli_scope arg_scope;
static const char *arg_output;
static int arg_of = KFT_FLAME_CALLS;
static bool arg_folded;

static const struct kft_opt opts[] = {
	{0, "of", "WHAT",
	 "calls (of functions, by time), off-cpu (states of tasks, by time) or stacks (that "
	 "were recorded, by number) (calls)",
	 KFT_OPT_ENUM, &arg_of, of_words},
	{'o', "output", "OUT", "write to OUT; - is standard output (-)", KFT_OPT_STRING,
	 &arg_output},
	{0, "folded", NULL, "write lines of folded stacks instead of a picture",
	 KFT_OPT_FLAG, &arg_folded},
	CLI_SCOPE_OPTS(arg_scope),
	CLI_SCOPE_PID_OPT(arg_scope),
	CLI_QUIET_OPT,
	CLI_FOREIGN_INPUT_OPT,
	{},
};

static int write_stacks(struct cli *c, const char *path, const struct kft_stacks *stacks)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf title = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_addf(&title, "%s: %s", cli_input_name(path), titles[arg_of]);
	if (arg_folded)
		kft_flame_folded(stacks, &sb);
	else
		kft_flame_svg(stacks, kft_strbuf_cstr(&title), arg_of != KFT_FLAME_STACKS,
			      &sb);
	return cli_picture_write(c, path, arg_output, &sb);
}

static int show(struct cli *c, const char *path, struct kft_trace *t)
{
	struct kft_stacks stacks;

	(void)kft_trace_tasks(t);
	cli_scope_resolve_tasks(&arg_scope, t);
	kft_stacks_init(&stacks);
	int r = kft_flame_run(t, &arg_scope.scope, arg_of, kft_trace_symbols(t), &stacks,
			      &c->err);

	if (r == 0)
		r = write_stacks(c, path, &stacks);
	kft_stacks_finish(&stacks);
	if (r < 0)
		return CLI_FAILED;
	return cli_input_finish_part(c, path, t, &arg_scope.scope);
}

static int run(struct cli *c, int argc, char **argv)
{
	return cli_scope_show(c, argc, argv, &arg_scope, show);
}

const struct cli_verb cli_verb_flame = {
	.name = "flame",
	.group = CLI_GROUP_READ,
	.summary = "draw the durations in a trace as a flame graph",
	.operands = "[FILE]",
	.about = "FILE is " CLI_TRACE_DEFAULT "; - is standard input.",
	.opts = opts,
	.max_operands = 1,
	.input = CLI_TRACE_DEFAULT,
	.run = run,
};
