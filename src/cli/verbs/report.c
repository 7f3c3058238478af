// SPDX-License-Identifier: GPL-2.0-only
/* `kft report`: prints the events of a trace as text. */
#include "cli/verb.h"

#include <errno.h>

#include "api/report_pool.h"
#include "base/err.h"
#include "base/io.h"
#include "base/thread.h"
#include "cli/input.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/report_field.h"
#include "cli/report_flat.h"
#include "cli/report_follow.h"
#include "cli/scope.h"
#include "decode/trace_lazy.h"
#include "model/merge.h"
#include "model/span.h"

/* A short report is finished before threads could help. */
#define EVENTS_ALONE 32768

/* The first lines are written at once, because the user waits for them. */
#define EVENTS_AT_ONCE 16

enum style {
	STYLE_TRACE,
	STYLE_JSON,
	STYLE_PLAIN,
};

static const char *const styles[] = {"trace", "json", "plain", NULL};

static struct cli_scope arg_scope;
static int arg_style = STYLE_TRACE;
static KFT_VEC(const char *) arg_fields; /* each owned */
static bool arg_raw;
static bool arg_flags;
static bool arg_diff;
static bool arg_wall;
static bool arg_tree;
static bool arg_flat;
static bool arg_no_fold;
static uint64_t arg_threads;

/* Parses a list separated by commas. */
static int add_fields(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	for (;;) {
		size_t len = strcspn(arg, ",");
		char *name = strndup(arg, len);

		if (!name || !kft_vec_push(&arg_fields, name)) {
			free(name);
			return kft_err_memory(e);
		}
		if (!len)
			return kft_err_set(e, -EINVAL,
					   "option '--field': an empty name of a field");
		if (!arg[len])
			return 0;
		arg += len + 1;
	}
}

static const struct kft_opt opts[] = {
	CLI_SCOPE_OPTS(arg_scope),
	CLI_SCOPE_PID_OPT(arg_scope),
	{0, "style", "STYLE",
	 "trace (as trace-cmd shows it), json (an object a line) or plain (in words, "
	 "with the durations of intervals that end)",
	 KFT_OPT_ENUM, &arg_style, styles},
	{'F', "field", "FIELD",
	 "only these, tab separated: fields of events, ts, time, wall, cpu, comm, pid, event, "
	 "system, buffer, info; fields.pid is an event's own pid; a list with commas, may "
	 "be repeated",
	 KFT_OPT_CALLBACK, .parse = add_fields},
	{0, "raw", NULL, "show fields as name=value, not by the event's print format",
	 KFT_OPT_FLAG, &arg_raw},
	{0, "flags", NULL,
	 "show flags, as the kernel's trace does: d interrupts off, N reschedule, h or s "
	 "in an interrupt, depths of preemption and migration off",
	 KFT_OPT_FLAG, &arg_flags},
	{0, "ts-diff", NULL,
	 "show the microseconds since the event before, as trace-cmd does", KFT_OPT_FLAG,
	 &arg_diff},
	{0, "wall", NULL, "show the date and the time of day of each event", KFT_OPT_FLAG,
	 &arg_wall},
	{0, "tree", NULL,
	 "with --style plain: indented by the intervals that contain "
	 "the event",
	 KFT_OPT_FLAG, &arg_tree},
	{0, "flat", NULL,
	 "show calls of functions instead of events, one on a line: entry, duration, "
	 "function, caller",
	 KFT_OPT_FLAG, &arg_flat},
	{0, "no-fold", NULL,
	 "show the entry and the exit of a call on lines of their own even when nothing is "
	 "between them",
	 KFT_OPT_FLAG, &arg_no_fold},
	{0, "threads", "N", "make lines on so many threads; default is one for each CPU",
	 KFT_OPT_U64, &arg_threads},
	CLI_FOREIGN_INPUT_OPT,
	CLI_FOREIGN_OPT('c', "-P PID shows one task"),
	CLI_FOREIGN_OPT('D', "--raw shows fields without the print format"),
	CLI_FOREIGN_OPT('G', "-e '!ftrace:*_stack' leaves out call stacks"),
	CLI_FOREIGN_OPT('g', "kft flame shows call stacks"),
	CLI_FOREIGN_OPT('l', "--flags shows that column"),
	CLI_FOREIGN_OPT('R', "--raw shows fields without the print format"),
	CLI_FOREIGN_OPT('r', "--raw shows fields without the print format"),
	CLI_FOREIGN_OPT('s', "kft stats counts and sorts"),
	CLI_FOREIGN_OPT('t', "-F ts,... shows times in full"),
	CLI_FOREIGN_OPT('w', "kft stats sched shows how long tasks waited for a CPU"),
	CLI_FOREIGN_EXCLUDE_OPT,
	CLI_QUIET_OPT,
	CLI_PAGER_OPT,
	{},
};

