// SPDX-License-Identifier: GPL-2.0-only
/* `kft flame`: where time went, as a picture or as folded stacks. */
#include "cli/verb.h"

#include <errno.h>
#include <string.h>

#include "analysis/flame.h"
#include "base/err.h"
#include "base/io.h"
#include "base/new_file.h"
#include "cli/input.h"
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
	CLI_FOREIGN_INPUT_OPT,
	{},
};

static int write_file(const struct kft_strbuf *sb, struct kft_err *e)
{
	_cleanup_(kft_new_file_finish) struct kft_new_file file = KFT_NEW_FILE_NONE;
	int r = kft_new_file_open(arg_output, &file, e);

	if (r < 0)
		return r;
	r = kft_write_all(file.fd, sb->buf, sb->len);
	if (r < 0)
		return kft_err_sys(e, r, "cannot write '%s'", arg_output);
	return kft_new_file_commit(&file, e);
}

static int write_stacks(struct cli *c, const char *path, const struct kft_stacks *stacks)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf title = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	bool to_file = arg_output && strcmp(arg_output, "-") != 0;

	kft_strbuf_addf(&title, "%s: %s", cli_input_name(path), titles[arg_of]);
	if (arg_folded)
		kft_flame_folded(stacks, &sb);
	else
		kft_flame_svg(stacks, kft_strbuf_cstr(&title), arg_of != KFT_FLAME_STACKS,
			      &sb);
	if (!kft_strbuf_ok(&sb))
		return kft_err_sys(&c->err, -ENOMEM, "cannot draw '%s'", path);
	if (to_file)
		return write_file(&sb, &c->err);
	kft_strbuf_add(&c->out.sb, sb.buf, sb.len);
	return cli_out_flush(&c->out);
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
	return r < 0 ? CLI_FAILED : cli_input_finish(c, path, t);
}

static int run(struct cli *c, int argc, char **argv)
{
	return cli_scope_show(c, argc, argv, &arg_scope, show);
}

const struct cli_verb cli_verb_flame = {
	.name = "flame",
	.summary = "draw where time went as a flame graph",
	.operands = "[FILE]",
	.about = "FILE is " CLI_TRACE_DEFAULT "; - is standard input.",
	.opts = opts,
	.max_operands = 1,
	.run = run,
};
