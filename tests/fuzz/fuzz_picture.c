// SPDX-License-Identifier: GPL-2.0-only
/* trace.dat files as pictures: kft flame, stats --plot, boot --chart. */
#include "trace.h"

#include "analysis/boot/chart.h"
#include "analysis/flame.h"
#include "analysis/plot.h"
#include "derive/kinds/kinds.h"
#include "file/tracedat/read/read.h"
#include "output/svg/chart.h"
#include "output/flame.h"
#include "output/plot.h"

/* A picture is text, too, which a browser reads. */
static void check_picture(struct kft_strbuf *sb)
{
	FUZZ_ASSERT(sb->len);
	fuzz_check_text(sb);
	kft_strbuf_clear(sb);
}

static void draw_flames(struct kft_trace *t, struct kft_strbuf *sb)
{
	static const struct kft_scope all = {};

	for (enum kft_flame_of of = KFT_FLAME_CALLS; of <= KFT_FLAME_STACKS; of++) {
		struct kft_stacks stacks;
		struct kft_err e = {};

		kft_stacks_init(&stacks);
		if (kft_flame_run(t, &all, of, kft_trace_symbols(t), &stacks, &e) == 0) {
			kft_flame_svg(&stacks, "fuzz", of != KFT_FLAME_STACKS, sb);
			check_picture(sb);
			kft_flame_folded(&stacks, sb);
			fuzz_check_text(sb);
			kft_strbuf_clear(sb);
		}
		kft_stacks_finish(&stacks);
	}
}

static void draw_plots(struct kft_trace *t, struct kft_strbuf *sb)
{
	static const struct kft_scope all = {};
	struct kft_plot *plots[KFT_INTERVAL_KINDS_MAX] = {};
	struct kft_interval_question q = {.kinds = kft_interval_kinds};

	while (kft_interval_kinds[q.n_kinds])
		q.n_kinds++;
	if (kft_plots_run(t, &q, &all, plots) == 0) {
		kft_plots_svg(plots, q.n_kinds, "fuzz", sb);
		check_picture(sb);
	}
	for (size_t i = 0; i < q.n_kinds; i++) {
		if (plots[i])
			kft_plot_text(plots[i], 80, i % 2, sb);
		fuzz_check_text(sb);
		kft_strbuf_clear(sb);
		free(plots[i]);
	}
}

static void draw_boot(struct kft_trace *t, struct kft_strbuf *sb)
{
	_cleanup_(kft_boot_chart_finish) struct kft_boot_chart boot = {};
	_cleanup_(kft_chart_finish) struct kft_chart chart = {};
	const struct kft_symbol_table *symbols = kft_trace_symbols(t);

	if (kft_boot_chart_run(t, symbols, &boot) < 0)
		return;
	kft_boot_chart_rows(t, symbols, &boot, &chart);
	kft_boot_chart_processes(t, &boot, &chart);
	kft_chart_svg(&chart, "fuzz", sb);
	check_picture(sb);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_err e = {};
	int fd = fuzz_file_of(data, size);

	if (fd < 0 || kft_tracedat_open(fd, "/nowhere/fuzz", &t, &e) < 0)
		return 0;
	(void)kft_trace_tasks(t);
	draw_flames(t, &sb);
	draw_plots(t, &sb);
	draw_boot(t, &sb);
	return 0;
}
