// SPDX-License-Identifier: GPL-2.0-only
/* `kft kd`: shows the time spent in functions, as a table or a tree. */
#include "cli/verb.h"

#include <errno.h>

#include "analysis/calls.h"
#include "analysis/calls/result.h"
#include "analysis/calls/functions.h"
#include "base/err.h"
#include "base/units.h"
#include "cli/answer.h"
#include "cli/calls_input.h"
#include "cli/input.h"
#include "output/kd_table.h"
#include "output/kd_tree.h"

/* Limit for the columns of arguments, in levels and characters. */
#define LAYOUT_MAX 1000

/* Rows that are read first. */

/* Version of the original kd that had these options and this layout. */
#define KD_VERSION "1.1"

static uint64_t arg_top;
static uint64_t arg_min_ns;
static const char *arg_columns;
static bool arg_long;
static int arg_sort = KFT_FUNCTIONS_BY_TOTAL;
static bool arg_calls;
static bool arg_interlaced;
static bool arg_at_once;
static uint64_t arg_depth = 20;
static uint64_t arg_name_len = 40;
static bool arg_version;
static int arg_format;

static int parse_time(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	if (kft_parse_duration(arg, 1000, opt->value) < 0)
		return kft_err_set(e, -EINVAL,
				   "invalid time '%s': microseconds, or a number with a "
				   "unit",
				   arg);
	return 0;
}

static int parse_layout(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	uint64_t v;

	if (kft_parse_u64(arg, &v) < 0 || v > LAYOUT_MAX)
		return kft_err_set(e, -EINVAL, "invalid number '%s' (up to %d)", arg,
				   LAYOUT_MAX);
	*(uint64_t *)opt->value = v;
	return 0;
}

/* Indexed by enum kft_functions_order. */
static const char *const sort_letters[] = {
	[KFT_FUNCTIONS_BY_NAME] = "F",
	[KFT_FUNCTIONS_BY_CALLS] = "c",
	[KFT_FUNCTIONS_BY_TOTAL] = "t",
	[KFT_FUNCTIONS_BY_AVERAGE] = "a",
	[KFT_FUNCTIONS_BY_SUB] = "s",
	[KFT_FUNCTIONS_BY_LOCAL] = "l",
	[KFT_FUNCTIONS_BY_ON_TOTAL] = "T",
	[KFT_FUNCTIONS_BY_ON_LOCAL] = "L",
	NULL,
};

static const struct kft_opt opts[] = {
	{'n', NULL, "NUM", "only the NUM first functions", KFT_OPT_U64, &arg_top},
	{'t', NULL, "TIME", "only functions with at least TIME in total: microseconds",
	 KFT_OPT_CALLBACK, &arg_min_ns, .parse = parse_time},
	{'f', NULL, "LETTERS",
	 "columns: F function, c count, t total time, a average, r range, s time in "
	 "sub-routines, l local time, m sub-routine with the most time, n its count, u all "
	 "sub-routines, T total and L local time on a CPU (default Fctal); with -c: e entry, "
	 "t duration, l local time, T, L, p pid",
	 KFT_OPT_STRING, &arg_columns},
	{'l', NULL, NULL, "many columns: Fctalsmn, with -c etlp", KFT_OPT_FLAG,
	 &arg_long},
	{'s', NULL, "LETTER",
	 "sort by F, c, t, a, s, l, T or L, largest first (default t)", KFT_OPT_ENUM,
	 &arg_sort, .words = sort_letters},
	{'c', NULL, NULL, "show calls as a tree", KFT_OPT_FLAG, &arg_calls},
	{'i', NULL, NULL, "with -c: threads interlaced, in the order of time",
	 KFT_OPT_FLAG, &arg_interlaced},
	{'r', NULL, NULL, "with -c: each call at once, while reading", KFT_OPT_FLAG,
	 &arg_at_once},
	{'d', NULL, "NUM", "with -c: arguments stand behind NUM levels (default 20)",
	 KFT_OPT_CALLBACK, &arg_depth, .parse = parse_layout},
	{'m', NULL, "NUM", "with -c: and behind names of NUM characters (default 40)",
	 KFT_OPT_CALLBACK, &arg_name_len, .parse = parse_layout},
	CLI_FORMAT_OPT(arg_format),
	{'V', "version", NULL, "print the version", KFT_OPT_FLAG, &arg_version},
	{},
};

