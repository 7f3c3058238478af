// SPDX-License-Identifier: GPL-2.0-only
/* `kft stats`: prints statistics of a trace. */
#include "cli/verb.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/checksum.h"
#include "analysis/stats/interval_result.h"
#include "analysis/stats/overview.h"
#include "analysis/stats/samples.h"
#include "analysis/stats/stats_result.h"
#include "analysis/stats/wall.h"
#include "base/err.h"
#include "cli/answer.h"
#include "cli/input.h"
#include "cli/kinds.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/record_first.h"
#include "cli/scope.h"
#include "cli/stats_live.h"
#include "cli/stats_plot.h"
#include "decode/trace_lazy.h"
#include "derive/kinds/kinds.h"
#include "live/live.h"
#include "output/time.h"

#define ONLY_NOTHING (-1) /* --only was not given */
#define TOP_ROWS     20 /* rows of each kind, unless the user requests more */

static struct cli_scope arg_scope;
static bool arg_all;
static int arg_format;
static bool arg_checksum;
static int arg_only = ONLY_NOTHING;
static unsigned int arg_by;
static int arg_sort;
static uint64_t arg_top = UINT64_MAX;
static const char *arg_where;
static bool arg_hist;
static bool arg_exact;
static bool arg_plot;
static const char *arg_output;
static uint64_t arg_every_ns;

/* The request: some kinds, or one of the others; without any, an overview. */
static struct cli_kinds arg_kinds;
static bool arg_events;
static bool arg_samples;
static bool arg_wall;

/* Whether the answer has calls of functions. */
static bool shows_calls;

/* The parts that a word of --only keeps. */
static const char *const only_words[] = {"events", "cpus", "tasks", NULL};
static const unsigned int only_parts[] = {KFT_STATS_EVENTS, KFT_STATS_CPUS,
					  KFT_STATS_TASKS};

static bool is_word(const char *text, size_t len, const char *word)
{
	return word && strlen(word) == len && memcmp(text, word, len) == 0;
}

/* Handles "events", "sample", "wall", or a kind. */
static bool add_word(const char *word, size_t len)
{
	if (is_word(word, len, "events"))
		return arg_events = true;
	if (is_word(word, len, "sample"))
		return arg_samples = true;
	if (HAVE_PERF && is_word(word, len, "wall"))
		return arg_wall = true;
	return cli_kinds_add_word(&arg_kinds, word, len);
}

/* Takes a list of kinds separated by commas; any other text is a file name. */
static bool take_kinds(const char *list)
{
	size_t before = arg_kinds.n;

	for (const char *p = list;; p++) {
		size_t len = strcspn(p, ",");

		if (!add_word(p, len)) {
			arg_kinds.n = before;
			arg_events = arg_samples = arg_wall = false;
			return false;
		}
		p += len;
		if (!*p)
			return true;
	}
}

static void hint_at_kinds(struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf known = {};

	for (size_t i = 0; kft_interval_kinds[i]; i++)
		if (!cli_first.is_live || kft_live_has_kind(kft_interval_kinds[i]))
			kft_strbuf_addf(&known, "%s, ", kft_interval_kinds[i]->name);
	kft_err_hint(e,
		     cli_first.is_live
			     ? "kinds that the kernel can count: %sall"
			     : "kinds: %ssched, power, all, events, sample, wall",
		     kft_strbuf_cstr(&known));
}

static int refuse_kinds(const char *list, struct kft_err *e)
{
	const char *key = strchr(list, ':');

	(void)kft_err_set(e, -EINVAL, "not a list of kinds of intervals: '%s'", list);
	if (key && add_word(list, (size_t)(key - list)))
		kft_err_hint(e, "one key of a kind: kft stats %.*s --where 'key == %s'",
			     (int)(key - list), list, key + 1);
	else
		hint_at_kinds(e);
	return -EINVAL;
}

static int set_by(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	static const char *const words[] = {"key", "cpu", "task", "comm"};

	arg_by = 0;
	for (const char *p = arg;; p++) {
		size_t len = strcspn(p, ",");
		size_t i = 0;

		while (i < ARRAY_SIZE(words) && !is_word(p, len, words[i]))
			i++;
		if (i == ARRAY_SIZE(words))
			return kft_err_set(e, -EINVAL,
					   "option '--by': '%s' is not a list of key, "
					   "cpu, task and comm",
					   arg);
		arg_by |= 1u << i;
		p += len;
		if (!*p)
			return 0;
	}
}

