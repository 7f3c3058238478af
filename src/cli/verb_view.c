// SPDX-License-Identifier: GPL-2.0-only
/* `kft view`: a trace as an HTML page. */
#include "cli/verb.h"

#include <errno.h>

#include "base/err.h"
#include "cli/input.h"
#include "cli/page.h"

static const char *arg_output;
static uint64_t arg_max_size = CLI_PAGE_BYTES;
static KFT_VEC(const char *) arg_counters;

static int add_counter(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	return kft_vec_push(&arg_counters, arg) ? 0
						: kft_err_sys(e, -ENOMEM, "--counter");
}

static const struct kft_opt opts[] = {
	{'o', "output", "FILE", "the page (default: the trace's name with .html)",
	 KFT_OPT_STRING, &arg_output},
	{0, "max-size", "SIZE",
	 "show less detail rather than write more than SIZE (default 200M; 0: no limit)",
	 KFT_OPT_SIZE, &arg_max_size},
	{0, "counter", "COUNTER",
	 "show the curve of a number of an event, EVENT/FIELD, or with EVENT/FIELD by "
	 "FIELD one for each value of that; may be repeated",
	 KFT_OPT_CALLBACK, .parse = add_counter},
	{},
};

static int run(struct cli *c, int argc, char **argv)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	const char *path = cli_input_path(argc, argv);

	if (cli_input_open(path, &t, &c->err) < 0)
		return CLI_FAILED;
	const struct kft_view_opts how = {
		.max_bytes = arg_max_size,
		.counters = arg_counters.data,
		.n_counters = arg_counters.len,
	};
	int status = cli_page_write(c, path, t, arg_output, &how);

	kft_vec_finish(&arg_counters);
	return status;
}

const struct cli_verb cli_verb_view = {
	.name = "view",
	.summary = "show a trace as a timeline in one HTML file",
	.operands = "[FILE]",
	.about =
		"The page shows all of FILE (" CLI_TRACE_DEFAULT
		"; - is standard input) in any browser and needs nothing else, no network "
		"either.",
	.opts = opts,
	.max_operands = 1,
	.run = run,
};
