// SPDX-License-Identifier: LGPL-2.1-or-later
/* Collects the contents of a boot chart. */
#include "analysis/boot/chart.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "derive/kinds/kinds.h"
#include "derive/kinds/task_state.h"
#include "model/merge.h"
#include "model/span.h"

#define PROBES_MAX 100000

struct collecting {
	struct kft_trace *trace;
	struct kft_boot_chart *chart;
	struct kft_map is_probe; /* by address: 1 no, 2 yes */
	const struct kft_interval_kind *task;
	const struct kft_interval_kind *block;
	const struct kft_interval_kind *function;
};

void kft_boot_chart_finish(struct kft_boot_chart *c)
{
	kft_boot_report_finish(&c->report);
	kft_boot_processes_finish(&c->processes);
	kft_vec_finish(&c->probes);
}

static int take_task(struct collecting *f, const struct kft_interval *i)
{
	struct kft_boot_chart *c = f->chart;

	if (i->key != KFT_TASK_RUNNING || i->pid <= 0 || i->begin_ns < c->begin_ns)
		return 0;
	kft_boot_bins_add(&c->processes.bins, i, c->cpu);
	c->cpus = KFT_MAX(c->cpus, i->cpu + 1);
	return kft_boot_processes_ran(&c->processes, i);
}

/* Recognizes a driver's probe function by its name: the driver core has no event for it. */
static bool has_name_of_probe(struct collecting *f, uint64_t func)
{
	static const char ending[] = "_probe";
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
	const size_t n = sizeof(ending) - 1;

	kft_interval_key_text(f->trace, f->function, func, &name);
	return name.len > n && memcmp(name.buf + name.len - n, ending, n) == 0;
}

static int take_function(struct collecting *f, const struct kft_interval *i)
{
	struct kft_boot_chart *c = f->chart;
	uint64_t *known = kft_map_put(&f->is_probe, i->key);

	if (!known)
		return -ENOMEM;
	if (!*known)
		*known = has_name_of_probe(f, i->key) ? 2 : 1;
	if (*known == 1)
		return 0;
	if (c->probes.len == PROBES_MAX)
		return -E2BIG;
	return kft_vec_push(&c->probes,
			    ((struct kft_boot_probe){i->begin_ns, i->end_ns, i->key}))
		       ? 0
		       : -ENOMEM;
}

static int take(void *arg, const struct kft_interval *i)
{
	struct collecting *f = arg;

	if (i->kind == f->task)
		return take_task(f, i);
	if (i->kind == f->function)
		return i->key == KFT_INTERVAL_NO_KEY ? 0 : take_function(f, i);
	if (i->begin_ns >= f->chart->begin_ns)
		kft_boot_bins_add(&f->chart->processes.bins, i, f->chart->io);
	return 0;
}

/* Feeds events and intervals in one pass, so that a pid means its process from the fork on. */
static int feed_all(struct collecting *f)
{
	const struct kft_interval_kind *const kinds[] = {f->task, f->block, f->function};
	const struct kft_interval_sink sink = {take, f};
	_cleanup_(kft_engine_destroyp) struct kft_engine *engine = NULL;
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	uint64_t wanted[KFT_ID_WORDS] = {};
	const struct kft_scope scope = {.wanted = wanted};
	const struct kft_event *ev;
	int r = kft_engine_create(f->trace, kinds, ARRAY_SIZE(kinds), &sink, &engine);

	if (r < 0)
		return r;
	kft_engine_span(engine, f->chart->begin_ns, f->chart->end_ns);
	kft_engine_needs(f->trace, kinds, ARRAY_SIZE(kinds), wanted);
	const struct kft_boot_bins bins = {
		.begin_ns = f->chart->begin_ns,
		.length_ns = kft_boot_chart_bin_ns(f->chart),
	};
	kft_boot_processes_init(&f->chart->processes, f->trace, &bins, f->chart->end_ns,
				wanted);
	r = kft_merge_create(f->trace, &scope, &m);
	while (r >= 0 && (r = kft_merge_next(m, &ev)) > 0) {
		r = kft_boot_processes_event(&f->chart->processes, ev);
		if (!r)
			r = kft_engine_feed(engine, ev);
	}
	return r < 0 ? r : kft_engine_flush(engine);
}

static int compare_probes(const void *pa, const void *pb)
{
	const struct kft_boot_probe *a = pa;
	const struct kft_boot_probe *b = pb;

	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	return a->end_ns > b->end_ns ? -1 : a->end_ns < b->end_ns;
}

static int collect(struct kft_trace *t, const struct kft_symbol_table *symbols,
		   struct kft_boot_chart *c)
{
	struct collecting f = {
		.trace = t,
		.chart = c,
		.task = kft_interval_kind_find("task"),
		.block = kft_interval_kind_find("block"),
		.function = kft_interval_kind_find("function"),
	};

	if (!kft_span_first(t, &c->begin_ns) || !kft_span_last(t, &c->end_ns))
		return -ENODATA;
	int r = kft_boot_report_run(t, NULL, symbols, &c->report);

	c->has_report = !r;
	if (!r || r == -ENODATA)
		r = feed_all(&f);
	kft_map_finish(&f.is_probe);
	if (!r && !c->has_report && !c->processes.list.len)
		r = -ENODATA;
	return r;
}

int kft_boot_chart_run(struct kft_trace *t, const struct kft_symbol_table *symbols,
		       struct kft_boot_chart *ret)
{
	struct kft_boot_chart c = {};
	int r = collect(t, symbols, &c);

	if (r < 0) {
		kft_boot_chart_finish(&c);
		return r;
	}
	kft_boot_processes_sort(&c.processes);
	if (c.probes.len)
		qsort(c.probes.data, c.probes.len, sizeof(*c.probes.data),
		      compare_probes);
	*ret = c;
	return 0;
}