static const struct kft_opt opts[] = {
	CLI_SCOPE_OPTS(arg_scope),
	{0, "by", "WHAT",
	 "a row for each: key, cpu, task or comm (tasks of one name); a list with commas "
	 "(key)",
	 KFT_OPT_CALLBACK, .parse = set_by},
	{0, "where", "CONDITION",
	 "only intervals like 'duration > 1ms && key == read && comm != bash'",
	 KFT_OPT_STRING, &arg_where},
	{0, "sort", "COLUMN",
	 "total, count, min, avg, max, sd, p50, p90, p99, p99.9 or name (total)",
	 KFT_OPT_ENUM, &arg_sort, kft_interval_sorts},
	{0, "top", "N", "so many rows of each kind", KFT_OPT_U64, &arg_top},
	{0, "hist", NULL, "draw how long the intervals of each row took", KFT_OPT_FLAG,
	 &arg_hist},
	{0, "plot", NULL,
	 "draw how long the intervals of each kind were, and when; the worst are named",
	 KFT_OPT_FLAG, &arg_plot},
	{'o', "output", "OUT", "draw the same as a picture (SVG) into OUT",
	 KFT_OPT_STRING, &arg_output},
	{0, "exact", NULL, "percentiles to the nanosecond, in a second pass",
	 KFT_OPT_FLAG, &arg_exact},
	{0, "interval", "PAIR",
	 "a kind of your own, 'NAME: EVENT[/FILTER/] -> EVENT[/FILTER/] by FIELD', or a "
	 "file of such lines; may be repeated",
	 KFT_OPT_CALLBACK, &arg_kinds, .parse = cli_kinds_add_interval},
	{0, "all", NULL, "show all rows", KFT_OPT_FLAG, &arg_all},
	{0, "live", NULL,
	 "have the kernel compute the statistics, without a trace, until COMMAND or TIME "
	 "ends, or Ctrl-C",
	 KFT_OPT_FLAG, &cli_first.is_live},
	{0, "every", "TIME", "with --live: print the statistics of each TIME",
	 KFT_OPT_DURATION, &arg_every_ns},
	CLI_FIRST_OPTS("the same as --all; with -d or COMMAND, record the whole system"),
	{0, "only", "TABLE",
	 "of events: only events, cpus or tasks; events and cpus are counted quickest, "
	 "events without their times",
	 KFT_OPT_ENUM, &arg_only, only_words},
	{0, "checksum", NULL,
	 "only a checksum of every field of every event: the same for the same events in "
	 "any file",
	 KFT_OPT_FLAG, &arg_checksum},
	CLI_FORMAT_OPT(arg_format),
	CLI_JSON_OPT(arg_format),
	CLI_FOREIGN_OPT('c', "kft record -e syscalls -- COMMAND, and kft stats syscall, "
			     "count system calls"),
	CLI_FOREIGN_INPUT_OPT,
	CLI_QUIET_OPT,
	CLI_PAGER_OPT,
	{},
};

/*
 * Adds values about the file, which the analysis does not know. Damage is
 * known only after reading.
 */
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
	int r = HAVE_VIEWERS ? kft_checksum_run(t, how, &sum, &c->err)
			     : cli_left_out(&c->err, "checksums");

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

/*
 * Loads names of functions only for kinds that use them: it takes as
 * long as 100,000 events.
 */
static void load_names(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		       size_t n)
{
	bool has_functions = false;

	for (size_t i = 0; i < n; i++)
		has_functions |= kft_interval_kind_has_functions(kinds[i]);
	(void)kft_trace_tasks(t);
	if (has_functions)
		(void)kft_trace_symbols(t);
}

static size_t rows_to_show(void)
{
	if (arg_top != UINT64_MAX)
		return (size_t)arg_top;
	return arg_all || arg_format != KFT_OUTPUT_text ? 0 : TOP_ROWS;
}

