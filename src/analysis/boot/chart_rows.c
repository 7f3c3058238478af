// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes the rows of a boot chart. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/boot/chart.h"
#include "base/map.h"
#include "base/units.h"

/* A chart with more rows is hard to read: processes with the least CPU time are left out. */
#define PROCESSES_SHOWN 150

struct drawing {
	struct kft_trace *trace;
	const struct kft_symbol_table *symbols;
	const struct kft_boot_chart *b;
	struct kft_chart *chart;
};

/* "NAME: 12.3 ms" */
static void add_bar(struct drawing *d, struct kft_chart_row *row, const char *name,
		    const char *more, struct kft_chart_bar bar)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf about = {};

	kft_strbuf_addf(&about, "%s: ", name);
	kft_strbuf_add_duration(&about, bar.end_ns - bar.begin_ns);
	if (more)
		kft_strbuf_addf(&about, ", %s", more);
	bar.name = name;
	bar.about = kft_strbuf_cstr(&about);
	kft_chart_place_bar(d->chart, row, &bar);
}

static void add_function(const struct drawing *d, uint64_t addr, struct kft_strbuf *sb)
{
	const struct kft_symbol *s = kft_symbol_lookup(d->symbols, addr);

	if (s && s->addr == addr)
		kft_strbuf_add(sb, s->name, s->name_len);
	else
		kft_strbuf_addf(sb, "0x%" PRIx64, addr);
}

static void add_steps(struct drawing *d)
{
	const struct kft_boot_step_list *steps = &d->b->report.steps;
	struct kft_chart_row *row;

	if (!steps->list.len)
		return;
	row = kft_chart_add_row(d->chart, "steps");
	kft_vec_for_each(&steps->list, s) {
		uint64_t end = s->ended ? s->start_ns + s->dur_ns : d->b->end_ns;

		add_bar(d, row, s->name, s->ended ? "until the next" : "the last one",
			(struct kft_chart_bar){.begin_ns = s->start_ns, .end_ns = end});
	}
}

static int compare_initcalls(const void *pa, const void *pb)
{
	const struct kft_initcall *const *a = pa;
	const struct kft_initcall *const *b = pb;

	return (*a)->start_ns < (*b)->start_ns ? -1 : (*a)->start_ns > (*b)->start_ns;
}

static void add_initcall(struct drawing *d, struct kft_chart_row *row,
			 const struct kft_initcall *call)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
	const struct kft_initcalls *all = &d->b->report.initcalls;
	const struct kft_chart_bar bar = {
		.begin_ns = call->start_ns,
		.end_ns = call->ended ? call->start_ns + call->dur_ns : d->b->end_ns,
		.style = call->is_tracer ? KFT_CHART_BAD : KFT_CHART_BUSY,
		.strength = 100,
	};

	if (call->is_module && call->module != KFT_INTERN_NONE)
		kft_strbuf_adds(&name, kft_intern_text(&all->modules, call->module));
	else
		add_function(d, call->func, &name);
	add_bar(d, row, kft_strbuf_cstr(&name),
		!call->ended	  ? "it did not end"
		: call->is_tracer ? "of the tracer itself"
				  : NULL,
		bar);
}

/* Finds the row of a level. It is made at the level's first initcall. */
static int row_of_level(struct drawing *d, struct kft_map *rows, uint32_t level,
			struct kft_chart_row **ret)
{
	const struct kft_intern *levels = &d->b->report.initcalls.levels;
	uint64_t *slot = kft_map_put(rows, level);

	if (slot && !*slot)
		*slot = (uintptr_t)kft_chart_add_row(
			d->chart, level == KFT_INTERN_NONE
					  ? "level not known"
					  : kft_intern_text(levels, level));
	if (!slot || !*slot)
		return -ENOMEM;
	*ret = (struct kft_chart_row *)(uintptr_t)*slot;
	return 0;
}

