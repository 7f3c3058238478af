// SPDX-License-Identifier: LGPL-2.1-or-later
/* Drops calls of functions that took longer than a limit from a trace. */
#include "api/long_calls.h"

#include <errno.h>
#include <stdio.h>

#include "analysis/cut/cut.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "file/registry.h"
#include "file/tracedat/live_sink.h"

#define NEW_SUFFIX ".without-long-calls"

/* Examines the whole trace; the filter is the duration only. */
static int judge(struct kft_trace *t, uint64_t max_ns, struct kft_cut *ret,
		 struct kft_err *e)
{
	const struct kft_plan plan = {.functions = {.enabled = true, .max_ns = max_ns}};
	const struct kft_cut_window all = {.stop_ns = UINT64_MAX};
	const struct kft_cut_opts opts = {.plan = &plan, .window = &all};

	return kft_cut_decide(t, &opts, ret, e);
}

static int write_rest(struct kft_trace *t, const struct kft_cut *cut, const char *path,
		      const struct kft_tracedat_opts *opts, struct kft_err *e)
{
	struct kft_sink *sink;
	int r = kft_tracedat_sink_create(path, opts, &sink, e);

	if (r < 0)
		return r;
	r = kft_cut_write(t, cut, sink, e);
	sink->ops->destroy(sink);
	return r;
}

static int replace(struct kft_trace *t, const struct kft_cut *cut, const char *path,
		   const struct kft_tracedat_opts *opts, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf new = {};
	struct kft_tracedat_opts copy = *opts;

	copy.is_copy = true;
	kft_strbuf_addf(&new, "%s" NEW_SUFFIX, path);
	if (!kft_strbuf_ok(&new))
		return kft_err_sys(e, -ENOMEM, "cannot write '%s'", path);
	int r = write_rest(t, cut, kft_strbuf_cstr(&new), &copy, e);
	if (r == 0 && rename(kft_strbuf_cstr(&new), path) < 0)
		r = kft_err_sys(e, -errno, "cannot replace '%s'", path);
	return r;
}

int kft_drop_long_calls(const char *path, uint64_t max_ns,
			const struct kft_tracedat_opts *opts, uint64_t *ret_dropped,
			struct kft_err *e)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_cut cut = {};
	int r = kft_file_open(path, &t, e);

	if (r == 0)
		r = judge(t, max_ns, &cut, e);
	if (r < 0)
		return r;
	*ret_dropped = cut.counts[KFT_VERDICT_LONG];
	if (*ret_dropped)
		r = replace(t, &cut, path, opts, e);
	kft_cut_finish(&cut);
	return r;
}