static int run_intervals(struct cli *c, struct kft_trace *t,
			 const struct kft_analysis_opts *how,
			 const struct kft_interval_kind *const *kinds, size_t n,
			 struct kft_interval_stats *ret)
{
	_cleanup_(kft_interval_where_destroyp) struct kft_interval_where *where = NULL;
	struct kft_interval_question q = {
		.kinds = kinds, .n_kinds = n, .by = arg_by, .is_exact = arg_exact};
	int r = 0;

	load_names(t, kinds, n);
	if (arg_where)
		r = kft_interval_where_parse(arg_where, &where, &c->err);
	q.where = where;
	return r < 0 ? r : kft_interval_stats_run(t, &q, how, ret, &c->err);
}

static bool has_kind(const struct kft_interval_kind *const *kinds, size_t n,
		     const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(kinds[i]->name, name) == 0)
			return true;
	return false;
}

/* Calls, waits and the like of tasks, which may begin on one CPU and end on another one. */
static bool follows_tasks(const struct kft_interval_stats *stats)
{
	kft_vec_for_each(&stats->list, stat)
		if (!stat->row.kind->per_cpu && stat->row.kind != &kft_kind_task)
			return true;
	return false;
}

static bool begins_late(const struct kft_interval_stats *stats)
{
	return stats->has_span && stats->whole_from > stats->first_ns;
}

/*
 * Two calls of a task look like one where the first one returned on a CPU without events,
 * and the second one began there.
 */
static void note_seams(const struct kft_interval_stats *stats, const char *whole_from)
{
	static const char missed[] =
		"two intervals of a task look like one if the end of "
		"the first and the beginning of the second are "
		"among these events";

	if (!follows_tasks(stats))
		return;
	if (stats->is_partial)
		cli_print_note("events of some CPUs are not read: %s", missed);
	if (begins_late(stats))
		cli_print_note("events of some CPUs before %s were overwritten: %s",
			       whole_from, missed);
}

/*
 * Notes which states of tasks are omitted: those that a CPU outside of the
 * selection may have ended.
 */
static void note_coverage(const struct kft_trace *t,
			  const struct kft_interval_kind *const *kinds, size_t n,
			  const struct kft_interval_stats *stats)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf from = {};

	kft_strbuf_add_ts(&from, t->meta.clock.unit, stats->whole_from);
	const char *text = kft_strbuf_cstr(&from);

	text += strspn(text, " ");
	note_seams(stats, text);
	if (!has_kind(kinds, n, "task"))
		return;
	if (begins_late(stats))
		cli_print_note(
			"all CPUs have events from %s on; before that, only the time "
			"that tasks run is counted",
			text);
	if (stats->is_partial)
		cli_print_note(
			"events of some CPUs are not read: the time that a task may have "
			"spent on one of these is not counted");
}

/* Calls that were not recorded matter where calls are counted. */
static bool has_calls(const struct kft_interval_stats *stats)
{
	kft_vec_for_each(&stats->list, stat)
		if (stat->row.kind == &kft_kind_function)
			return true;
	return false;
}

static int add_intervals(struct cli *c, const char *path, struct kft_trace *t,
			 const struct kft_analysis_opts *how, struct kft_result *result)
{
	_cleanup_(kft_interval_stats_finish) struct kft_interval_stats stats = {};
	const struct kft_interval_view view = {
		.by = arg_by ? arg_by : KFT_INTERVAL_BY_KEY,
		.sort = arg_sort,
		.top = rows_to_show(),
		.histograms = arg_hist,
	};
	int r = run_intervals(c, t, how, arg_kinds.list, arg_kinds.n, &stats);

	if (r < 0)
		return r;
	add_file(path, t, result);
	size_t left_out = kft_interval_stats_result(t, &stats, &view, result);

	note_coverage(t, arg_kinds.list, arg_kinds.n, &stats);
	shows_calls = has_calls(&stats);
	if (!stats.list.len)
		cli_print_note("the trace has no such intervals");
	if (left_out)
		cli_print_note("%zu more rows: --all shows them", left_out);
	return 0;
}

