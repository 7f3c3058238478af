// SPDX-License-Identifier: GPL-2.0-only
/* Writes traces as pages, for kft view and kft boot --view. */
#include "cli/page.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "cli/browser.h"
#include "cli/input.h"
#include "cli/output.h"

/* The page of "dir/trace.dat" is "dir/trace.html". */
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

const char *cli_page_name(const char *path)
{
	const char *base = strrchr(path, '/');

	return base ? base + 1 : cli_input_name(path);
}

int cli_page_write(struct cli *c, const char *path, struct kft_trace *t,
		   const char *wanted, bool open, const struct kft_view_opts *opts)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf output = {};
	_cleanup_(kft_new_file_finish) struct kft_new_file file = KFT_NEW_FILE_NONE;
	struct kft_view_opts how = *opts;
	struct kft_view_done done;

	how.name = cli_page_name(path);
	if (wanted)
		kft_strbuf_adds(&output, wanted);
	else
		default_output(path, &output);
	int r = cli_output_open(kft_strbuf_cstr(&output), path, &file, &c->err);

	if (!r && open)
		r = cli_browser_give(file.fd, &c->err);
	if (!r)
		r = kft_view_write(t, &how, file.fd, &done, &c->err);
	if (!r)
		r = kft_new_file_commit(&file, &c->err);
	if (r < 0)
		return r == -EINVAL ? CLI_USAGE : CLI_FAILED;
	tell(kft_strbuf_cstr(&output), &done);
	if (open && cli_browser_open(kft_strbuf_cstr(&output), &c->err) < 0)
		return CLI_FAILED;
	return cli_input_finish_part(c, path, t, NULL);
}
