// SPDX-License-Identifier: GPL-2.0-only
/* `kft why`: explains where an interval's time went. */
#include "cli/verb.h"

#include <errno.h>
#include <stdio.h>

#include "analysis/why/command.h"
#include "analysis/why/find.h"
#include "analysis/why/why.h"
#include "api/report_pool.h"
#include "base/err.h"
#include "base/units.h"
#include "cli/answer.h"
#include "cli/input.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/record_first.h"
#include "cli/scope.h"
#include "cli/why_snapshot.h"
#include "decode/trace_lazy.h"
#include "derive/kinds/kinds.h"
#include "model/merge.h"
#include "output/why_text.h"

/* Lines that are shown before and after a moment. */
#define LINES_AROUND 4
/* Range in which these lines are searched. */
#define AROUND_NS UINT64_C(20000000)
#define ALL_WORST 100
#define WORST_MAX 100000

static struct {
	uint64_t rank;
	uint64_t above_ns;
	const char *task;
	bool all;
	bool verbose;
	uint64_t top;
	int format;
} arg = {.rank = 1, .top = ALL_WORST};

static const struct kft_opt opts[] = {
	{0, "rank", "N", "explain the Nth worst (1)", KFT_OPT_U64, &arg.rank},
	{0, "above", "TIME", "only intervals that took longer than TIME (5ms)",
	 KFT_OPT_DURATION, &arg.above_ns},
	{0, "task", "TASK", "only intervals of this task: its name or pid",
	 KFT_OPT_STRING, &arg.task},
	{0, "all", NULL, "group the worst intervals by their reasons", KFT_OPT_FLAG,
	 &arg.all},
	CLI_FIRST_OPTS("the same as --all; with -d or COMMAND, record and explain the "
		       "whole system"),
	{0, "top", "N", "with --all: so many of the worst (100)", KFT_OPT_U64, &arg.top},
	{'v', "verbose", NULL,
	 "show all lines of the trace within the interval, and all rows", KFT_OPT_FLAG,
	 &arg.verbose},
	CLI_FORMAT_OPT(arg.format),
	CLI_FOREIGN_INPUT_OPT,
	CLI_QUIET_OPT,
	CLI_PAGER_OPT,
	{},
};

/* WHAT, parsed. */
struct what {
	struct kft_why_ask ask;
	char kind[32];
	bool shows_calls; /* the answer has to do with calls of functions */
};

/*
 * Adds a name unless it is listed already; most groups have the name
 * of one of their kinds.
 */
static void add_known(const char *name, struct kft_strbuf *known)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf word = {};

	kft_strbuf_addf(&word, " %s,", name);
	if (!known->len || !strstr(kft_strbuf_cstr(known), kft_strbuf_cstr(&word)))
		kft_strbuf_add(known, word.buf, word.len);
}

static int unknown_kind(const char *text, const char *name, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf known = {};
	const struct kft_interval_kind *instant = kft_interval_kind_find(name);

	if (instant)
		return kft_err_set(
			e, -EINVAL,
			"events of kind '%s' are only counted: no time is known "
			"that they take",
			name);
	for (size_t i = 0; kft_interval_kinds[i]; i++) {
		const struct kft_interval_kind *kind = kft_interval_kinds[i];

		if (kind->is_instant)
			continue;
		if (kind->group)
			add_known(kind->group, &known);
		add_known(kind->name, &known);
	}
	(void)kft_err_set(e, -EINVAL,
			  "neither a file, nor a kind of interval, nor a time: '%s'",
			  text);
	kft_err_hint(e,
		     "kinds:%s each may be followed by :KEY; or times as the report "
		     "shows them",
		     kft_strbuf_cstr(&known));
	return -EINVAL;
}