static void finish_args(void)
{
	kft_vec_for_each(&arg_fields, name)
		free((char *)*name);
	kft_vec_finish(&arg_fields);
	cli_scope_finish(&arg_scope);
}

static int check_fields(struct kft_trace *t, struct kft_err *e)
{
	int r = arg_wall ? cli_report_check_wall(t, e) : 0;

	kft_vec_for_each(&arg_fields, name) {
		if (r == 0 && strcmp(*name, "wall") == 0)
			r = cli_report_check_wall(t, e);
		if (r < 0)
			break;
		if (kft_report_has_builtin(*name))
			continue;
		/* Parses all formats, which takes time that other reports do not need. */
		(void)kft_class_table_parse_all(&t->classes);
		r = cli_report_check_field(t, *name, e);
		if (r < 0)
			break;
	}
	return r;
}

static bool pid_chosen(const struct kft_event *ev, const struct kft_field *pid, bool swap)
{
	uint64_t v;

	if (!pid || !kft_event_int(ev, pid, swap, &v))
		return false;
	kft_vec_for_each(&arg_scope.arg_pids, chosen)
		if (*chosen == (uint32_t)v)
			return true;
	return false;
}

static void print_info(void *ctx, const struct kft_event *ev, const struct kft_class *cls,
		       struct kft_strbuf *sb)
{
	kft_printer_info(ctx, ev, sb);
}

static void print_raw(void *ctx, const struct kft_event *ev, const struct kft_class *cls,
		      struct kft_strbuf *sb)
{
	kft_printer_raw(ctx, ev, sb);
}

static void print_leaf(void *ctx, const struct kft_event *entry,
		       const struct kft_event *exit, struct kft_strbuf *sb)
{
	kft_printer_leaf(ctx, entry, exit, sb);
}

/* Always false when the style is not in the build. */
static bool is_plain(void)
{
	return HAVE_PLAIN && arg_style == STYLE_PLAIN;
}

static const struct kft_report_style *choose_style(void)
{
	if (arg_style == STYLE_JSON)
		return &kft_report_json;
	if (is_plain())
		return &kft_report_plain;
	return arg_fields.len ? &kft_report_fields : &kft_report_trace;
}

/* Ids of the events that function_graph records at a function's entry. */
struct entries {
	uint16_t ids[2];
	size_t n; /* 0: lines are not folded */
};

static void find_entries(struct kft_trace *t, struct entries *ret)
{
	static const char *const names[] = {"funcgraph_entry", "fgraph_retaddr_entry"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct kft_class *c = kft_class_table_find(&t->classes, "ftrace",
								 names[i]);

		if (c)
			ret->ids[ret->n++] = c->id;
	}
}

static bool is_entry(const struct entries *e, uint16_t id)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->ids[i] == id)
			return true;
	return false;
}

/* State of a report. */
struct report {
	struct cli *cli;
	struct kft_merge *merge; /* borrowed */
	struct entries entries;
	struct kft_report_opts how;
	struct kft_event_contexts
		*moments; /* owned; for the plain style, otherwise NULL */
	/* with moments: the events that they need and those to show */
	uint64_t wanted[KFT_ID_WORDS];
	/* for --pid; NULL: not requested, or no such field */
	const struct kft_field *pid;
	struct kft_formatter formatter; /* used by this thread */
	struct kft_report_pool *pool; /* owned; NULL: a single thread */
	unsigned int threads; /* 1: do not create a pool */
	uint64_t alone; /* number of events that are printed before the pool is created */
	bool any; /* an event was printed */
};

/* Whether an event is printed; the style needs more events than the user selected. */
static bool is_in_scope(const struct report *r, const struct kft_event *ev)
{
	const struct kft_scope *s = &arg_scope.scope;

	return !r->moments || (kft_id_wanted(s->wanted, ev->id) &&
			       (!s->filters || kft_filters_pass(s->filters, ev)));
}

static bool is_shown(const struct report *r, const struct kft_event *ev)
{
	if (!is_in_scope(r, ev))
		return false;
	return !arg_scope.arg_pids.len || pid_chosen(ev, r->pid, r->how.trace->swap);
}

/* Takes the exit of a call without events inside out of the merge; or NULL. */
static const struct kft_event *take_exit(const struct report *r,
					 const struct kft_event **entry)
{
	const struct kft_event *next = kft_merge_peek(r->merge, entry);

	if (!next || next->lost_before ||
	    !kft_printer_is_leaf(r->formatter.printer, *entry, next))
		return NULL;
	kft_merge_drop_peeked(r->merge);
	return next;
}