/* Adds the kinds of intervals in the trace, or its events if it has none. */
static int add_overview(struct cli *c, const char *path, struct kft_trace *t,
			const struct kft_analysis_opts *how, struct kft_result *result)
{
	_cleanup_(kft_interval_stats_finish) struct kft_interval_stats stats = {};
	_cleanup_(kft_stats_finish) struct kft_stats counts = {};
	const struct kft_interval_kind *kinds[KFT_INTERVAL_KINDS_MAX];
	int r = kft_stats_run(t, KFT_STATS_EVENTS, how, &counts, &c->err);

	if (r < 0)
		return r;
	size_t n = 0;

	(void)cli_kinds_add_word(&arg_kinds, "all", 3);
	n = kft_overview_kinds(t, &counts, arg_kinds.list, arg_kinds.n, kinds);
	if (n)
		r = run_intervals(c, t, how, kinds, n, &stats);
	if (r < 0)
		return r;
	if (!stats.list.len)
		return add_counts(c, path, t, how, result);
	note_coverage(t, kinds, n, &stats);
	counts.parts = 0;
	add_file(path, t, result);
	kft_stats_result(t, &counts, result);
	kft_overview_result(t, &stats, cli_input_name(path), result);
	return 0;
}

static int add_samples(struct cli *c, const char *path, struct kft_trace *t,
		       struct kft_result *result)
{
	if (!HAVE_PERF)
		return cli_left_out(&c->err, "statistics of samples");
	(void)kft_trace_tasks(t);
	(void)kft_trace_symbols(t);
	add_file(path, t, result);
	return kft_sample_stats(t, &arg_scope.scope, rows_to_show(), result, &c->err);
}

static int add_wall(struct cli *c, const char *path, struct kft_trace *t,
		    struct kft_result *result)
{
	(void)kft_trace_tasks(t);
	(void)kft_trace_symbols(t);
	add_file(path, t, result);
	return kft_wall_stats(t, &arg_scope.scope, rows_to_show(), result, &c->err);
}

static int add_answer(struct cli *c, const char *path, struct kft_trace *t,
		      const struct kft_analysis_opts *how, struct kft_result *result)
{
	if (arg_checksum)
		return add_checksum(c, path, t, how, result);
	if (arg_samples)
		return add_samples(c, path, t, result);
	if (HAVE_PERF && arg_wall)
		return add_wall(c, path, t, result);
	if (arg_kinds.n)
		return add_intervals(c, path, t, how, result);
	if (arg_events || arg_only != ONLY_NOTHING)
		return add_counts(c, path, t, how, result);
	return add_overview(c, path, t, how, result);
}

static int plot(struct cli *c, const char *path, struct kft_trace *t)
{
	_cleanup_(kft_interval_where_destroyp) struct kft_interval_where *where = NULL;
	struct kft_interval_question q = {.kinds = arg_kinds.list,
					  .n_kinds = arg_kinds.n};
	int r = cli_kinds_check(&arg_kinds, t, &c->err);

	if (!r && !HAVE_VIEWERS)
		r = cli_left_out(&c->err, "pictures");
	if (!r && !arg_kinds.n) {
		r = kft_err_set(&c->err, -EINVAL,
				"which kinds of intervals are to be drawn?");
		hint_at_kinds(&c->err);
	}
	load_names(t, arg_kinds.list, arg_kinds.n);
	if (!r && arg_where)
		r = kft_interval_where_parse(arg_where, &where, &c->err);
	q.where = where;
	if (r < 0)
		return CLI_USAGE;
	if (HAVE_VIEWERS &&
	    cli_stats_plot(c, path, t, &q, &arg_scope.scope, arg_output) < 0)
		return CLI_FAILED;
	return cli_input_finish_part(c, path, t, &arg_scope.scope);
}

static int show(struct cli *c, const char *path, struct kft_trace *t)
{
	cli_scope_hide_own(&arg_scope, t);
	if (arg_plot || arg_output)
		return plot(c, path, t);
	_cleanup_(kft_result_finish) struct kft_result result = {};
	const struct kft_analysis_opts how = {.scope = &arg_scope.scope};
	int r = cli_kinds_check(&arg_kinds, t, &c->err);

	if (!r)
		r = add_answer(c, path, t, &how, &result);
	if (r < 0)
		return r == -EINVAL || r == -ENOENT ? CLI_USAGE : CLI_FAILED;
	int status = cli_answer(c, arg_format, arg_all, &result);

	if (status != CLI_OK)
		return status;
	return shows_calls ? cli_input_finish_part(c, path, t, &arg_scope.scope)
			   : cli_input_finish(c, path, t);
}

