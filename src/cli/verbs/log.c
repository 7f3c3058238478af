// SPDX-License-Identifier: GPL-2.0-only
/* `kft log`: prints calls in KFT's own layout. */
#include "cli/log.h"

#include <errno.h>

#include "analysis/calls.h"
#include "analysis/calls/result.h"
#include "base/err.h"
#include "cli/answer.h"
#include "cli/calls_input.h"
#include "cli/input.h"
#include "cli/progress.h"
#include "cli/scope.h"
#include "derive/calls/stack_marks.h"
#include "output/kft_log.h"

static struct cli_scope arg_scope;
static int arg_format;

/* clang-format off */
static const struct kft_opt opts[] = {
	CLI_SCOPE_CPU_OPT(arg_scope),
	CLI_SCOPE_TIME_OPTS(arg_scope),
	CLI_FORMAT_OPT(arg_format),
	CLI_QUIET_OPT,
	CLI_FOREIGN_INPUT_OPT,
	{},
};
/* clang-format on */

/* The data of a log. */
struct log {
	struct kft_call_tree tree;
	struct kft_stack_marks stacks;
	struct kft_intern names;
	struct kft_run_info info;
	struct kft_calls_found found;
	struct kft_log_style style;
};

static void log_finish(struct log *log)
{
	kft_call_tree_finish(&log->tree);
	kft_stack_marks_finish(&log->stacks);
	kft_intern_finish(&log->names);
}

/* A trace of another program lacks the cause of start and stop, but has their times. */
static void guess_info(struct log *log)
{
	struct kft_run_info info = {.started = "?", .stopped = "?"};
	uint64_t end_ns = 0;

	kft_vec_for_each(&log->tree.nodes, call)
		end_ns = KFT_MAX(end_ns, call->entry_ns + call->dur_ns);
	info.start_ns = log->found.start_ns;
	info.stop_ns = info.start_ns + end_ns;
	log->info = info;
}

/* Time since the start; 0 for a call that was entered before. */
static uint64_t since_start(const struct log *log, uint64_t ts)
{
	return ts > log->info.start_ns ? ts - log->info.start_ns : 0;
}

static void add_call(struct log *log, const struct kft_call_node *node,
		     struct kft_strbuf *sb)
{
	struct kft_call call = {
		.entry_ns = since_start(log, log->found.start_ns + node->entry_ns),
		.dur_ns = node->dur_ns,
		.end = node->end,
		.pid = node->pid,
		.cpu = node->cpu,
		.func = node->func,
		.caller = node->caller,
		.caller_offset = node->caller_offset,
	};

	kft_log_write_call(&log->style, &log->names, &call, sb);
}

static void add_frame(struct log *log, const struct kft_stack_mark *mark,
		      struct kft_strbuf *sb)
{
	struct kft_call call = {
		.entry_ns = since_start(log, mark->ts),
		.end = KFT_CALL_WATCHED,
		/* The stack tracer does not record the task. */
		.pid = KFT_CALL_IN_INTERRUPT,
		.cpu = KFT_CALL_NO_CPU,
		.func = mark->func,
		.caller = mark->caller,
		.caller_offset = mark->caller_offset,
	};

	kft_log_write_call(&log->style, &log->names, &call, sb);
}

static int write_rows(struct cli *c, struct log *log)
{
	size_t next = 0; /* index of the next frame */

	kft_vec_for_each(&log->tree.nodes, call) {
		uint64_t ts = log->found.start_ns + call->entry_ns;

		for (;
		     next < log->stacks.marks.len && log->stacks.marks.data[next].ts < ts;
		     next++)
			add_frame(log, &log->stacks.marks.data[next], &c->out.sb);
		add_call(log, call, &c->out.sb);
		if (cli_out_drain(&c->out) < 0)
			return CLI_FAILED;
	}
	for (; next < log->stacks.marks.len; next++)
		add_frame(log, &log->stacks.marks.data[next], &c->out.sb);
	return CLI_OK;
}

static const struct kft_result_column frame_columns[] = {
	{"entry", "TIME"},
	{"function", "FUNCTION", .is_text = true},
	{"caller", "CALLER", .is_text = true},
	{"caller_offset", "OFFSET"},
};

static void add_frames(const struct log *log, struct kft_result *r)
{
	struct kft_result_table *t = kft_result_add_table(r, "stacks", frame_columns,
							  ARRAY_SIZE(frame_columns));

	kft_vec_for_each(&log->stacks.marks, mark) {
		kft_result_put(t, kft_value_duration(since_start(log, mark->ts)));
		kft_result_put(t, kft_value_interned(&log->names, mark->func));
		kft_result_put(t, kft_value_interned(&log->names, mark->caller));
		kft_result_put(t, kft_value_number(KFT_VALUE_BYTES, mark->caller_offset));
	}
}

static int answer(struct cli *c, const struct log *log)
{
	_cleanup_(kft_result_finish) struct kft_result result = {};
	const struct kft_calls_table table = {
		.tree = &log->tree,
		.names = &log->names,
		.start_ns = log->found.start_ns,
		.base_ns = log->info.start_ns,
	};

	kft_run_info_result(&log->info, &result);
	kft_calls_result(&table, &result);
	add_frames(log, &result);
	return cli_answer(c, arg_format, true, &result);
}

static int write_log(struct cli *c, struct kft_trace *t, struct log *log)
{
	log->style.has_cpus = t->meta.cpu_count > 1;
	if (!t->meta.run.len || kft_run_info_parse(&t->meta.run, &log->info) < 0)
		guess_info(log);
	if (arg_format != KFT_OUTPUT_text)
		return answer(c, log);
	kft_log_write_head(&log->style, &log->info,
			   log->tree.nodes.len + log->stacks.marks.len, &c->out.sb);
	return write_rows(c, log);
}

int cli_log_show(struct cli *c, const char *path, struct kft_trace *t)
{
	_cleanup_(log_finish) struct log log = {};
	struct kft_nest_sink sink = kft_calls_sink(&log.tree);
	int r = kft_stack_marks_read(t, &arg_scope.scope, &log.names, &log.stacks);

	if (r < 0) {
		(void)kft_err_sys(&c->err, r, "cannot read '%s'", path);
		return CLI_FAILED;
	}
	int status = cli_calls_feed_trace(c, path, t, &arg_scope.scope, &sink, &log.names,
					  &log.found);

	/* A trace without calls gives an empty log. */
	if (status == CLI_FAILED && c->err.code == -ENODATA) {
		cli_print_note("%s", c->err.msg);
		c->err = (struct kft_err){};
		status = cli_input_finish(c, path, t);
	}
	if (status == CLI_FAILED)
		return status;
	int written = write_log(c, t, &log);

	return written == CLI_OK ? status : written;
}

static int run(struct cli *c, int argc, char **argv)
{
	return cli_scope_show(c, argc, argv, &arg_scope, cli_log_show);
}

const struct cli_verb cli_verb_log = {
	.name = "log",
	.group = CLI_GROUP_KFT,
	.summary = "show the calls of a trace in KFT's log format",
	.operands = "[FILE]",
	.about =
		"A row for each call of a function in FILE (" CLI_TRACE_DEFAULT
		"; - is standard input), by entry: when and how long, in microseconds (-1: its "
		"exit was not seen, -2: found on a stack that was too deep), the task, the "
		"function and its caller.",
	.opts = opts,
	.max_operands = 1,
	.input = CLI_TRACE_DEFAULT,
	.run = run,
};