static int add_event(struct report *r, const struct kft_event *ev)
{
	struct cli_out *out = &r->cli->out;
	const struct kft_event_context *moment = NULL;
	const struct kft_event *exit = NULL;
	enum kft_report_as as = is_shown(r, ev) ? KFT_REPORT_SHOWN : KFT_REPORT_LOSS;
	int err = r->moments ? kft_event_contexts_next(r->moments, ev, &moment) : 0;

	if (err < 0 || (r->moments && !kft_scope_has_cpu(&arg_scope.scope, ev->cpu)))
		return err;
	r->any |= as == KFT_REPORT_SHOWN;
	if (as == KFT_REPORT_LOSS && !ev->lost_before)
		return 0;

	if (unlikely(is_entry(&r->entries, ev->id)) && as == KFT_REPORT_SHOWN)
		exit = take_exit(r, &ev);
	if (exit)
		as = KFT_REPORT_LEAF;
	if (r->pool)
		return kft_report_pool_add(r->pool, as, ev, exit, moment);
	kft_formatter_add(&r->formatter, as, ev, exit, moment, &out->sb);
	return cli_out_drain(out);
}

static int write_lines(void *arg, const char *text, size_t len)
{
	struct cli_out *out = arg;
	int r = kft_write_all(out->fd, text, len);

	if (r < 0)
		out->error = r;
	return r;
}

static int start_threads(struct report *r)
{
	struct kft_trace *t = r->how.trace;
	struct cli_out *out = &r->cli->out;
	int err = cli_out_flush(out);

	if (err < 0)
		return err;
	cli_out_start(out);
	if (t->read_ahead)
		t->read_ahead(t, r->threads - 1);
	return kft_report_pool_create(choose_style(), &r->how, r->threads, &r->formatter,
				      write_lines, out, &r->pool);
}

static int next_event(struct report *r, const struct kft_event **ret)
{
	int err = kft_merge_next(r->merge, ret);

	if (likely(err != -EAGAIN))
		return err;
	err = cli_report_next(r->cli, r->merge, ret);
	kft_report_forget_tasks(r->formatter.report);
	return err;
}

static int add_events(struct report *r)
{
	struct cli_out *out = &r->cli->out;
	const struct kft_event *ev;
	uint64_t n = 0;
	int err;

	kft_report_begin(r->formatter.report, &out->sb);
	while ((err = next_event(r, &ev)) > 0) {
		if (unlikely(n++ == r->alone) && r->threads > 1)
			err = start_threads(r);
		if (err >= 0)
			err = add_event(r, ev);
		if (unlikely(n == EVENTS_AT_ONCE) && err >= 0 && !r->pool)
			err = cli_out_flush(out);
		if (unlikely(err < 0))
			return err;
	}
	int flushed = r->pool ? kft_report_pool_flush(r->pool) : 0;
	return err < 0 ? err : flushed;
}

static int print_events(struct report *r, struct kft_merge *merge)
{
	struct cli *c = r->cli;

	r->merge = merge;
	int err = add_events(r);

	if (err >= 0)
		cli_scope_note_empty(&arg_scope, r->any);
	/* main() reports errors of the output. */
	if (c->out.error)
		return CLI_FAILED;
	if (err < 0) {
		(void)kft_err_sys(&c->err, err, "cannot read the trace");
		return CLI_FAILED;
	}
	kft_report_end(r->formatter.report, &c->out.sb);
	return cli_out_flush(&c->out) < 0 ? CLI_FAILED : CLI_OK;
}

/* Selects the user's events and those that provide their context. */
static int start_plain(struct report *r, struct kft_trace *t, struct kft_scope *scope)
{
	if (scope->wanted) {
		memcpy(r->wanted, scope->wanted, sizeof(r->wanted));
		kft_event_contexts_needs(t, r->wanted);
		scope->wanted = r->wanted;
	}
	scope->filters = NULL;
	scope->cpus = NULL;
	r->how.tree = arg_tree;
	r->how.colour = cli_wants_colour(STDOUT_FILENO);
	(void)kft_span_first(t, &r->how.start);
	(void)kft_trace_symbols(t);
	return kft_event_contexts_create(t, &r->moments);
}