static const char *columns(const char *short_ones, const char *long_ones)
{
	if (arg_columns)
		return arg_columns;
	return arg_long ? long_ones : short_ones;
}

static int answer_functions(struct cli *c, const struct kft_func_stats *stats,
			    const struct kft_intern *names, int status)
{
	_cleanup_(kft_result_finish) struct kft_result result = {};
	const struct kft_functions_table table = {
		.stats = stats,
		.names = names,
		.min_total_ns = arg_min_ns,
		.top = arg_top,
	};

	kft_functions_result(&table, &result);
	int answered = cli_answer(c, arg_format, true, &result);

	return answered == CLI_OK ? status : answered;
}

/*
 * Notes functions that wait: they have the longest times, unless the
 * trace has the times on CPU.
 */
static void tell_waits(const struct kft_func_stats *stats, const struct kft_intern *names)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf found = {};

	kft_functions_waiting(stats, names, &found);
	if (found.len)
		cli_print_note(
			"times are from entry to exit, including the time that tasks "
			"slept: %s and their callers wait more than they work. With "
			"context switches in the trace -f TL shows the time on a CPU",
			kft_strbuf_cstr(&found));
}

static int show_functions(struct cli *c, struct cli_calls_source *src)
{
	_cleanup_(kft_functions_finish) struct kft_functions functions = {};
	_cleanup_(kft_intern_finish) struct kft_intern names = {};
	struct kft_nest_sink sink = kft_functions_sink(&functions);
	struct kft_kd_table table = {
		.columns = columns(KFT_KD_COLUMNS, KFT_KD_COLUMNS_LONG),
		.min_total_ns = arg_min_ns,
		.top = arg_top,
	};
	int status = cli_calls_feed(c, src, &sink, &names);

	if (status == CLI_FAILED)
		return status;
	kft_functions_sort(&functions, arg_sort, &names);
	tell_waits(&functions.stats, &names);
	if (arg_format != KFT_OUTPUT_text)
		return answer_functions(c, &functions.stats, &names, status);
	kft_kd_table_write(&table, &functions.stats, &names, &c->out.sb);
	return status;
}

static struct kft_kd_tree_style tree_style(void)
{
	return (struct kft_kd_tree_style){
		.columns = columns("", KFT_KD_TREE_COLUMNS_LONG),
		.interlaced = arg_interlaced,
		.max_depth = arg_depth,
		.max_name = arg_name_len,
	};
}

/* Writes the calls in the order of their entries. */
static int write_in_order(struct cli *c, const struct kft_kd_tree_style *style,
			  const struct kft_call_tree *tree,
			  const struct kft_intern *names)
{
	kft_vec_for_each(&tree->nodes, node) {
		kft_kd_tree_line(style, names, node, &c->out.sb);
		if (cli_out_drain(&c->out) < 0)
			return CLI_FAILED;
	}
	return CLI_OK;
}

static int write_tree(struct cli *c, const struct kft_kd_tree_style *style,
		      struct kft_call_tree *tree, const struct kft_intern *names)
{
	_cleanup_(kft_kd_tree_finish) struct kft_kd_tree out = {};
	int r;

	kft_call_tree_link(tree);
	kft_kd_tree_start(&out, style, tree, names);
	while ((r = kft_kd_tree_next(&out, &c->out.sb)) > 0)
		if (cli_out_drain(&c->out) < 0)
			return CLI_FAILED;
	if (r < 0)
		kft_err_sys(&c->err, r, "cannot show the calls");
	return r < 0 ? CLI_FAILED : CLI_OK;
}

