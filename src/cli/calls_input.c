// SPDX-License-Identifier: GPL-2.0-only
/* Reads calls from a KFT log or a trace. */
#include "cli/calls_input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

#include "api/calls_feed.h"
#include "base/err.h"
#include "base/io.h"
#include "cli/input.h"

static void tell_passed_over(const char *path, const struct kft_log *log)
{
	if (log->bad_lines)
		cli_print_note(
			"'%s': %" PRIu64
			" lines are not rows of a KFT log; the first is line %" PRIu64,
			path, log->bad_lines, log->first_bad);
	if (log->has_expected && log->rows < log->expected)
		cli_print_note("'%s' is not whole: it has %" PRIu64 " of %" PRIu64
			       " rows",
			       path, log->rows, log->expected);
}

static int feed_log(struct cli *c, const struct cli_calls_source *src,
		    const struct kft_nest_sink *sink, struct kft_intern *names)
{
	struct kft_log log;
	int r = kft_log_init(&log, src->fd);

	if (!r)
		kft_lines_unread(&log.lines, src->head, src->head_len);
	if (!r)
		r = kft_calls_feed_log(&log, sink, names);
	bool is_log = log.run;

	if (!r)
		tell_passed_over(src->name, &log);
	kft_log_finish(&log);
	/* main() reports errors of the output. */
	if (r < 0 && !c->out.error)
		kft_err_sys(&c->err, r, "cannot read '%s'", src->name);
	if (r < 0)
		return CLI_FAILED;
	if (is_log)
		return CLI_OK;
	kft_err_set(&c->err, -EINVAL, "'%s' is neither a KFT log nor a trace", src->name);
	return CLI_FAILED;
}

static void tell_found(const char *path, const struct kft_calls_found *found)
{
	if (found->other_buffers)
		cli_print_note(
			"'%s': functions were recorded in several instances; %" PRIu64
			" records of others than the first one are left out",
			path, found->other_buffers);
	if (found->entries)
		cli_print_note("'%s': %" PRIu64
			       " entries of functions, which have no durations, are left "
			       "out; 'kft report' shows them",
			       path, found->entries);
	cli_input_note_too_deep(path, found->too_deep);
	if (found->gaps)
		cli_print_note("'%s': events are missing in %" PRIu64
			       " places; calls may lack there, or their ends",
			       path, found->gaps);
}

int cli_calls_feed_trace(struct cli *c, const char *path, struct kft_trace *t,
			 const struct kft_scope *scope, const struct kft_nest_sink *sink,
			 struct kft_intern *names, struct kft_calls_found *ret)
{
	int r = kft_calls_feed_trace(t, scope, sink, names, ret);

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

/* Opens a FIFO or standard input; its first bytes identify the format. */
static int open_stream(const char *path, struct cli_calls_source *src, struct kft_err *e)
{
	_cleanup_(cli_stream_finish) struct cli_stream s = {.fd = -1};
	int r = cli_stream_open(path, &s, e);

	if (r < 0)
		return r;
	if (kft_file_is_trace(s.head, s.head_len))
		return cli_stream_trace(&s, &src->trace, e);
	/* A log is read while it arrives. */
	src->head_len = s.is_file ? 0 : s.head_len;
	memcpy(src->head, s.head, src->head_len);
	src->fd = TAKE_FD(s.fd);
	return 0;
}

/* Opens a regular file: a trace, otherwise a text. */
static int open_file(const char *path, struct cli_calls_source *src, struct kft_err *e)
{
	struct kft_err no_trace;

	if (kft_file_open(path, &src->trace, &no_trace) == 0)
		return 0;
	if (no_trace.code != -EINVAL) {
		*e = no_trace;
		return e->code;
	}
	src->fd = open(path, O_RDONLY | O_CLOEXEC);
	return src->fd < 0 ? kft_err_sys(e, -errno, "cannot open '%s'", path) : 0;
}

int cli_calls_open(const char *path, struct cli_calls_source *ret, struct kft_err *e)
{
	struct cli_calls_source src = {.name = cli_input_name(path), .fd = -1};
	int r = cli_input_is_stream(path) ? open_stream(path, &src, e)
					  : open_file(path, &src, e);

	if (r < 0)
		return r;
	*ret = src;
	return 0;
}

void cli_calls_finish(struct cli_calls_source *src)
{
	src->trace = kft_trace_destroy(src->trace);
	kft_closep(&src->fd);
	src->fd = -1;
}

int cli_calls_feed(struct cli *c, struct cli_calls_source *src,
		   const struct kft_nest_sink *sink, struct kft_intern *names)
{
	struct kft_calls_found found;

	if (src->trace)
		return cli_calls_feed_trace(c, src->name, src->trace, NULL, sink, names,
					    &found);
	return feed_log(c, src, sink, names);
}
