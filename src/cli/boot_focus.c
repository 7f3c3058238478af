// SPDX-License-Identifier: GPL-2.0-only
/* Makes a configuration for a second boot that records inside the slow initcalls. */
#include <errno.h>

#include "analysis/boot/report.h"
#include "base/err.h"
#include "base/units.h"
#include "cli/boot_plan.h"
#include "decode/trace_lazy.h"
#include "file/registry.h"
#include "plan/kft/parser.h"

/* The slowest initcalls of a trace, which the next boot records in detail. */
struct focus {
	KFT_VEC(struct kft_symbol) roots; /* borrowed from the trace */
	uint64_t roots_ns;
	uint64_t all_ns; /* time of all initcalls together */
	size_t modules; /* number of equally slow initcalls of modules */
};

/* A few functions hardly slow the boot down, and most of the time is in a few. */
#define FOCUS_ROOTS_MAX 5
/* an initcall that took less than 1/50 of the time is left out */
#define FOCUS_LEAST_SHARE 50

static int choose_roots(const struct kft_boot_report *b,
			const struct kft_symbol_table *symbols, struct focus *f)
{
	kft_vec_for_each(&b->initcalls.list, call)
		f->all_ns += call->depth ? 0 : call->dur_ns;
	kft_vec_for_each(&b->initcalls.list, call) { /* in descending order of time */
		const struct kft_symbol *s = kft_symbol_lookup(symbols, call->func);

		if (!call->ended || call->dur_ns < f->all_ns / FOCUS_LEAST_SHARE)
			break;
		f->modules += call->is_module;
		if (call->is_module || call->depth || call->is_tracer || !s ||
		    s->addr != call->func || f->roots.len == FOCUS_ROOTS_MAX)
			continue;
		if (!kft_vec_push(&f->roots, *s))
			return -ENOMEM;
		f->roots_ns += call->dur_ns;
	}
	return 0;
}

static void explain_focus(const struct focus *f, uint64_t min_us, struct kft_strbuf *text)
{
	kft_strbuf_adds(text, "  calls of ");
	kft_strbuf_add_duration(text, min_us * 1000);
	kft_strbuf_adds(text, " and more in the slowest initcalls, which took ");
	kft_strbuf_add_duration(text, f->roots_ns);
	kft_strbuf_adds(text, " of ");
	kft_strbuf_add_duration(text, f->all_ns);
	kft_strbuf_adds(text, ":\n ");
	kft_vec_for_each(&f->roots, s)
		kft_strbuf_addf(text, " %.*s", (int)s->name_len, s->name);
	kft_strbuf_addc(text, '\n');
	if (f->modules)
		kft_strbuf_addf(
			text,
			"  %zu initcalls of modules are as slow: modules are loaded "
			"too late for this\n",
			f->modules);
}

/* Limits for some thousand records: the calls that make up the time, not all calls. */
#define FOCUS_RECORDS  4000
#define FOCUS_LEAST_US 10

static int make_focus(struct cli *c, const struct cli_boot_opts *o, const struct focus *f,
		      struct kft_strbuf *line, struct kft_strbuf *text)
{
	_cleanup_(kft_config_finish) struct kft_config config = {};
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf run = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf roots = {};
	uint64_t min_us = KFT_MAX(f->roots_ns / 1000 / FOCUS_RECORDS,
				  (uint64_t)FOCUS_LEAST_US);

	kft_vec_for_each(&f->roots, s)
		kft_strbuf_addf(&roots, "%s%.*s", roots.len ? "," : "", (int)s->name_len,
				s->name);
	kft_strbuf_addf(&run, "begin filter mintime %lluus end",
			(unsigned long long)min_us);
	int r = kft_config_parse(kft_strbuf_cstr(&run), run.len, &diags, &config);
	if (r == 0)
		r = cli_boot_line(c, o, &config.runs.data[0], kft_strbuf_cstr(&roots),
				  line);
	if (r == 0)
		explain_focus(f, min_us, text);
	return r;
}

int cli_boot_focus(struct cli *c, const struct cli_boot_opts *o, const char *trace,
		   struct kft_strbuf *line, struct kft_strbuf *text)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(kft_boot_report_finish) struct kft_boot_report report = {};
	struct focus f = {};
	int r = kft_file_open(trace, &t, &c->err);

	if (r < 0)
		return r;
	const struct kft_symbol_table *symbols = kft_trace_symbols(t);
	r = kft_boot_report_run(t, NULL, symbols, &report);
	if (r == 0)
		r = choose_roots(&report, symbols, &f);
	if (r == 0 && !f.roots.len)
		r = -ENODATA;
	if (r == -ENODATA)
		(void)kft_err_set(&c->err, r, "no slow initcall is in trace '%s'", trace);
	else if (r < 0)
		kft_err_sys(&c->err, r, "cannot read '%s'", trace);
	else
		r = make_focus(c, o, &f, line, text);
	kft_vec_finish(&f.roots);
	return r;
}