static int add_initcalls(struct drawing *d)
{
	const struct kft_initcalls *all = &d->b->report.initcalls;
	_cleanup_(kft_map_finish) struct kft_map rows = {};
	_cleanup_free_ const struct kft_initcall **sorted =
		calloc(all->list.len + 1, sizeof(struct kft_initcall *));
	struct kft_chart_row *row;
	int r = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < all->list.len; i++)
		sorted[i] = &all->list.data[i];
	qsort(sorted, all->list.len, sizeof(struct kft_initcall *), compare_initcalls);
	if (all->list.len)
		kft_chart_add_heading(d->chart, "Initcalls by level");
	for (size_t i = 0; i < all->list.len && !r; i++) {
		r = row_of_level(d, &rows, sorted[i]->level, &row);
		if (!r)
			add_initcall(d, row, sorted[i]);
	}
	return r;
}

static int compare_entry_gaps(const void *pa, const void *pb)
{
	const struct kft_entry_gap *a = pa;
	const struct kft_entry_gap *b = pb;

	return a->from.entry_ns < b->from.entry_ns ? -1
						   : a->from.entry_ns > b->from.entry_ns;
}

static void add_entry_gaps(struct drawing *d)
{
	const struct kft_boot_report *r = &d->b->report;
	struct kft_entry_gap entry_gaps[KFT_ENTRY_GAPS_KEPT];
	struct kft_chart_row *row;

	if (!r->n_entry_gaps)
		return;
	memcpy(entry_gaps, r->entry_gaps, r->n_entry_gaps * sizeof(entry_gaps[0]));
	qsort(entry_gaps, r->n_entry_gaps, sizeof(entry_gaps[0]), compare_entry_gaps);
	row = kft_chart_add_row(d->chart, "gaps: no function entered");
	for (size_t i = 0; i < r->n_entry_gaps; i++)
		add_bar(d, row, kft_intern_text(&r->names, entry_gaps[i].from.func),
			"no function was entered",
			(struct kft_chart_bar){.begin_ns = entry_gaps[i].from.entry_ns,
					       .end_ns = entry_gaps[i].to.entry_ns,
					       .style = KFT_CHART_BAD});
}

static void add_probes(struct drawing *d)
{
	struct kft_chart_row *row;

	if (!d->b->probes.len)
		return;
	row = kft_chart_add_row(d->chart, "drivers' probes");
	kft_vec_for_each(&d->b->probes, p) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};

		add_function(d, p->func, &name);
		add_bar(d, row, kft_strbuf_cstr(&name), NULL,
			(struct kft_chart_bar){.begin_ns = p->begin_ns,
					       .end_ns = p->end_ns,
					       .style = KFT_CHART_BUSY,
					       .strength = 100});
	}
}

static void add_load(struct drawing *d)
{
	const struct kft_boot_chart *b = d->b;
	uint64_t bin = kft_boot_chart_bin_ns(b);
	uint64_t io = 0;

	if (!b->cpus)
		return;
	for (size_t i = 0; i < KFT_BOOT_BINS; i++)
		io = KFT_MAX(io, b->io[i]);
	kft_chart_set_curve(d->chart, kft_chart_add_row(d->chart, "CPUs busy"), b->cpu,
			    KFT_BOOT_BINS, bin * b->cpus);
	if (io)
		kft_chart_set_curve(d->chart,
				    kft_chart_add_row(d->chart, "I/O under way"), b->io,
				    KFT_BOOT_BINS, KFT_MAX(io, bin));
}

