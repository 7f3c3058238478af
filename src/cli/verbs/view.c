// SPDX-License-Identifier: GPL-2.0-only
/* `kft view`: shows a trace as an HTML page. */
#include "cli/verb.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "capture/caps.h"
#include "capture/interrupt.h"
#include "cli/browser.h"
#include "cli/input.h"
#include "cli/page.h"
#include "cli/progress.h"
#include "cli/record_first.h"
#include "cli/scope.h"
#include "view/serve.h"

static const char *arg_output;
static uint64_t arg_max_size = CLI_PAGE_BYTES;
static KFT_VEC(const char *) arg_counters;
static KFT_VEC(const char *) arg_exact;
static bool arg_open;
static bool arg_serve;
static uint64_t arg_port;

static int add_counter(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	return kft_vec_push(&arg_counters, arg) ? 0
						: kft_err_sys(e, -ENOMEM, "--counter");
}

static int add_exact(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	return kft_vec_push(&arg_exact, arg) ? 0 : kft_err_sys(e, -ENOMEM, "--exact");
}

static const struct kft_opt opts[] = {
	{'o', "output", "FILE", "the page (default: the trace's name with .html)",
	 KFT_OPT_STRING, &arg_output},
	{0, "open", NULL, "open the page in your browser ($BROWSER, else xdg-open)",
	 KFT_OPT_FLAG, &arg_open},
	{0, "max-size", "SIZE",
	 "show less detail rather than write more than SIZE (default 200M; 0: no limit)",
	 KFT_OPT_SIZE, &arg_max_size},
	{0, "exact", "FROM..TO",
	 "keep all detail between these times, as for --since of report, whatever "
	 "--max-size is; may be repeated",
	 KFT_OPT_CALLBACK, .parse = add_exact},
	{0, "counter", "COUNTER",
	 "show the curve of a number of an event, EVENT/FIELD, or with EVENT/FIELD by "
	 "FIELD one for each value of that; may be repeated",
	 KFT_OPT_CALLBACK, .parse = add_counter},
	{0, "serve", NULL,
	 "serve the page on this machine until Ctrl-C, for traces that are too large for "
	 "a file; its address is printed",
	 KFT_OPT_FLAG, &arg_serve},
	{0, "port", "PORT", "where to serve it (default: a free one)", KFT_OPT_U64,
	 &arg_port},
	CLI_FIRST_OPTS("with -d or COMMAND, record the whole system"),
	CLI_QUIET_OPT,
	{},
};

/* Without a browser, the printed address can still be used. */
static char *open_address(const char *url)
{
	struct kft_err e = {};
	char *file;

	if (cli_browser_open_secret(url, &file, &e) < 0)
		cli_print_note("%s", e.msg);
	return file;
}

/* Files that serving needs, other than the trace. */
struct opened {
	char *file; /* owned: redirects the browser to the page; NULL: not needed */
};

