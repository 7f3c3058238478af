// SPDX-License-Identifier: LGPL-2.1-or-later
/* Feeds a sink with the calls of a KFT log or of a trace. */
#include "api/calls_feed.h"

#include "decode/trace_lazy.h"

/*
 * Feeds all rows. Calls do not nest across logs, so the nest is flushed
 * between logs in one file.
 */
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

int kft_calls_feed_log(struct kft_log *log, const struct kft_nest_sink *sink,
		       struct kft_intern *names)
{
	_cleanup_(kft_nest_destroyp) struct kft_nest *nest = NULL;
	int r = kft_nest_create(sink, &nest);

	return r < 0 ? r : feed_rows(log, nest, names);
}

int kft_calls_feed_trace(struct kft_trace *t, const struct kft_scope *scope,
			 const struct kft_nest_sink *sink, struct kft_intern *names,
			 struct kft_calls_found *ret)
{
	_cleanup_(kft_nest_destroyp) struct kft_nest *nest = NULL;
	const struct kft_calls_opts opts = {
		.scope = scope, .symbols = kft_trace_symbols(t), .names = names};
	int r = kft_nest_create(sink, &nest);

	return r < 0 ? r : kft_calls_run(t, &opts, nest, ret);
}
