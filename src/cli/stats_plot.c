// SPDX-License-Identifier: GPL-2.0-only
/* Implements `kft stats --plot`. */
#include "cli/stats_plot.h"

#include <stdlib.h>

#include "analysis/plot.h"
#include "base/err.h"
#include "cli/input.h"
#include "cli/answer.h"
#include "output/plot.h"

/* Whether the locale uses UTF-8, so that braille dots can be shown. */
static bool is_unicode(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *value = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(names) && !(value && *value); i++)
		value = getenv(names[i]);
	return value && (strcasestr(value, "UTF-8") || strcasestr(value, "UTF8"));
}

static int write_picture(struct cli *c, const char *path, struct kft_plot *const *plots,
			 size_t n, const char *output)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf svg = {};

	kft_plots_svg(plots, n, cli_input_name(path), &svg);
	return cli_picture_write(c, path, output, &svg);
}

static int print(struct cli *c, struct kft_plot *const *plots, size_t n)
{
	bool is_first = true;

	for (size_t i = 0; i < n; i++) {
		if (!plots[i])
			continue;
		if (!is_first)
			kft_strbuf_addc(&c->out.sb, '\n');
		kft_plot_text(plots[i], cli_width(), is_unicode(), &c->out.sb);
		is_first = false;
	}
	if (is_first)
		cli_print_note("the trace has no such intervals");
	return cli_out_flush(&c->out);
}

int cli_stats_plot(struct cli *c, const char *path, struct kft_trace *t,
		   const struct kft_interval_question *q, const struct kft_scope *scope,
		   const char *output)
{
	struct kft_plot *plots[KFT_INTERVAL_KINDS_MAX] = {};
	int r = kft_plots_run(t, q, scope, plots);

	if (r < 0)
		r = kft_err_sys(&c->err, r, "cannot read '%s'", path);
	else if (output)
		r = write_picture(c, path, plots, q->n_kinds, output);
	else
		r = print(c, plots, q->n_kinds);
	for (size_t i = 0; i < q->n_kinds; i++)
		free(plots[i]);
	return r;
}
