// SPDX-License-Identifier: GPL-2.0-only
/* Prints results of verbs, and writes pictures of them. */
#include "cli/answer.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/io.h"
#include "cli/output.h"

int cli_set_json(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	*(int *)opt->value = KFT_OUTPUT_json;
	return 0;
}

int cli_left_out(struct kft_err *e, const char *feature)
{
	(void)kft_err_set(e, -ENOTSUP, "this small build of kft has no %s", feature);
	kft_err_hint(e, "copy the trace to a machine with all of kft");
	return -ENOTSUP;
}

static void drain(void *arg)
{
	(void)cli_out_drain(arg);
}

int cli_answer(struct cli *c, int format, bool all, const struct kft_result *result)
{
	const struct kft_output_how how = {
		.all = all,
		.width = c->out.width,
		.colour = cli_wants_colour(STDOUT_FILENO),
		.drain = drain,
		.arg = &c->out,
	};

	kft_outputs[format](result, &how, &c->out.sb);
	return cli_out_flush(&c->out) < 0 ? CLI_FAILED : CLI_OK;
}

static int write_file(const char *output, const char *path, const struct kft_strbuf *sb,
		      struct kft_err *e)
{
	_cleanup_(kft_new_file_finish) struct kft_new_file file = KFT_NEW_FILE_NONE;
	int r = cli_output_open(output, path, &file, e);

	if (r < 0)
		return r;
	r = kft_write_all(file.fd, sb->buf, sb->len);
	if (r < 0)
		return kft_err_sys(e, r, "cannot write '%s'", output);
	return kft_new_file_commit(&file, e);
}

int cli_picture_write(struct cli *c, const char *path, const char *output,
		      const struct kft_strbuf *picture)
{
	if (!kft_strbuf_ok(picture))
		return kft_err_sys(&c->err, -ENOMEM, "cannot draw");
	if (output && strcmp(output, "-") != 0)
		return write_file(output, path, picture, &c->err);
	kft_strbuf_add(&c->out.sb, picture->buf, picture->len);
	return cli_out_flush(&c->out);
}