static void add_process(struct drawing *d, const struct kft_boot_process *p)
{
	const struct kft_task_table *tasks = &d->trace->tasks;
	const char *comm = kft_task_comm_at(tasks, (uint32_t)p->pid,
					    p->exec_ns ? p->exec_ns + 1 : p->end_ns - 1);
	const uint64_t bin = kft_boot_chart_bin_ns(d->b);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	struct kft_chart_bar life = {.begin_ns = p->begin_ns, .end_ns = p->end_ns};
	struct kft_chart_row *row;

	kft_strbuf_addf(&text, "%s %d", comm, p->pid);
	row = kft_chart_add_row(d->chart, kft_strbuf_cstr(&text));
	if (p->parent >= 0)
		kft_strbuf_addf(&text, ", child of %s %d",
				kft_task_comm_at(tasks, (uint32_t)p->parent, p->begin_ns),
				p->parent);
	kft_strbuf_adds(&text, ", on CPUs for ");
	kft_strbuf_add_duration(&text, p->cpu_ns);
	life.about = kft_strbuf_cstr(&text);
	kft_chart_add_bar(d->chart, row, &life);
	for (size_t i = 0; i < KFT_BOOT_BINS; i++) {
		const struct kft_boot_chart *b = d->b;
		uint64_t begin = b->begin_ns + i * bin;

		if (p->bins[i])
			kft_chart_add_bar(
				d->chart, row,
				&(struct kft_chart_bar){
					.begin_ns = KFT_MAX(begin, p->begin_ns),
					.end_ns = KFT_MIN(begin + bin, p->end_ns),
					.style = KFT_CHART_BUSY,
					.strength =
						(unsigned int)(p->bins[i] * 100 / bin),
				});
	}
}

static int compare_cpu(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa;
	uint64_t b = *(const uint64_t *)pb;

	return a > b ? -1 : a < b;
}

static int add_processes(struct drawing *d)
{
	const struct kft_boot_chart *b = d->b;
	_cleanup_free_ uint64_t *cpu = calloc(b->processes.list.len + 1, sizeof(*cpu));
	uint64_t least = 0;
	size_t shown = 0;

	if (!cpu)
		return -ENOMEM;
	for (size_t i = 0; i < b->processes.list.len; i++)
		cpu[i] = b->processes.list.data[i].cpu_ns;
	qsort(cpu, b->processes.list.len, sizeof(*cpu), compare_cpu);
	if (b->processes.list.len > PROCESSES_SHOWN)
		least = cpu[PROCESSES_SHOWN - 1];
	if (b->processes.list.len)
		kft_chart_add_heading(d->chart, "Processes as they start");
	kft_vec_for_each(&b->processes.list, p) {
		if (p->cpu_ns < least || shown == PROCESSES_SHOWN)
			continue;
		add_process(d, p);
		shown++;
	}
	return 0;
}

/*
 * The time at which the kernel had initialized itself. The trace may go on for much longer
 * than the boot, up to days.
 */
static uint64_t kernel_end(const struct kft_boot_report *report)
{
	uint64_t end = 0;

	kft_vec_for_each(&report->initcalls.list, call)
		if (!call->is_module)
			end = KFT_MAX(end, call->start_ns + call->dur_ns);
	kft_vec_for_each(&report->steps.list, step)
		end = KFT_MAX(end, step->start_ns);
	return end;
}

void kft_boot_chart_rows(struct kft_trace *t, const struct kft_symbol_table *symbols,
			 const struct kft_boot_chart *b, struct kft_chart *ret)
{
	struct drawing d = {t, symbols, b, ret};

	ret->begin_ns = b->begin_ns;
	ret->end_ns = b->end_ns;
	add_load(&d);
	if (b->has_report) {
		ret->early_end_ns = kernel_end(&b->report);
		add_steps(&d);
		add_entry_gaps(&d);
		add_probes(&d);
	}
	if (b->has_report && add_initcalls(&d) < 0)
		ret->failed = true;
}

void kft_boot_chart_processes(struct kft_trace *t, const struct kft_boot_chart *b,
			      struct kft_chart *ret)
{
	struct drawing d = {.trace = t, .b = b, .chart = ret};

	if (add_processes(&d) < 0)
		ret->failed = true;
}
