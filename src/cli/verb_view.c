// SPDX-License-Identifier: GPL-2.0-only
/* `kft view`: a trace as an HTML page. */
#include "cli/verb.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/new_file.h"
#include "base/units.h"
#include "cli/input.h"
#include "view/page.h"

#define MAX_SIZE_DEFAULT (UINT64_C(200) << 20)

static const char *arg_output;
static uint64_t arg_max_size = MAX_SIZE_DEFAULT;
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

/* "dir/trace.dat" is shown in "dir/trace.html". */
static void default_output(const char *path, struct kft_strbuf *ret)
{
	const char *name = strrchr(path, '/');
	const char *end = strrchr(name ? name : path, '.');

	if (strcmp(path, "-") == 0)
		kft_strbuf_adds(ret, "trace");
	else
		kft_strbuf_add(ret, path,
			       end && end > path ? (size_t)(end - path) : strlen(path));
	kft_strbuf_adds(ret, ".html");
}

static void tell(const char *output, const struct kft_view_done *done)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_addf(&sb, "wrote '%s': ", output);
	kft_strbuf_add_count(&sb, done->events);
	kft_strbuf_adds(&sb, done->events == 1 ? " event, " : " events, ");
	kft_strbuf_add_bytes(&sb, done->bytes);
	cli_print_note("%s", kft_strbuf_cstr(&sb));
	if (done->left_out)
		cli_print_note("%" PRIu64 " of %" PRIu64
			       " parts have less detail, so that the "
			       "page is not larger; --max-size=0 keeps all",
			       done->left_out, done->chunks);
}

static int write_page(struct cli *c, const char *path, struct kft_trace *t)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf output = {};
	_cleanup_(kft_new_file_finish) struct kft_new_file file = KFT_NEW_FILE_NONE;
	const char *base = strrchr(path, '/');
	const struct kft_view_opts how = {
		.name = base ? base + 1 : cli_input_name(path),
		.max_bytes = arg_max_size,
		.counters = arg_counters.data,
		.n_counters = arg_counters.len,
	};
	struct kft_view_done done;

	if (arg_output)
		kft_strbuf_adds(&output, arg_output);
	else
		default_output(path, &output);
	int r = kft_new_file_open(kft_strbuf_cstr(&output), &file, &c->err);

	if (!r)
		r = kft_view_write(t, &how, file.fd, &done, &c->err);
	if (!r)
		r = kft_new_file_commit(&file, &c->err);
	if (r < 0)
		return r == -EINVAL ? CLI_USAGE : CLI_FAILED;
	tell(kft_strbuf_cstr(&output), &done);
	return cli_input_finish(c, path, t);
}

static int run(struct cli *c, int argc, char **argv)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	const char *path = cli_input_path(argc, argv);

	if (cli_input_open(path, &t, &c->err) < 0)
		return CLI_FAILED;
	int status = write_page(c, path, t);

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
