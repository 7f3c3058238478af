// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the time of a boot spent in initcalls, functions, and gaps without entries. */
#include "analysis/boot/report.h"

#include <errno.h>
#include <string.h>

#include "model/run_info.h"

/* The state of the sink that the calls of a trace are fed to. */
struct feeding {
	struct kft_boot_report *report;
	struct kft_nest_sink functions;
	bool has_last;
	struct kft_entry_gap_end last; /* the latest entry so far */
	uint64_t tracer_until_ns; /* end of the tracer's calls so far */
};

void kft_boot_report_finish(struct kft_boot_report *r)
{
	kft_initcalls_finish(&r->initcalls);
	kft_boot_steps_finish(&r->steps);
	kft_functions_finish(&r->functions);
	kft_intern_finish(&r->names);
}

static uint64_t length_of(const struct kft_entry_gap *l)
{
	return l->to.entry_ns - l->from.entry_ns;
}

static void keep_entry_gap(struct kft_boot_report *r, const struct kft_entry_gap *gap)
{
	size_t at = r->n_entry_gaps;

	while (at && length_of(&r->entry_gaps[at - 1]) < length_of(gap))
		at--;
	if (at == KFT_ENTRY_GAPS_KEPT)
		return;
	if (r->n_entry_gaps < KFT_ENTRY_GAPS_KEPT)
		r->n_entry_gaps++;
	memmove(&r->entry_gaps[at + 1], &r->entry_gaps[at],
		(r->n_entry_gaps - 1 - at) * sizeof(r->entry_gaps[0]));
	r->entry_gaps[at] = *gap;
}

/* Recognizes the tracer's own functions, which enable it and patch the kernel's code. */
static bool is_tracer(const char *func)
{
	static const char *const prefixes[] = {
		"ftrace_",
		"__ftrace_",
		"arch_ftrace_",
		"register_ftrace",
		"text_poke",
		"smp_text_poke",
		"__text_poke",
		"tracer_",
		"tracing_",
		"trace_event_",
		"event_trace_",
		"init_graph_trace",
		"init_kprobe_trace",
		"init_function_trace",
		"trace_eval_",
		"register_tracer",
		"aarch64_insn_patch",
		"create_trace_",
		"init_trace_",
		"ring_buffer_resize",
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (strncmp(func, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

static bool is_idle(const struct kft_entry_gap_end *e)
{
	return e->pid == 0;
}

static void consider_entry_gap(struct feeding *f, const struct kft_entry_gap_end *now)
{
	if (f->has_last && now->entry_ns > f->last.entry_ns && !is_idle(&f->last) &&
	    f->last.entry_ns >= f->tracer_until_ns)
		keep_entry_gap(f->report, &(struct kft_entry_gap){f->last, *now});
}

static int on_enter(void *arg, const struct kft_nested *n)
{
	struct feeding *f = arg;
	struct kft_entry_gap_end now = {
		.entry_ns = n->call.entry_ns,
		.func = n->call.func,
		.pid = n->call.pid,
		.cpu = n->call.cpu,
	};

	consider_entry_gap(f, &now);
	if (n->call.end == KFT_CALL_ENDED &&
	    is_tracer(kft_intern_text(&f->report->names, n->call.func)))
		f->tracer_until_ns = KFT_MAX(f->tracer_until_ns,
					     n->call.entry_ns + n->call.dur_ns);
	/* A call with a lost entry is reported late, when its exit is read. */
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
	/* The times of calls count from the first call. */
	for (size_t i = 0; i < r->n_entry_gaps; i++) {
		r->entry_gaps[i].from.entry_ns += r->found.start_ns;
		r->entry_gaps[i].to.entry_ns += r->found.start_ns;
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

/* Drops the functions if none has a duration: they are only the entries of steps. */
static void drop_untimed(struct kft_boot_report *r)
{
	kft_vec_for_each(&r->functions.stats.funcs, f)
		if (f->timed)
			return;
	kft_functions_finish(&r->functions);
	r->functions = (struct kft_functions){};
	r->calls = 0;
	r->n_entry_gaps = 0;
}

static void find_tracer_time(struct kft_boot_report *r,
			     const struct kft_symbol_table *symbols)
{
	kft_vec_for_each(&r->initcalls.list, call) {
		const struct kft_symbol *s = kft_symbol_lookup(symbols, call->func);
		char name[64];

		if (!s || s->addr != call->func || call->depth || call->is_module ||
		    s->name_len >= sizeof(name))
			continue;
		memcpy(name, s->name, s->name_len);
		name[s->name_len] = '\0';
		call->is_tracer = is_tracer(name);
		if (call->is_tracer)
			r->tracer_ns += call->dur_ns;
	}
}

static void find_cost(const struct kft_trace *t, struct kft_boot_report *r)
{
	struct kft_run_info info;

	r->has_cost = t->meta.run.len && kft_run_info_parse(&t->meta.run, &info) == 0 &&
		      info.traced_ns && info.untraced_ns;
	if (!r->has_cost)
		return;
	r->traced_ns = info.traced_ns;
	r->untraced_ns = info.untraced_ns;
}

int kft_boot_report_run(struct kft_trace *t, const struct kft_scope *scope,
			const struct kft_symbol_table *symbols,
			struct kft_boot_report *ret)
{
	struct kft_boot_report r = {};
	int n = kft_initcalls_find(t, scope, &r.initcalls);

	if (n == 0)
		n = kft_boot_steps_find(t, scope, symbols, &r.steps);
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
	if (r.steps.list.len)
		drop_untimed(&r);
	find_tracer_time(&r, symbols);
	find_cost(t, &r);
	*ret = r;
	return 0;
}
