// SPDX-License-Identifier: GPL-2.0-only
#include "cli/verb.h"

#include "analysis/stats_result.h"
#include "cli/input.h"
#include "cli/scope.h"
#include "decode/trace_lazy.h"
#include "output/result.h"

#define ONLY_NOTHING (-1) /* --only was not given */

static struct cli_scope arg_scope;
static bool arg_all;
static bool arg_json;
static int arg_only = ONLY_NOTHING;

/* What one word of --only leaves. */
static const char *const only_words[] = {"events", "cpus", "tasks", NULL};
static const unsigned int only_parts[] = {KFT_STATS_EVENTS, KFT_STATS_CPUS,
					  KFT_STATS_TASKS};

static const struct kft_opt opts[] = {
	CLI_SCOPE_OPTS(arg_scope),
	{'a', "all", NULL, "show all tasks, not only those with the most events",
	 KFT_OPT_FLAG, &arg_all},
	{0, "only", "TABLE",
	 "only events, cpus or tasks: events and cpus are counted quickest, events without "
	 "their times",
	 KFT_OPT_ENUM, &arg_only, only_words},
	{0, "json", NULL, "write JSON instead of tables", KFT_OPT_FLAG, &arg_json},
	{},
};

/* About the file, which the analysis does not know. Damage is known after reading. */
static void add_file(const char *path, struct kft_trace *t, struct kft_result *r)
{
	struct kft_value damage = {};
	struct kft_err e;

	kft_result_add(r, "file", "Trace", kft_value_text(r, cli_input_name(path)));
	kft_result_add_optional(r, "unfinished", "Unfinished",
				kft_value_number(KFT_VALUE_BOOL, t->unfinished));
	if (cli_input_damage(t, &e))
		damage = kft_value_text(r, e.msg);
	kft_result_add_optional(r, "damage", "Damage", damage);
}

static int show(struct cli *c, const char *path, struct kft_trace *t)
{
	_cleanup_(kft_stats_finish) struct kft_stats stats = {};
	_cleanup_(kft_result_finish) struct kft_result result = {};
	struct kft_analysis_opts how = {.scope = &arg_scope.scope};
	unsigned int parts = arg_only == ONLY_NOTHING ? KFT_STATS_ALL
						      : only_parts[arg_only];

	if (kft_stats_run(t, parts, &how, &stats, &c->err) < 0)
		return CLI_FAILED;
	if (stats.have_tasks)
		(void)kft_trace_tasks(t);
	add_file(path, t, &result);
	kft_stats_result(t, &stats, &result);
	if (arg_json)
		kft_result_json(&result, &c->out.sb);
	else
		kft_result_text(&result, arg_all, &c->out.sb);
	return cli_out_flush(&c->out) < 0 ? CLI_FAILED : cli_input_finish(c, path, t);
}

static int run(struct cli *c, int argc, char **argv)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	const char *path = cli_input_path(argc, argv);
	int status;

	if (cli_input_open(path, &t, &c->err) < 0)
		status = CLI_FAILED;
	else if (cli_scope_resolve(&arg_scope, t, &c->err) < 0)
		status = CLI_USAGE;
	else
		status = show(c, path, t);
	cli_scope_finish(&arg_scope);
	return status;
}

const struct cli_verb cli_verb_stats = {
	.name = "stats",
	.summary = "count what a trace holds and what it lost",
	.operands = "[FILE]",
	.about = "Per event, CPU and task of FILE (" CLI_TRACE_DEFAULT
		 "; - is standard input).",
	.opts = opts,
	.max_operands = 1,
	.run = run,
};
