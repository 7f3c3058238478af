// SPDX-License-Identifier: GPL-2.0-only
/* `kft export`: converts a trace to another format. */
#include "cli/verb.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/err.h"
#include "base/io.h"
#include "base/new_file.h"
#include "base/spool.h"
#include "cli/input.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/scope.h"
#include "export/export.h"

#define COPY_BYTES ((size_t)256 * 1024)

static struct cli_scope arg_scope;
#define NO_FORMAT (-1) /* --to was not given */

static int arg_format = NO_FORMAT;
static const char *arg_output;
static int arg_file_version;
static bool arg_compress;
static bool arg_plain;
static bool arg_list;

static struct cli_kinds arg_kinds;

static const char *const versions[] = {"7", "6", NULL};

static const struct kft_opt opts[] = {
	{0, "to", "FORMAT", "the format to write; --list shows them", KFT_OPT_ENUM,
	 &arg_format, kft_export_names},
	{'o', "output", "OUT", "write to OUT; - is standard output (-)", KFT_OPT_STRING,
	 &arg_output},
	CLI_SCOPE_OPTS(arg_scope),
	CLI_SCOPE_PID_OPT(arg_scope),
	{0, "intervals", "KIND",
	 "intervals instead of events, for csv and json: a kind that `kft stats` "
	 "knows, or all; a list with commas, may be repeated",
	 KFT_OPT_CALLBACK, &arg_kinds, .parse = cli_kinds_add},
	{0, "file-version", "VERSION", "of trace.dat: 7 or 6 (7)", KFT_OPT_ENUM,
	 &arg_file_version, versions},
	{0, "compress", NULL, "compress trace.dat with zstd", KFT_OPT_FLAG,
	 &arg_compress},
	{0, "no-compress", NULL, "compress nothing in trace.dat", KFT_OPT_FLAG,
	 &arg_plain},
	{0, "list", NULL, "show the formats, and the programs that take them",
	 KFT_OPT_FLAG, &arg_list},
	CLI_QUIET_OPT,
	CLI_FOREIGN_INPUT_OPT,
	{},
};

static const struct kft_export_format *format(void)
{
	return kft_export_formats[arg_format];
}

static int list_formats(struct cli *c)
{
	struct kft_strbuf *sb = &c->out.sb;

	for (size_t i = 0; kft_export_formats[i]; i++) {
		const struct kft_export_format *f = kft_export_formats[i];

		kft_strbuf_addf(sb, "%-10s %s; for %s\n", kft_export_names[i], f->summary,
				f->viewer);
	}
	return CLI_OK;
}

static int copy_file(int from, int to)
{
	_cleanup_free_ char *buf = malloc(COPY_BYTES);
	uint64_t at = 0;
	ssize_t n;

	if (!buf)
		return -ENOMEM;
	while ((n = pread(from, buf, COPY_BYTES, at)) > 0) {
		int r = kft_write_all(to, buf, n);

		if (r < 0)
			return r;
		at += n;
	}
	return n < 0 ? -errno : 0;
}

/* Formats that are written at any offset go to a temporary file first. */
static int write_to_output(struct cli *c, struct kft_export *x)
{
	_cleanup_close_ int spool = -1;

	if (format()->shape == KFT_EXPORT_STREAM)
		return kft_export_run(format(), x);
	int r = kft_spool_create(&spool, &c->err);

	if (r < 0)
		return r;
	x->fd = spool;
	r = kft_export_run(format(), x);
	if (r == 0)
		r = copy_file(spool, c->out.fd);
	if (r < 0 && !c->err.code)
		(void)kft_err_sys(&c->err, r, "cannot write to standard output");
	return r;
}

static int write_to_file(struct cli *c, struct kft_export *x)
{
	_cleanup_(kft_new_file_finish) struct kft_new_file file = KFT_NEW_FILE_NONE;
	_cleanup_free_ char *made_at = NULL;
	bool is_named = format()->shape == KFT_EXPORT_NAMED;
	int r = is_named ? kft_new_file_open_named(arg_output, &file, &c->err)
			 : kft_new_file_open(arg_output, &file, &c->err);

	if (r < 0)
		return r;
	x->fd = file.fd;
	if (is_named)
		x->made_at = made_at = kft_new_file_path(&file);
	if (is_named && !made_at)
		return kft_err_sys(&c->err, -ENOMEM, "cannot write '%s'", arg_output);
	r = kft_export_run(format(), x);
	return r < 0 ? r : kft_new_file_commit(&file, &c->err);
}

/* Removes the directory of a failed export; it contains only files of the export. */
static void remove_directory(int fd)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(fd, ".");
	const char *name;

	while (dir && (name = kft_dir_next(dir)))
		(void)unlinkat(fd, name, 0);
	(void)rmdir(arg_output);
}

