// SPDX-License-Identifier: GPL-2.0-only
/* Shows how a boot spent its time. */
#include "cli/boot_report.h"

#include <errno.h>

#include "analysis/boot/chart.h"
#include "base/err.h"
#include "cli/answer.h"
#include "cli/input.h"
#include "cli/page.h"
#include "decode/trace_lazy.h"
#include "file/registry.h"
#include "output/svg/chart.h"

static void add_blob(struct kft_result *r, const char *key, const char *title,
		     const struct kft_blob *blob)
{
	struct kft_value v = {};

	if (blob->len)
		v = kft_value_textn(r, blob->data, strnlen(blob->data, blob->len));
	kft_result_add_optional(r, key, title, v);
}

static void add_file(struct kft_result *r, const char *path, struct kft_trace *t)
{
	kft_result_add(r, "file", "Trace", kft_value_text(r, path));
	add_blob(r, "kernel", "Kernel", &t->meta.uname);
	add_blob(r, "kernel_line", "Booted with", &t->meta.kernel_line);
	kft_result_add(r, "clock", "Clock", kft_value_text(r, t->meta.clock.name));
}

static void add_damage(struct kft_result *r, struct kft_trace *t)
{
	struct kft_value v = {};
	struct kft_err e;

	if (cli_input_damage(t, &e))
		v = kft_value_text(r, e.msg);
	kft_result_add_optional(r, "damage", "Damage", v);
}

static int fail(struct cli *c, int code, const char *path)
{
	if (code != -ENODATA) {
		kft_err_sys(&c->err, code, "cannot read '%s'", path);
		return CLI_FAILED;
	}
	(void)kft_err_set(&c->err, code,
			  "trace '%s' has neither initcalls nor records of functions",
			  path);
	kft_err_hint(&c->err, "'kft boot FILE' says how a boot records them");
	return CLI_FAILED;
}

static int show(struct cli *c, const char *path, struct kft_trace *t, int format,
		bool all)
{
	_cleanup_(kft_boot_report_finish) struct kft_boot_report report = {};
	_cleanup_(kft_result_finish) struct kft_result result = {};
	const struct kft_symbol_table *symbols = kft_trace_symbols(t);
	int r = kft_boot_report_run(t, NULL, symbols, &report);

	if (r < 0)
		return fail(c, r, path);
	(void)kft_trace_tasks(t);
	add_file(&result, path, t);
	kft_boot_report_result(t, symbols, &report, &result);
	add_damage(&result, t);
	int status = cli_answer(c, format, all, &result);

	if (status != CLI_OK)
		return status;
	cli_input_note_too_deep(path, report.found.too_deep);
	return cli_input_finish(c, path, t);
}

int cli_boot_report(struct cli *c, const char *path, int format, bool all)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;

	if (kft_file_open(path, &t, &c->err) < 0)
		return CLI_FAILED;
	return show(c, path, t, format, all);
}

/* Builds the chart for both kinds of pictures. */
static int make_chart(struct kft_trace *t, struct kft_boot_chart *boot,
		      struct kft_chart *chart)
{
	const struct kft_symbol_table *symbols = kft_trace_symbols(t);
	int r = kft_boot_chart_run(t, symbols, boot);

	if (r < 0)
		return r;
	(void)kft_trace_tasks(t);
	kft_boot_chart_rows(t, symbols, boot, chart);
	return chart->failed ? -ENOMEM : 0;
}

int cli_boot_chart(struct cli *c, const char *path, const char *output)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(kft_boot_chart_finish) struct kft_boot_chart boot = {};
	_cleanup_(kft_chart_finish) struct kft_chart chart = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf title = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf svg = {};

	if (kft_file_open(path, &t, &c->err) < 0)
		return CLI_FAILED;
	int r = make_chart(t, &boot, &chart);

	if (r < 0)
		return fail(c, r, path);
	kft_boot_chart_processes(t, &boot, &chart);
	kft_strbuf_addf(&title, "%s: a boot", cli_input_name(path));
	kft_chart_svg(&chart, kft_strbuf_cstr(&title), &svg);
	if (cli_picture_write(c, path, output, &svg) < 0)
		return CLI_FAILED;
	return cli_input_finish_part(c, path, t, NULL);
}

#if HAVE_VIEW
int cli_boot_view(struct cli *c, const char *path, const char *output)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(kft_boot_chart_finish) struct kft_boot_chart boot = {};
	_cleanup_(kft_chart_finish) struct kft_chart chart = {};
	const struct kft_view_opts how = {.max_bytes = CLI_PAGE_BYTES, .chart = &chart};

	if (kft_file_open(path, &t, &c->err) < 0)
		return CLI_FAILED;
	int r = make_chart(t, &boot, &chart);

	return r < 0 ? fail(c, r, path) : cli_page_write(c, path, t, output, false, &how);
}
#endif