/* Parses "KIND[:KEY]"; sched:NAME is a task's wait for a CPU. */
static int parse_row(const char *text, struct what *ret, struct kft_err *e)
{
	size_t len = strcspn(text, ":");
	const char *key = text[len] ? text + len + 1 : NULL;

	(void)snprintf(ret->kind, sizeof(ret->kind), "%.*s",
		       (int)KFT_MIN(len, sizeof(ret->kind)), text);
	ret->ask.key = key;
	if (strcmp(ret->kind, "sched") == 0) {
		(void)kft_why_ask_kinds(&ret->ask, "task");
		ret->ask.task = key;
		ret->ask.key = NULL;
		return 0;
	}
	return kft_why_ask_kinds(&ret->ask, ret->kind) ? 0
						       : unknown_kind(text, ret->kind, e);
}

static bool is_time(const char *text)
{
	return (text[0] >= '0' && text[0] <= '9') || text[0] == '+' || text[0] == '-';
}

/* Parses a time, or FROM..TO. */
static int parse_time(struct kft_trace *t, const char *text, struct kft_why_ask *ask,
		      struct kft_err *e)
{
	if (strstr(text, ".."))
		return cli_scope_parse_stretch(t, "WHAT", text, &ask->since, &ask->until,
					       e);
	int r = cli_scope_parse_time(t, "WHAT", text, false, &ask->since, e);

	/* Tables show microseconds, so the moment is any time within that microsecond. */
	if (r >= 0)
		r = cli_scope_parse_time(t, "WHAT", text, true, &ask->until, e);
	/* 0 would mean any time; no event has time 0. */
	ask->until = KFT_MAX(ask->until, UINT64_C(1));
	ask->is_moment = true;
	return r;
}

/* A trace of COMMAND is explained by the run of COMMAND, unless something else is asked for. */
static bool is_about_command(const char *text)
{
	return text ? strcmp(text, "command") == 0
		    : !cli_first.all && !arg.all && !arg.task && !arg.above_ns &&
			       arg.rank == 1;
}

/* The question is about the strangest interval of all tasks. */
static bool is_about_all(const char *text)
{
	return !text || strcmp(text, "all") == 0;
}

static int parse_what(struct kft_trace *t, const char *text, struct what *ret,
		      struct kft_err *e)
{
	ret->ask = (struct kft_why_ask){.above_ns = arg.above_ns,
					.keep = arg.all ? arg.top : arg.rank};
	int r = is_about_all(text) || is_about_command(text) ? 0
		: is_time(text) ? parse_time(t, text, &ret->ask, e)
				: parse_row(text, ret, e);

	if (arg.task)
		ret->ask.task = arg.task;
	return r;
}

static void print_info(void *ctx, const struct kft_event *ev, const struct kft_class *cls,
		       struct kft_strbuf *sb)
{
	kft_printer_info(ctx, ev, sb);
}

/* Prints lines of the trace. */
struct lines {
	struct cli *c;
	struct kft_formatter formatter;
	uint64_t shown_until; /* lines before this time were printed */
	/* The last events before a moment. */
	struct kft_event before[LINES_AROUND];
	struct kft_strbuf bytes[LINES_AROUND]; /* owned: their data */
};

static void lines_finish(struct lines *l)
{
	kft_formatter_finish(&l->formatter);
	for (size_t i = 0; i < LINES_AROUND; i++)
		kft_strbuf_finish(&l->bytes[i]);
}

static int show_line(struct lines *l, const struct kft_event *ev)
{
	kft_formatter_add(&l->formatter, KFT_REPORT_SHOWN, ev, NULL, NULL, &l->c->out.sb);
	l->shown_until = ev->ts + 1;
	return cli_out_drain(&l->c->out);
}

static int show_lines(struct lines *l, struct kft_trace *t, uint64_t since,
		      uint64_t until)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_scope scope = {.since = since, .until = until};
	const struct kft_event *ev;
	int r = kft_merge_create(t, &scope, &m);

	while (r >= 0 && (r = kft_merge_next(m, &ev)) > 0)
		r = show_line(l, ev);
	return r;
}

/* Copies an event, since its data is borrowed from the trace. */
static int keep_line(struct lines *l, uint64_t number, const struct kft_event *ev)
{
	struct kft_strbuf *bytes = &l->bytes[number % LINES_AROUND];
	struct kft_event *kept = &l->before[number % LINES_AROUND];

	kft_strbuf_clear(bytes);
	kft_strbuf_add(bytes, ev->data, ev->size);
	*kept = *ev;
	kept->data = (const uint8_t *)kft_strbuf_cstr(bytes);
	return bytes->failed ? -ENOMEM : 0;
}