static int answer_calls(struct cli *c, const struct kft_call_tree *tree,
			const struct kft_intern *names, int status)
{
	_cleanup_(kft_result_finish) struct kft_result result = {};
	const struct kft_calls_table table = {.tree = tree, .names = names};

	kft_calls_result(&table, &result);
	int answered = cli_answer(c, arg_format, true, &result);

	return answered == CLI_OK ? status : answered;
}

static int show_tree(struct cli *c, struct cli_calls_source *src)
{
	_cleanup_(kft_call_tree_finish) struct kft_call_tree tree = {};
	_cleanup_(kft_intern_finish) struct kft_intern names = {};
	struct kft_nest_sink sink = kft_calls_sink(&tree);
	struct kft_kd_tree_style style = tree_style();
	int status = cli_calls_feed(c, src, &sink, &names);

	if (status == CLI_FAILED)
		return status;
	if (arg_format != KFT_OUTPUT_text)
		return answer_calls(c, &tree, &names, status);
	style.has_off = tree.has_off;
	kft_kd_tree_titles(&style, &c->out.sb);
	int written = arg_at_once ? write_in_order(c, &style, &tree, &names)
				  : write_tree(c, &style, &tree, &names);

	return written == CLI_OK ? status : written;
}

/* State for writing each call at its entry. */
struct at_once {
	struct cli *c;
	struct kft_kd_tree_style style;
	struct kft_intern names;
};

static int write_call(void *arg, const struct kft_nested *n)
{
	struct at_once *a = arg;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf args = {};
	/* The calls inside are not known yet: like in kd, local is the whole duration. */
	struct kft_call_node node = {
		.entry_ns = n->call.entry_ns,
		.dur_ns = n->call.dur_ns,
		.local_ns = n->call.dur_ns,
		.end = n->call.end,
		.func = n->call.func,
		.pid = n->call.pid,
		.cpu = n->call.cpu,
		.depth = n->depth,
		.root = n->root,
	};

	if (n->call.args) {
		kft_strbuf_add(&args, n->call.args, n->call.args_len);
		node.args = kft_strbuf_cstr(&args);
	}
	kft_kd_tree_line(&a->style, &a->names, &node, &a->c->out.sb);
	return cli_out_drain(&a->c->out);
}

static int show_at_once(struct cli *c, struct cli_calls_source *src)
{
	struct at_once a = {.c = c, .style = tree_style()};
	struct kft_nest_sink sink = {.enter = write_call, .arg = &a};

	kft_kd_tree_titles(&a.style, &c->out.sb);
	int status = cli_calls_feed(c, src, &sink, &a.names);

	kft_intern_finish(&a.names);
	return status;
}

static int run(struct cli *c, int argc, char **argv)
{
	if (arg_version) {
		kft_strbuf_adds(&c->out.sb, "KFT dump - kd version " KD_VERSION
					    " (kft " KFT_VERSION ")\n");
		return CLI_OK;
	}
	_cleanup_(cli_calls_finish) struct cli_calls_source src = {.fd = -1};

	if (cli_calls_open(cli_input_path(argc, argv), &src, &c->err) < 0)
		return CLI_FAILED;
	if (!arg_calls)
		return show_functions(c, &src);
	/*
	 * In a trace the duration is known only at the exit, so it has to be read first.
	 */
	if (arg_at_once && !src.trace && arg_format == KFT_OUTPUT_text)
		return show_at_once(c, &src);
	return show_tree(c, &src);
}

const struct cli_verb cli_verb_kd = {
	.name = "kd",
	.group = CLI_GROUP_KFT,
	.summary = "show the time of each function, or a tree of calls",
	.operands = "[FILE]",
	.about = "FILE is a KFT log or a trace with calls of functions, by default "
		 "trace.dat; - is standard input. Times are in microseconds, -1 when not "
		 "known.",
	.opts = opts,
	.max_operands = 1,
	.input = CLI_TRACE_DEFAULT,
	.run = run,
};
