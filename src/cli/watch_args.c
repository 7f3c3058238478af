// SPDX-License-Identifier: GPL-2.0-only
/* Starts watchers for --on and related options. */
#include "cli/watch_args.h"

#include "base/err.h"
#include "cli/run_session.h"
#include "watch/act.h"

static int find_sets(const struct cli_watch *w, struct kft_err *e)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	int r = kft_host_open(NULL, &host, e);

	for (size_t i = 0; i < w->conditions.len && r == 0; i++)
		r = kft_watch_find_sets(&w->conditions.data[i], host, &cli_run_notify, e);
	return r;
}

int cli_watch_parse(const struct cli_watch_args *args, const char *dir,
		    struct cli_watch *ret, struct kft_err *e)
{
	_cleanup_(kft_plan_finish) struct kft_plan plan = {};
	struct cli_watch w = {};
	int r = 0;

	for (size_t i = 0; i < args->on.len && r == 0; i++) {
		struct kft_condition c;

		r = kft_condition_parse(args->on.data[i], &c, e);
		if (r == 0 && !kft_vec_push(&w.conditions, c)) {
			kft_condition_finish(&c);
			r = kft_err_memory(e);
		}
	}
	w.opts = (struct kft_watch_opts){
		.conditions = {w.conditions.data, w.conditions.len},
		.dir = dir,
		.at_most = args->at_most,
		.rest_ns = args->rest_ns,
		.max_files = args->max_files,
		.max_bytes = args->max_bytes,
	};
	/* Invalid conditions are reported before anything is created. */
	if (r == 0)
		r = kft_match_plan(&w.opts.conditions, &plan, e);
	if (r == 0)
		r = find_sets(&w, e);
	if (r < 0)
		cli_watch_finish(&w);
	else
		*ret = w;
	return r;
}

void cli_watch_finish(struct cli_watch *w)
{
	kft_vec_for_each(&w->conditions, c)
		kft_condition_finish(c);
	kft_vec_finish(&w->conditions);
}

int cli_watch_start(const struct cli_watch *w, const char *session, struct kft_err *e)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	struct kft_run run;

	if (!w->conditions.len)
		return 0;
	int r = kft_host_open(NULL, &host, e);
	if (r < 0)
		return r;
	r = kft_watcher_spawn(host, session, &w->opts, e);
	if (r < 0 && kft_run_open(host, session, &run, NULL) == 0) {
		(void)!kft_run_reset(&run, NULL);
		kft_run_close(&run);
	}
	return r;
}