static int show_kept(struct lines *l, const char *title, uint64_t n)
{
	int r = 0;

	kft_strbuf_addf(&l->c->out.sb, "\n%s:\n", title);
	for (uint64_t i = n - KFT_MIN(n, (uint64_t)LINES_AROUND); i < n && r >= 0; i++)
		r = show_line(l, &l->before[i % LINES_AROUND]);
	return r;
}

/* Prints a few lines around a moment, with a title; nothing without events there. */
static int show_around(struct lines *l, struct kft_trace *t, const char *title,
		       uint64_t ts)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	uint64_t since = ts > AROUND_NS ? ts - AROUND_NS : 0;
	const struct kft_scope scope = {.since = KFT_MAX(since, l->shown_until),
					.until = ts + AROUND_NS};
	const struct kft_event *ev;
	uint64_t n_before = 0;
	int n_after = 0;

	if (scope.since > ts)
		return 0;
	int r = kft_merge_create(t, &scope, &m);

	while (r >= 0 && n_after < LINES_AROUND && (r = kft_merge_next(m, &ev)) > 0) {
		if (ev->ts <= ts) {
			r = keep_line(l, n_before++, ev);
			continue;
		}
		r = n_after++ ? 0 : show_kept(l, title, n_before);
		if (r >= 0)
			r = show_line(l, ev);
	}
	return r >= 0 && n_before && !n_after ? show_kept(l, title, n_before) : r;
}

static int show_trace(struct cli *c, struct kft_trace *t, const struct kft_why *w)
{
	const struct kft_report_opts how = {.trace = t, .info = print_info};
	struct lines l = {.c = c};
	int r = kft_formatter_init(&l.formatter, &kft_report_trace, &how);

	if (r >= 0 && arg.verbose) {
		kft_strbuf_adds(&c->out.sb, "\n");
		r = show_lines(&l, t, w->interval.begin_ns, w->interval.end_ns);
	} else if (r >= 0) {
		const struct kft_why_segment *lead = &w->rows.data[w->lead_row].like;

		r = show_around(&l, t, "It begins", w->interval.begin_ns);
		if (r >= 0)
			r = show_around(&l, t, "The longest of it begins", lead->begin);
		if (r >= 0)
			r = show_around(&l, t, "and ends", lead->end);
		if (r >= 0)
			r = show_around(&l, t, "It ends", w->interval.end_ns);
	}
	lines_finish(&l);
	return r < 0 ? kft_err_sys(&c->err, r, "cannot show the trace") : 0;
}

/* strangest: of the command that w is about; NULL: none. */
static int answer(struct cli *c, struct kft_trace *t, const struct kft_why *w,
		  const struct kft_why *strangest)
{
	_cleanup_(kft_result_finish) struct kft_result result = {};

	kft_why_result(w, &result);
	if (strangest)
		kft_why_result_strangest(strangest, &result);
	if (arg.format != KFT_OUTPUT_text)
		return cli_answer(c, arg.format, true, &result);
	const struct kft_output_how how = {.all = arg.verbose,
					   .all_option = "-v",
					   .width = c->out.width,
					   .colour = cli_wants_colour(STDOUT_FILENO)};

	kft_why_text(&result, &how, &c->out.sb);
	/* The edges of a command are those of its first task: they explain nothing. */
	if (w->rows.len && (!w->is_command || arg.verbose) && show_trace(c, t, w) < 0)
		return CLI_FAILED;
	return cli_out_flush(&c->out) < 0 ? CLI_FAILED : CLI_OK;
}

static int explain_all(struct cli *c, struct kft_trace *t,
		       const struct kft_why_found *found)
{
	_cleanup_(kft_result_finish) struct kft_result result = {};

	if (kft_why_all(t, found, &result, &c->err) < 0)
		return CLI_FAILED;
	return cli_answer(c, arg.format, true, &result);
}