static int report(struct cli *c, struct kft_trace *t)
{
	struct kft_scope scope = arg_scope.scope;
	_cleanup_(kft_merge_destroyp) struct kft_merge *merge = NULL;
	struct report r = {
		.cli = c,
		.how = {.trace = t,
			.info = arg_raw ? print_raw : print_info,
			.leaf = print_leaf,
			.flags = arg_flags,
			.diff = arg_diff,
			.wall = arg_wall,
			.fields = arg_fields.data,
			.n_fields = arg_fields.len},
		.pid = arg_scope.arg_pids.len ? kft_trace_common_field(t, "common_pid")
					      : NULL,
		/*
		 * Names change while a trace grows; one thread is fast enough for that.
		 */
		.threads = t->more	 ? 1
			   : arg_threads ? arg_threads
					 : kft_threads_usable(),
		.alone = arg_threads ? 0 : EVENTS_ALONE,
	};
	int status = CLI_FAILED;

	(void)kft_trace_tasks(t);
	if (!arg_no_fold && !arg_raw && arg_style != STYLE_JSON && !arg_fields.len)
		find_entries(t, &r.entries);
	int err = is_plain() ? start_plain(&r, t, &scope) : 0;
	if (err >= 0)
		err = kft_formatter_init(&r.formatter, choose_style(), &r.how);
	if (err >= 0)
		err = kft_merge_create(t, &scope, &merge);
	if (err < 0)
		(void)kft_err_sys(&c->err, err, "cannot show the trace");
	else
		status = print_events(&r, merge);
	(void)kft_report_pool_destroy(r.pool);
	kft_formatter_finish(&r.formatter);
	kft_event_contexts_destroy(r.moments);
	return status;
}

/* Rejects options that select events or their format. */
static int check_flat(struct kft_err *e)
{
	if (arg_scope.arg_events.len || arg_fields.len || arg_raw || arg_no_fold)
		return kft_err_set(e, -EINVAL,
				   "option '--flat' shows calls, not events: it cannot "
				   "be combined with --event, --field, --raw, --no-fold");
	return 0;
}

static int show(struct cli *c, const char *path, struct kft_trace *t)
{
	const struct cli_report_flat how = {
		.path = path,
		.trace = t,
		.scope = &arg_scope.scope,
		.pids = arg_scope.arg_pids.data,
		.n_pids = arg_scope.arg_pids.len,
		.json = arg_style == STYLE_JSON,
	};

	if (arg_flat)
		return cli_report_flat(c, &how);
	int status = report(c, t);

	if (status != CLI_OK)
		return status;
	return cli_input_finish_part(c, path, t, &arg_scope.scope);
}

static int check_plain(struct kft_err *e)
{
	if (arg_style == STYLE_PLAIN && !HAVE_PLAIN) {
		(void)kft_err_set(e, -ENOTSUP, "this build of kft has no style plain");
		kft_err_hint(e, "it is a small one (-Dsmall=true); any other has it");
		return -ENOTSUP;
	}
	if (arg_tree && !is_plain())
		return kft_err_set(e, -EINVAL, "option '--tree' is of --style plain");
	if (is_plain() &&
	    (arg_fields.len || arg_flat || arg_flags || arg_diff || arg_wall))
		return kft_err_set(e, -EINVAL,
				   "--style plain cannot be combined with --field, "
				   "--flat, --flags, --ts-diff, --wall");
	return 0;
}

/* Whether each line depends only on earlier events. */
static bool can_follow(void)
{
	const char *since = arg_scope.arg_since;
	const char *until = arg_scope.arg_until;

	return HAVE_FOLLOW && !arg_flat && !is_plain() && !(since && since[0] == '-') &&
	       !(until && until[0] == '-');
}

static int open_trace(struct cli *c, int argc, char **argv, struct kft_trace **ret)
{
	const char *path = cli_input_path(argc, argv);

	if (argc > 1)
		return cli_input_join(argv, argc, ret, &c->err);
	return can_follow() ? cli_report_follow(c, path, ret)
			    : cli_input_open(path, ret, &c->err);
}

static int run(struct cli *c, int argc, char **argv)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(cli_progress_end) struct cli_progress progress = {};
	const char *path = argc > 1 ? CLI_SEVERAL : cli_input_path(argc, argv);
	int status;

	if (check_plain(&c->err) < 0)
		status = CLI_USAGE;
	else if (arg_flat && check_flat(&c->err) < 0)
		status = CLI_USAGE;
	else if (open_trace(c, argc, argv, &t) < 0)
		status = CLI_FAILED;
	else if (cli_scope_resolve(&arg_scope, t, &c->err) < 0 ||
		 check_fields(t, &c->err) < 0)
		status = CLI_USAGE;
	else {
		cli_scope_hide_own(&arg_scope, t);
		cli_progress_begin(&progress, t);
		status = show(c, path, t);
	}
	finish_args();
	return status;
}

const struct cli_verb cli_verb_report = {
	.name = "report",
	.group = CLI_GROUP_READ,
	.summary = "show the events of a trace",
	.operands = "[FILE...]",
	.about =
		"Events of FILE (" CLI_TRACE_DEFAULT
		"; - is standard input) in the order of time. Several files of one kernel "
		"and clock are shown as one trace.",
	.opts = opts,
	.is_paged = true,
	.max_operands = -1,
	.input = CLI_TRACE_DEFAULT,
	.run = run,
};