/* Opens the directory of the file that is removed when the server ends. */
static int open_directory(const char *file)
{
	_cleanup_free_ char *copy = strdup(file);

	return copy ? open(dirname(copy), O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
}

/* Drops all privileges before requests are read, because any local user can send them. */
static int before_serving(void *arg, const char *url, struct kft_err *e)
{
	struct opened *o = arg;

	o->file = arg_open ? open_address(url) : NULL;
	_cleanup_close_ int dirfd = o->file ? open_directory(o->file) : -1;

	return kft_caps_drop(0, &dirfd, dirfd >= 0, e);
}

static void end_serving(struct kft_view_server *server, struct opened *o)
{
	kft_view_server_stop(server);
	if (o->file)
		(void)unlink(o->file);
	free(o->file);
}

static int serve_until(const struct kft_interrupt *interrupt, struct cli *c,
		       struct kft_trace *t, const struct kft_view_opts *page)
{
	struct pollfd end = {.fd = interrupt->fd, .events = POLLIN};
	struct opened opened = {};
	const struct kft_view_serve_opts how = {
		.port = (uint16_t)arg_port,
		.ready = before_serving,
		.arg = &opened,
	};
	struct kft_view_server *server;
	int r = kft_view_server_start(t, page, &how, &server, &c->err);

	if (r == 0) {
		cli_print_note("%" PRIu64 " events; Ctrl-C ends",
			       kft_view_server_events(server));
		(void)printf("%s\n", kft_view_server_url(server));
		(void)fflush(stdout);
		while (poll(&end, 1, -1) < 0 && errno == EINTR)
			;
	}
	end_serving(server, &opened);
	return r == 0 ? CLI_OK : r == -EINVAL ? CLI_USAGE : CLI_FAILED;
}

static int serve(struct cli *c, const char *path, struct kft_trace *t,
		 const struct kft_view_opts *page)
{
	struct kft_view_opts how = *page;
	struct kft_interrupt interrupt;

	how.name = cli_page_name(path);
	how.all_texts = true;
	if (kft_interrupt_open(&interrupt, &c->err) < 0)
		return CLI_FAILED;
	int status = serve_until(&interrupt, c, t, &how);
	kft_interrupt_close(&interrupt);
	if (status != CLI_OK)
		return status;
	return cli_input_finish_part(c, path, t, NULL);
}

static int check_arguments(struct cli *c)
{
	if (arg_serve && arg_output)
		return kft_err_set(&c->err, -EINVAL,
				   "--serve writes no page: leave --output out");
	if (cli_first_means_all())
		return kft_err_set(&c->err, -EINVAL, "-a needs -d TIME or -- COMMAND");
	if (arg_port && !arg_serve)
		return kft_err_set(&c->err, -EINVAL, "--port needs --serve");
	if (arg_port > UINT16_MAX)
		return kft_err_set(&c->err, -EINVAL, "invalid port: %" PRIu64, arg_port);
	return 0;
}

static int show(struct cli *c, const char *path, struct kft_trace *t)
{
	_cleanup_free_ struct kft_view_range *exact = calloc(arg_exact.len + 1,
							     sizeof(*exact));

	if (!exact) {
		(void)kft_err_sys(&c->err, -ENOMEM, "--exact");
		return CLI_FAILED;
	}
	for (size_t i = 0; i < arg_exact.len; i++)
		if (cli_scope_parse_stretch(t, "--exact", arg_exact.data[i],
					    &exact[i].begin_ns, &exact[i].end_ns,
					    &c->err) < 0)
			return CLI_USAGE;
	const struct kft_view_opts how = {
		.max_bytes = arg_max_size,
		.exact = exact,
		.n_exact = arg_exact.len,
		.counters = arg_counters.data,
		.n_counters = arg_counters.len,
	};

	return arg_serve ? serve(c, path, t, &how)
			 : cli_page_write(c, path, t, arg_output, arg_open, &how);
}

static int run(struct cli *c, int argc, char **argv)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(cli_progress_end) struct cli_progress progress = {};
	const char *path = cli_input_path(argc, argv);

	if (check_arguments(c) < 0)
		return CLI_USAGE;
	if (cli_input_open(path, &t, &c->err) < 0)
		return CLI_FAILED;
	cli_progress_begin(&progress, t);
	int status = show(c, path, t);

	kft_vec_finish(&arg_exact);
	kft_vec_finish(&arg_counters);
	return status;
}

const struct cli_verb cli_verb_view = {
	.name = "view",
	.group = CLI_GROUP_READ,
	.summary = "show a trace as a timeline in one HTML file",
	.operands = "[FILE | -d TIME | -- COMMAND...]",
	.about =
		"The page shows all of FILE (" CLI_TRACE_DEFAULT
		"; - is standard input) in any browser and needs nothing else, no network "
		"either. With COMMAND or -d, records into " CLI_TRACE_DEFAULT " first.",
	.opts = opts,
	.takes_command = true,
	.max_operands = 1,
	.input = CLI_TRACE_DEFAULT,
	.run = run,
};
