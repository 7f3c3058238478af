// SPDX-License-Identifier: GPL-2.0-only
#include "cli/calls_input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

#include "base/err.h"
#include "base/io.h"
#include "cli/input.h"
#include "decode/trace_lazy.h"
#include "derive/calls.h"
#include "file/kftlog/read.h"
#include "file/registry.h"

/* All rows. Several logs behind each other have nothing to do with one another. */
static int feed_rows(struct kft_log *log, struct kft_nest *nest, struct kft_intern *names)
{
	struct kft_call call;
	unsigned int run = 0;
	int r;

	while ((r = kft_log_next(log, names, &call)) > 0) {
		int failed = run == log->run ? 0 : kft_nest_flush(nest);

		run = log->run;
		if (!failed)
			failed = kft_nest_add(nest, &call);
		if (failed)
			return failed;
	}
	return r < 0 ? r : kft_nest_flush(nest);
}

static void tell_passed_over(const char *path, const struct kft_log *log)
{
	if (log->bad_lines)
		cli_print_note("'%s': %" PRIu64
			       " lines are no rows of a log, the first is "
			       "line %" PRIu64,
			       path, log->bad_lines, log->first_bad);
	if (log->has_expected && log->rows < log->expected)
		cli_print_note("'%s' is not whole: it has %" PRIu64 " of %" PRIu64
			       " rows",
			       path, log->rows, log->expected);
}

static int feed_log(struct cli *c, const char *path, int fd,
		    const struct kft_nest_sink *sink, struct kft_intern *names)
{
	_cleanup_(kft_nest_destroyp) struct kft_nest *nest = NULL;
	struct kft_log log;
	int r = kft_log_init(&log, fd);

	if (!r)
		r = kft_nest_create(sink, &nest);
	if (!r)
		r = feed_rows(&log, nest, names);
	bool is_log = log.run;

	if (!r)
		tell_passed_over(path, &log);
	kft_log_finish(&log);
	/* main() says what is wrong with the output. */
	if (r < 0 && !c->out.error)
		kft_err_sys(&c->err, r, "cannot read '%s'", path);
	if (r < 0)
		return CLI_FAILED;
	if (is_log)
		return CLI_OK;
	kft_err_set(&c->err, -EINVAL, "'%s' is no KFT log and no trace", path);
	return CLI_FAILED;
}

static int feed_text(struct cli *c, const char *path, const struct kft_nest_sink *sink,
		     struct kft_intern *names)
{
	if (strcmp(path, "-") == 0)
		return feed_log(c, "standard input", STDIN_FILENO, sink, names);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		kft_err_sys(&c->err, -errno, "cannot open '%s'", path);
		return CLI_FAILED;
	}
	return feed_log(c, path, fd, sink, names);
}

static void tell_found(const char *path, const struct kft_calls_found *found)
{
	if (found->other_buffers)
		cli_print_note(
			"'%s': functions were recorded in several instances; %" PRIu64
			" records of others than the first one are left out",
			path, found->other_buffers);
	if (found->gaps)
		cli_print_note("'%s': events are missing in %" PRIu64
			       " places; calls may lack there, or their ends",
			       path, found->gaps);
}

int cli_calls_feed_trace(struct cli *c, const char *path, struct kft_trace *t,
			 const struct kft_scope *scope, const struct kft_nest_sink *sink,
			 struct kft_intern *names, struct kft_calls_found *ret)
{
	_cleanup_(kft_nest_destroyp) struct kft_nest *nest = NULL;
	struct kft_calls_opts opts = {
		.scope = scope, .symbols = kft_trace_symbols(t), .names = names};
	int r = kft_nest_create(sink, &nest);

	if (!r)
		r = kft_calls_run(t, &opts, nest, ret);

	if (r == -ENODATA) {
		kft_err_set(&c->err, r, "trace '%s' has no records of functions", path);
		kft_err_hint(&c->err, "they come from the tracers function_graph and "
				      "function");
		return CLI_FAILED;
	}
	if (r < 0 && !c->out.error)
		kft_err_sys(&c->err, r, "cannot read the calls of '%s'", path);
	if (r < 0)
		return CLI_FAILED;
	tell_found(path, ret);
	return cli_input_finish(c, path, t);
}

int cli_calls_feed(struct cli *c, const char *path, const struct kft_nest_sink *sink,
		   struct kft_intern *names)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_calls_found found;
	struct kft_err no_trace;

	if (kft_file_open(path, &t, &no_trace) == 0)
		return cli_calls_feed_trace(c, path, t, NULL, sink, names, &found);
	/* A text or a pipe, or what cannot be opened: that is told then. */
	if (no_trace.code == -EINVAL || strcmp(path, "-") == 0)
		return feed_text(c, path, sink, names);
	c->err = no_trace;
	return CLI_FAILED;
}

bool cli_calls_from_trace(const char *path)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;

	return kft_file_open(path, &t, NULL) == 0;
}