/* Writes to a new directory; an existing one is not touched. */
static int write_to_directory(struct cli *c, struct kft_export *x)
{
	if (mkdir(arg_output, 0700) < 0)
		return kft_err_sys(&c->err, -errno, "cannot create '%s'", arg_output);
	x->fd = open(arg_output, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (x->fd < 0)
		return kft_err_sys(&c->err, -errno, "cannot open '%s'", arg_output);
	int r = kft_export_run(format(), x);

	if (r < 0)
		remove_directory(x->fd);
	(void)close(x->fd);
	return r;
}

static bool is_standard_output(void)
{
	return !arg_output || strcmp(arg_output, "-") == 0;
}

static int write_trace(struct cli *c, const char *path, struct kft_trace *t)
{
	struct kft_export x = {
		.trace = t,
		.scope = &arg_scope.scope,
		.kinds = arg_kinds.list,
		.n_kinds = arg_kinds.n,
		.file_version = arg_file_version == 1 ? 6 : 7,
		.compress = arg_compress,
		.plain = arg_plain,
		.path = is_standard_output() ? "standard output" : arg_output,
		.fd = c->out.fd,
		.e = &c->err,
	};
	int r = is_standard_output()			  ? write_to_output(c, &x)
		: format()->shape == KFT_EXPORT_DIRECTORY ? write_to_directory(c, &x)
							  : write_to_file(c, &x);

	if (r < 0)
		return CLI_FAILED;
	cli_scope_note_empty(&arg_scope, x.events);
	return cli_input_finish_part(c, path, t, &arg_scope.scope);
}

/* Checks that the output is not one of the inputs. */
static int check_output(struct cli *c, int argc, char **argv)
{
	int r = 0;

	if (is_standard_output())
		return 0;
	for (int i = 0; r == 0 && i < KFT_MAX(argc, 1); i++)
		r = cli_output_differs(arg_output, cli_input_path(argc, argv + i),
				       &c->err);
	return r;
}

static int export_files(struct cli *c, int argc, char **argv)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(cli_progress_end) struct cli_progress progress = {};
	const char *path = argc > 1 ? CLI_SEVERAL : cli_input_path(argc, argv);
	int r = argc > 1 ? cli_input_join(argv, argc, &t, &c->err)
			 : cli_input_open(path, &t, &c->err);

	if (r < 0 || check_output(c, argc, argv) < 0)
		return CLI_FAILED;
	cli_progress_begin(&progress, t);
	if (cli_scope_resolve(&arg_scope, t, &c->err) < 0)
		return CLI_USAGE;
	cli_scope_resolve_tasks(&arg_scope, t);
	return write_trace(c, path, t);
}

static int check_args(struct cli *c)
{
	if (arg_format == NO_FORMAT) {
		(void)kft_err_set(&c->err, -EINVAL, "option '--to' is missing");
		kft_err_hint(&c->err, "`kft export --list` shows the formats");
		return CLI_USAGE;
	}
	if (arg_kinds.n && !format()->has_intervals) {
		(void)kft_err_set(&c->err, -EINVAL,
				  "option '--intervals': '%s' holds events",
				  kft_export_names[arg_format]);
		return CLI_USAGE;
	}
	if (is_standard_output() && format()->shape >= KFT_EXPORT_NAMED) {
		(void)kft_err_set(&c->err, -EINVAL, "'%s' does not go to standard output",
				  kft_export_names[arg_format]);
		kft_err_hint(&c->err, "-o OUT says where it is made");
		return CLI_USAGE;
	}
	if (is_standard_output() && !format()->is_text && isatty(c->out.fd)) {
		(void)kft_err_set(&c->err, -EINVAL, "'%s' is not for a terminal",
				  kft_export_names[arg_format]);
		kft_err_hint(&c->err, "-o OUT writes it to a file");
		return CLI_USAGE;
	}
	return CLI_OK;
}

static int run(struct cli *c, int argc, char **argv)
{
	if (arg_list)
		return list_formats(c);
	int status = check_args(c);

	if (status == CLI_OK)
		status = export_files(c, argc, argv);
	cli_scope_finish(&arg_scope);
	return status;
}

const struct cli_verb cli_verb_export = {
	.name = "export",
	.group = CLI_GROUP_READ,
	.summary = "convert a trace to the format of another program",
	.operands = "[FILE...]",
	.about = "FILE is " CLI_TRACE_DEFAULT
		 "; - is standard input. Several files become one trace.",
	.opts = opts,
	.max_operands = -1,
	.input = CLI_TRACE_DEFAULT,
	.run = run,
};
