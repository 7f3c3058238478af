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

static const char *const of_words[] = {"calls",	  "off-cpu", "stacks",
				       "samples", "wall",    NULL};
static const char *const titles[] = {"time in functions", "time off CPU", "stacks",
				     "samples", "wall-clock time of threads"};

/* The value of --of if it is not given. */
#define BEST (-1)

static struct cli_scope arg_scope;
static const char *arg_output;
static int arg_of = BEST;
static bool arg_folded;

static const struct kft_opt opts[] = {
	{0, "of", "WHAT",
	 "calls (of functions, by time), samples (by time or events), stacks (that were "
	 "recorded, by number), off-cpu (states of tasks, by time) or wall (all time of each "
	 "thread: running by function, waiting by reason) (the first of these but wall that the "
	 "trace has)",
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

static int write_stacks(struct cli *c, const char *path, enum kft_flame_of of,
			bool is_time, const struct kft_stacks *stacks)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf title = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_addf(&title, "%s: %s", cli_input_name(path), titles[of]);
	if (arg_folded)
		kft_flame_folded(stacks, &sb);
	else
		kft_flame_svg(stacks, kft_strbuf_cstr(&title), is_time, &sb);
	return cli_picture_write(c, path, arg_output, &sb);
}

static int show(struct cli *c, const char *path, struct kft_trace *t)
{
	enum kft_flame_of of = arg_of == BEST ? KFT_FLAME_CALLS
					      : (enum kft_flame_of)arg_of;
	struct kft_stacks stacks;

	(void)kft_trace_tasks(t);
	cli_scope_resolve_tasks(&arg_scope, t);
	kft_stacks_init(&stacks);
	const struct kft_symbol_table *symbols = kft_trace_symbols(t);
	int r = arg_of == BEST ? kft_flame_best(t, &arg_scope.scope, symbols, &stacks,
						&of, &c->err)
			       : kft_flame_run(t, &arg_scope.scope, of, symbols, &stacks,
					       &c->err);

	if (r == 0)
		r = write_stacks(c, path, of, kft_flame_is_time(t, of), &stacks);
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
