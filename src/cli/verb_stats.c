// SPDX-License-Identifier: GPL-2.0-only
/* `kft stats`: what a trace holds, counted. */
#include "cli/verb.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/checksum.h"
#include "analysis/interval_stats.h"
#include "analysis/stats_result.h"
#include "base/err.h"
#include "cli/answer.h"
#include "cli/input.h"
#include "cli/scope.h"
#include "decode/trace_lazy.h"

#define ONLY_NOTHING (-1) /* --only was not given */

static struct cli_scope arg_scope;
static bool arg_all;
static int arg_format;
static bool arg_checksum;
static int arg_only = ONLY_NOTHING;
static const struct kft_interval_kind *arg_kinds[KFT_INTERVAL_KINDS_MAX];
static size_t n_kinds;

/* What one word of --only leaves. */
static const char *const only_words[] = {"events", "cpus", "tasks", NULL};
static const unsigned int only_parts[] = {KFT_STATS_EVENTS, KFT_STATS_CPUS,
					  KFT_STATS_TASKS};

static int refuse_kind(const char *name, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf known = {};

	for (size_t i = 0; kft_interval_kinds[i]; i++)
		kft_strbuf_addf(&known, "%s%s", i ? ", " : "",
				kft_interval_kinds[i]->name);
	(void)kft_err_set(e, -EINVAL, "option '--intervals': no kind of interval '%s'",
			  name);
	kft_err_hint(e, "there are: %s", kft_strbuf_cstr(&known));
	return -EINVAL;
}

/* A list with commas; each kind once. */
static int add_kinds(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	for (;;) {
		char name[32];
		size_t len = strcspn(arg, ",");

		(void)snprintf(name, sizeof(name), "%.*s",
			       (int)KFT_MIN(len, sizeof(name)), arg);
		const struct kft_interval_kind *kind = kft_interval_kind_find(name);
		size_t at = 0;

		if (!kind)
			return refuse_kind(name, e);
		while (at < n_kinds && arg_kinds[at] != kind)
			at++;
		if (at == n_kinds)
			arg_kinds[n_kinds++] = kind;
		if (!arg[len])
			return 0;
		arg += len + 1;
	}
}

static const struct kft_opt opts[] = {
	CLI_SCOPE_OPTS(arg_scope),
	{'a', "all", NULL, "show all tasks, not only those with the most events",
	 KFT_OPT_FLAG, &arg_all},
	{0, "only", "TABLE",
	 "only events, cpus or tasks: events and cpus are counted quickest, events without "
	 "their times",
	 KFT_OPT_ENUM, &arg_only, only_words},
	{0, "checksum", NULL,
	 "only a checksum of every field of every event: the same for the same events in "
	 "any file",
	 KFT_OPT_FLAG, &arg_checksum},
	{0, "intervals", "KIND",
	 "how often and how long: irq, softirq, syscall, task (its states) ...; a list with "
	 "commas, may be repeated",
	 KFT_OPT_CALLBACK, .parse = add_kinds},
	CLI_FORMAT_OPT(arg_format),
	CLI_JSON_OPT(arg_format),
	CLI_FOREIGN_INPUT_OPT,
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

static int add_counts(struct cli *c, const char *path, struct kft_trace *t,
		      const struct kft_analysis_opts *how, struct kft_result *result)
{
	_cleanup_(kft_stats_finish) struct kft_stats stats = {};
	unsigned int parts = arg_only == ONLY_NOTHING ? KFT_STATS_ALL
						      : only_parts[arg_only];
	int r = kft_stats_run(t, parts, how, &stats, &c->err);

	if (r < 0)
		return r;
	cli_scope_note_empty(&arg_scope, stats.count);
	if (stats.have_tasks)
		(void)kft_trace_tasks(t);
	add_file(path, t, result);
	kft_stats_result(t, &stats, result);
	return 0;
}

static int add_checksum(struct cli *c, const char *path, struct kft_trace *t,
			const struct kft_analysis_opts *how, struct kft_result *result)
{
	struct kft_checksum sum;
	char text[2 * sizeof(sum.sum) + 1];
	int r = kft_checksum_run(t, how, &sum, &c->err);

	if (r < 0)
		return r;
	(void)snprintf(text, sizeof(text), "%016" PRIx64, sum.sum);
	add_file(path, t, result);
	kft_result_add(result, "events", "Events",
		       kft_value_number(KFT_VALUE_COUNT, sum.events));
	kft_result_add(result, "fields", "Fields",
		       kft_value_number(KFT_VALUE_COUNT, sum.fields));
	kft_result_add(result, "checksum", "Checksum", kft_value_text(result, text));
	return 0;
}

static int add_intervals(struct cli *c, const char *path, struct kft_trace *t,
			 const struct kft_analysis_opts *how, struct kft_result *result)
{
	_cleanup_(kft_interval_stats_finish) struct kft_interval_stats stats = {};
	int r = kft_interval_stats_run(t, arg_kinds, n_kinds, how, &stats, &c->err);

	if (r < 0)
		return r;
	add_file(path, t, result);
	kft_interval_stats_result(t, &stats, result);
	return 0;
}

static int show(struct cli *c, const char *path, struct kft_trace *t)
{
	_cleanup_(kft_result_finish) struct kft_result result = {};
	struct kft_analysis_opts how = {.scope = &arg_scope.scope};
	int r = n_kinds	       ? add_intervals(c, path, t, &how, &result)
		: arg_checksum ? add_checksum(c, path, t, &how, &result)
			       : add_counts(c, path, t, &how, &result);

	if (r < 0)
		return CLI_FAILED;
	int status = cli_answer(c, arg_format, arg_all, &result);
	return status == CLI_OK ? cli_input_finish(c, path, t) : status;
}

static int run(struct cli *c, int argc, char **argv)
{
	return cli_scope_show(c, argc, argv, &arg_scope, show);
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
