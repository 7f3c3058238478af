// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/boot_report.h"

#include <errno.h>

/* What the calls of a trace are fed to. */
struct feeding {
	struct kft_boot_report *report;
	struct kft_nest_sink functions;
	bool has_last;
	struct kft_leap_end last; /* the entry before */
};

void kft_boot_report_finish(struct kft_boot_report *r)
{
	kft_initcalls_finish(&r->initcalls);
	kft_functions_finish(&r->functions);
	kft_intern_finish(&r->names);
}

static uint64_t length_of(const struct kft_leap *l)
{
	return l->to.entry_ns - l->from.entry_ns;
}

static void keep_leap(struct kft_boot_report *r, const struct kft_leap *leap)
{
	size_t at = r->n_leaps;

	while (at && length_of(&r->leaps[at - 1]) < length_of(leap))
		at--;
	if (at == KFT_LEAPS_KEPT)
		return;
	if (r->n_leaps < KFT_LEAPS_KEPT)
		r->n_leaps++;
	memmove(&r->leaps[at + 1], &r->leaps[at],
		(r->n_leaps - 1 - at) * sizeof(r->leaps[0]));
	r->leaps[at] = *leap;
}

static int on_enter(void *arg, const struct kft_nested *n)
{
	struct feeding *f = arg;
	struct kft_leap_end now = {
		.entry_ns = n->call.entry_ns,
		.func = n->call.func,
		.pid = n->call.pid,
		.cpu = n->call.cpu,
	};

	if (f->has_last && now.entry_ns > f->last.entry_ns)
		keep_leap(f->report, &(struct kft_leap){f->last, now});
	/* An entry that was lost comes late. */
	if (!f->has_last || now.entry_ns >= f->last.entry_ns)
		f->last = now;
	f->has_last = true;
	f->report->calls++;
	return f->functions.enter(f->functions.arg, n);
}

static int on_leave(void *arg, const struct kft_nested *n)
{
	struct feeding *f = arg;

	return f->functions.leave(f->functions.arg, n);
}

static int find_calls(struct kft_trace *t, const struct kft_scope *scope,
		      const struct kft_symbol_table *symbols, struct kft_boot_report *r)
{
	_cleanup_(kft_nest_destroyp) struct kft_nest *nest = NULL;
	struct feeding f = {.report = r, .functions = kft_functions_sink(&r->functions)};
	const struct kft_nest_sink sink = {on_enter, on_leave, &f};
	const struct kft_calls_opts opts = {
		.scope = scope, .symbols = symbols, .names = &r->names};
	int n = kft_nest_create(&sink, &nest);

	if (n == 0)
		n = kft_calls_run(t, &opts, nest, &r->found);
	if (n < 0)
		return n == -ENODATA ? 0 : n;
	/* Calls count from the first one. */
	for (size_t i = 0; i < r->n_leaps; i++) {
		r->leaps[i].from.entry_ns += r->found.start_ns;
		r->leaps[i].to.entry_ns += r->found.start_ns;
	}
	kft_functions_sort(&r->functions, KFT_FUNCTIONS_BY_TOTAL, &r->names);
	return 0;
}

static int by_duration(const void *pa, const void *pb)
{
	const struct kft_initcall *a = pa;
	const struct kft_initcall *b = pb;

	if (a->ended != b->ended)
		return a->ended ? -1 : 1;
	if (a->dur_ns != b->dur_ns)
		return a->dur_ns > b->dur_ns ? -1 : 1;
	return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

int kft_boot_report_run(struct kft_trace *t, const struct kft_scope *scope,
			const struct kft_symbol_table *symbols,
			struct kft_boot_report *ret)
{
	struct kft_boot_report r = {};
	int n = kft_initcalls_find(t, scope, &r.initcalls);

	if (n == 0)
		n = find_calls(t, scope, symbols, &r);
	if (n == 0 && !r.calls && !r.initcalls.list.len)
		n = -ENODATA;
	if (n < 0) {
		kft_boot_report_finish(&r);
		return n;
	}
	if (r.initcalls.list.len)
		qsort(r.initcalls.list.data, r.initcalls.list.len,
		      sizeof(*r.initcalls.list.data), by_duration);
	*ret = r;
	return 0;
}