/* A hint how to see the candidates, or how to record them. */
static const char *advice(const struct kft_why_ask *ask, size_t n)
{
	if (n || ask->until || ask->above_ns)
		return "";
	if (ask->task)
		return "; 'kft stats sched --by comm' shows its tasks";
	return ask->n_kinds
		       ? "; 'kft stats all' shows which it has"
		       : "; 'kft record --for why' records the events that they need";
}

static void set_too_few(const struct kft_why_ask *ask, size_t n, struct kft_err *e)
{
	(void)kft_err_set(e, -ENOENT,
			  "the trace has %zu such intervals%s from begin to end%s", n,
			  ask->until ? " at that time" : "", advice(ask, n));
}

static int explain_one(struct cli *c, struct kft_trace *t, struct what *what)
{
	struct kft_why_found found = {};
	struct kft_watch_cause cause = {};
	bool starts_anywhere = !what->ask.n_kinds && !what->ask.until;
	int status = CLI_FAILED;
	struct kft_why w;
	int r = starts_anywhere ? cli_why_answer_first(t, &what->ask, arg.rank - 1,
						       &cause, &found, &w, &c->err)
				: kft_why_answer(t, &what->ask, arg.rank - 1, &found, &w,
						 &c->err);

	if (r < 0)
		return CLI_FAILED;
	what->shows_calls = found.has_calls;
	if (r == 1)
		cli_print_note("the snapshot was taken %s", cause.text);
	if (found.worst.len < arg.rank) {
		set_too_few(&what->ask, found.worst.len, &c->err);
	} else {
		status = answer(c, t, &w, NULL);
		what->shows_calls |= (w.facts.seen & KFT_WHY_SEEN_FUNCTION) != 0;
		kft_why_finish(&w);
	}
	kft_why_found_finish(&found);
	kft_watch_cause_finish(&cause);
	return status;
}

static int explain_found(struct cli *c, struct kft_trace *t, struct what *what)
{
	_cleanup_(kft_why_found_finish) struct kft_why_found found = {};

	if (!arg.all)
		return explain_one(c, t, what);
	if (kft_why_find(t, &what->ask, &found, &c->err) < 0)
		return CLI_FAILED;
	what->shows_calls = found.has_calls;
	if (found.worst.len)
		return explain_all(c, t, &found);
	set_too_few(&what->ask, 0, &c->err);
	return CLI_FAILED;
}

/*
 * Whether the range of one task is explained as a whole, instead of its worst interval.
 */
static bool is_of_one(struct kft_trace *t, const struct kft_why_ask *ask,
		      int32_t *ret_pid)
{
	uint64_t pid;

	if (!ask->until || ask->is_moment || !ask->task || arg.all)
		return false;
	if (kft_parse_u64(ask->task, &pid) < 0)
		return kft_why_find_named(t, ask->task, ask->since, ask->until, ret_pid) >
		       0;
	*ret_pid = (int32_t)pid;
	return pid <= INT32_MAX;
}

static int explain_time(struct cli *c, struct kft_trace *t,
			const struct kft_why_interval *stretch, struct what *what)
{
	struct kft_why w;

	if (kft_why_explain_time(t, stretch, &w, &c->err) < 0)
		return CLI_FAILED;
	int status = answer(c, t, &w, NULL);

	what->shows_calls = (w.facts.seen & KFT_WHY_SEEN_FUNCTION) != 0;
	kft_why_finish(&w);
	return status;
}

/* Explains the run of the command, and the strangest interval of its tasks. */
static int explain_command(struct cli *c, struct kft_trace *t,
			   const struct kft_why_command *command, struct what *what)
{
	struct kft_why strangest;
	struct kft_why w;
	int r = kft_why_explain_time(t, &command->run, &w, &c->err);

	if (r == -E2BIG)
		kft_err_hint(&c->err, "a shorter time can be explained: FROM..TO with "
				      "--task, or an interval by its kind or by 'all'");
	if (r < 0)
		return CLI_FAILED;
	r = kft_why_strangest_of(t, command, &strangest, &c->err);
	int status = r < 0 ? CLI_FAILED : answer(c, t, &w, r ? &strangest : NULL);

	what->shows_calls = (w.facts.seen & KFT_WHY_SEEN_FUNCTION) != 0;
	kft_why_finish(&w);
	if (r > 0)
		kft_why_finish(&strangest);
	return status;
}