/* Accepts KIND and FILE in either order, because kft why takes the file first. */
static int sort_operands(struct cli *c, int *argc, char ***argv)
{
	bool is_first = *argc && take_kinds((*argv)[0]);

	if (cli_first.is_live && *argc && !is_first && !cli_input_is((*argv)[0]))
		return refuse_kinds((*argv)[0], &c->err);
	if (!is_first && *argc > 1 && !take_kinds((*argv)[1]))
		return refuse_kinds((*argv)[cli_input_is((*argv)[0])], &c->err);
	*argc -= is_first || *argc > 1;
	*argv += is_first;
	return 0;
}

/* Uses the user's own kinds if nothing else was requested. */
static int take_operands(struct cli *c, int *argc, char ***argv)
{
	int r = sort_operands(c, argc, argv);

	if (r < 0)
		return r;
	int others = arg_events + arg_samples + arg_wall;

	if (!arg_kinds.n && !others)
		cli_kinds_add_user(&arg_kinds);
	if (others + (arg_kinds.n > 0) > 1)
		return kft_err_set(
			&c->err, -EINVAL,
			"events, sample, wall and kinds of intervals cannot be "
			"asked for at once");
	return 0;
}

/* Options that need the events themselves. */
static int refuse_with_live(int n_files, struct kft_err *e)
{
	const struct {
		bool is_given;
		const char *name;
	} refused[] = {
		{n_files > 0, "a file"},
		{arg_events || arg_only != ONLY_NOTHING, "counts of events"},
		{arg_samples, "samples"},
		{arg_wall, "the time of threads ('wall')"},
		{arg_checksum, "--checksum"},
		{arg_plot || arg_output, "--plot"},
		{arg_exact, "--exact"},
		{arg_scope.arg_since || arg_scope.arg_until, "--since and --until"},
		{arg_scope.arg_cpus, "-C"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (refused[i].is_given)
			return kft_err_set(e, -EINVAL,
					   "--live keeps no events: it cannot be "
					   "combined with %s",
					   refused[i].name);
	return 0;
}

static int show_live(struct cli *c, int n_files)
{
	const struct cli_stats_live q = {
		.kinds = &arg_kinds,
		.scope = &arg_scope,
		.where = arg_where,
		.view = {.by = arg_by ? arg_by : KFT_INTERVAL_BY_KEY,
			 .sort = arg_sort,
			 .top = rows_to_show(),
			 .histograms = arg_hist},
		.every_ns = arg_every_ns,
		.format = arg_format,
		.all = arg_all,
	};

	int status = CLI_USAGE;

	if (refuse_with_live(n_files, &c->err) == 0)
		status = cli_stats_live(c, &q);
	cli_scope_finish(&arg_scope);
	return status;
}

static int run(struct cli *c, int argc, char **argv)
{
	int status = CLI_USAGE;

	arg_all |= cli_first_means_all();
	if (take_operands(c, &argc, &argv) < 0)
		status = CLI_USAGE;
	else if (arg_every_ns && !cli_first.is_live)
		(void)kft_err_set(&c->err, -EINVAL, "--every needs --live");
	else if (cli_first.is_live)
		status = show_live(c, argc);
	else
		status = cli_scope_show(c, argc, argv, &arg_scope, show);
	cli_kinds_finish(&arg_kinds);
	return status;
}

const struct cli_verb cli_verb_stats = {
	.name = "stats",
	.group = CLI_GROUP_READ,
	.summary = "latency and duration statistics: interrupts, system calls, tasks",
	.operands =
		"[KIND[,KIND]...|all|events|sample|wall] [FILE | -d TIME | -- COMMAND...]",
	.about =
		"A first look at FILE (" CLI_TRACE_DEFAULT
		"; - is standard input), or how often and how long there was something of a "
		"KIND: irq, softirq, timer, syscall, sched, work, block, fault, lock, signal, "
		"function, mark ...; or sample: where the samples of kft record --sample and "
		"perf are; or wall: all time of each thread, running or waiting. With COMMAND or -d, records into " CLI_TRACE_DEFAULT
		" first.",
	.opts = opts,
	.is_paged = true,
	.takes_command = true,
	.max_operands = 2,
	.input = CLI_TRACE_DEFAULT,
	.run = run,
};