static int explain_what(struct cli *c, struct kft_trace *t, const char *text,
			struct what *what)
{
	_cleanup_(kft_why_command_finish) struct kft_why_command command = {};
	struct kft_why_interval stretch = {.begin = what->ask.since,
					   .end = what->ask.until};
	int r = is_about_command(text) ? kft_why_command_find(t, &command)
				       : is_of_one(t, &what->ask, &stretch.pid);

	if (r < 0)
		(void)kft_err_sys(&c->err, r, "cannot look for the command");
	else if (r == 0 && text && is_about_command(text))
		r = kft_err_set(&c->err, -ENOENT,
				"the trace does not show a command that kft record has "
				"started");
	if (r < 0)
		return CLI_FAILED;
	if (command.run.pid)
		return explain_command(c, t, &command, what);
	return r ? explain_time(c, t, &stretch, what) : explain_found(c, t, what);
}

/*
 * Accepts FILE and WHAT in either order, because kft stats takes the
 * file last. NULL: not given.
 */
static void sort_operands(int argc, char **argv, char **ret_file, const char **ret_what)
{
	int file = argc == 2 && !cli_input_is(argv[0]) && cli_input_is(argv[1]);
	bool has_file = argc == 2 || (argc == 1 && cli_input_is(argv[0]));

	*ret_file = has_file ? argv[file] : NULL;
	*ret_what = argc > has_file ? argv[has_file - file] : NULL;
}

static int run(struct cli *c, int argc, char **argv)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(cli_progress_end) struct cli_progress progress = {};
	struct what what = {};
	const char *text;
	char *file;

	arg.all |= cli_first_means_all();
	sort_operands(argc, argv, &file, &text);
	const char *path = cli_input_path(file != NULL, &file);

	if (!arg.rank || !arg.top || arg.rank > WORST_MAX || arg.top > WORST_MAX) {
		(void)kft_err_set(&c->err, -EINVAL,
				  "options '--rank' and '--top' are from 1 to %d",
				  WORST_MAX);
		return CLI_USAGE;
	}
	if (cli_input_open(path, &t, &c->err) < 0) {
		if (text && !file)
			kft_err_hint(
				&c->err,
				"'%s' was taken for an interval of %s, as no file has that name",
				text, path);
		return CLI_FAILED;
	}
	cli_progress_begin(&progress, t);
	if (parse_what(t, text, &what, &c->err) < 0)
		return CLI_USAGE;
	(void)kft_trace_tasks(t);
	(void)kft_trace_symbols(t);
	int status = explain_what(c, t, text, &what);

	if (status != CLI_OK)
		return status;
	return what.shows_calls ? cli_input_finish_part(c, path, t, NULL)
				: cli_input_finish(c, path, t);
}

const struct cli_verb cli_verb_why = {
	.name = "why",
	.group = CLI_GROUP_READ,
	.summary = "explain a latency: where an interval's time went",
	.operands = "[FILE] [WHAT] [-d TIME | -- COMMAND...]",
	.about =
		"Explains the worst interval of WHAT in FILE (" CLI_TRACE_DEFAULT
		"): a row of kft stats such as syscall:fsync, irq:24 or sched:NAME, a "
		"time, a span FROM..TO, command: the run of the recorded command, or "
		"all: the interval that is furthest from its usual duration. Without "
		"WHAT, explains the command, or else the condition of the snapshot, or "
		"else the same as all. With COMMAND or -d, records into " CLI_TRACE_DEFAULT
		" first.",
	.opts = opts,
	.is_paged = true,
	.takes_command = true,
	.max_operands = 2,
	.input = CLI_TRACE_DEFAULT,
	.run = run,
};
