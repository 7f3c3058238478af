// SPDX-License-Identifier: LGPL-2.1-or-later
/* Converts the report of a boot to values and tables. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/boot/report.h"
#include "base/units.h"

/* Number of rows shown by default. */
#define ROWS_TOP 20

static const struct kft_result_column level_columns[] = {
	{"level", "LEVEL", .is_text = true},
	{"start", "START"},
	{"count", "INITCALLS"},
	{"time", "TIME"},
	{"longest", "LONGEST"},
};

static const struct kft_result_column initcall_columns[] = {
	{"duration", "INITCALL TOOK"},
	{"level", "LEVEL", .is_text = true},
	{"function", "FUNCTION", .is_text = true},
	{"start", "START"},
	{"return", "RETURN"},
	{"cpu", "CPU"},
	{"pid", "PID"},
};

static const struct kft_result_column step_columns[] = {
	{"duration", "TO NEXT STEP"},
	{"function", "STEP", .is_text = true},
	{"start", "START"},
};

static const struct kft_result_column entry_gap_columns[] = {
	{"duration", "GAP"}, {"start", "FROM"},
	{"end", "TO"},	     {"function", "AFTER ENTRY OF", .is_text = true},
	{"cpu", "CPU"},	     {"comm", "TASK", .is_text = true},
	{"pid", "PID"},	     {"next_function", "NEXT ENTRY", .is_text = true},
	{"next_cpu", "CPU"}, {"next_comm", "TASK", .is_text = true},
	{"next_pid", "PID"},
};

static const struct kft_result_column function_columns[] = {
	{"function", "FUNCTION", .is_text = true},
	{"calls", "CALLS"},
	{"total", "TOTAL"},
	{"max", "MAX"},
	{"local", "LOCAL"},
};

static struct kft_value stamp(const struct kft_trace *t, uint64_t ts)
{
	bool is_ns = !t->buffers.len || t->buffers.data[0].clock.unit == KFT_CLOCK_NS;

	return kft_value_number(is_ns ? KFT_VALUE_TIME : KFT_VALUE_TICKS, ts);
}

static struct kft_value level_name(struct kft_result *r, const struct kft_initcalls *i,
				   uint32_t level)
{
	return kft_value_text(r, kft_intern_text(&i->levels, level));
}

/*
 * The kernel frees the code of a module's initcall after it has run, and another module may
 * have got the address. A symbol is therefore used only if it belongs to the same module.
 */
static struct kft_value module_init_name(struct kft_result *r,
					 const struct kft_symbol *exact,
					 const char *module, uint64_t addr)
{
	char text[128];

	if (module && exact && exact->module_len == strlen(module) &&
	    memcmp(exact->module, module, exact->module_len) == 0)
		return kft_value_textn(r, exact->name, exact->name_len);
	if (module)
		(void)snprintf(text, sizeof(text), "init of module %.64s", module);
	else
		(void)snprintf(text, sizeof(text), "init of a module, 0x%" PRIx64, addr);
	return kft_value_text(r, text);
}

/*
 * The kernel frees initcalls and their symbols after they have run. A symbol is used only if
 * its address is exact, because the next lower symbol would be a wrong name.
 */
static struct kft_value initcall_name(struct kft_result *r,
				      const struct kft_symbol_table *symbols,
				      const struct kft_initcalls *i,
				      const struct kft_initcall *call)
{
	const struct kft_symbol *s = kft_symbol_lookup(symbols, call->func);
	char text[32];
	struct kft_value v;

	if (s && s->addr != call->func)
		s = NULL;
	if (call->is_module) {
		v = module_init_name(r, s,
				     call->module == KFT_INTERN_NONE
					     ? NULL
					     : kft_intern_text(&i->modules, call->module),
				     call->func);
	} else if (s) {
		v = kft_value_textn(r, s->name, s->name_len);
	} else {
		(void)snprintf(text, sizeof(text), "0x%" PRIx64, call->func);
		v = kft_value_text(r, text);
	}
	v.kind = KFT_VALUE_FUNCTION;
	return v;
}

static struct kft_value task(struct kft_trace *t, struct kft_result *r, int32_t pid)
{
	if (pid == KFT_CALL_IN_INTERRUPT)
		return kft_value_text(r, "(interrupt)");
	return kft_value_task(r, kft_task_comm(&t->tasks, (uint32_t)pid));
}

struct level {
	uint32_t level;
	uint64_t start_ns;
	uint64_t count;
	uint64_t time_ns;
	uint64_t longest_ns;
};

struct levels {
	KFT_VEC(struct level) list;
};

static bool add_to_level(struct levels *ls, const struct kft_initcall *call)
{
	struct level *l = NULL;

	kft_vec_for_each(&ls->list, it)
		if (it->level == call->level)
			l = it;
	if (!l) {
		if (!kft_vec_push(&ls->list, (struct level){.level = call->level,
							    .start_ns = UINT64_MAX}))
			return false;
		l = &ls->list.data[ls->list.len - 1];
	}
	l->start_ns = KFT_MIN(l->start_ns, call->start_ns);
	l->count++;
	l->longest_ns = KFT_MAX(l->longest_ns, call->dur_ns);
	if (!call->depth)
		l->time_ns += call->dur_ns;
	return true;
}

static int by_start(const void *pa, const void *pb)
{
	const struct level *a = pa;
	const struct level *b = pb;

	return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

static void add_levels(struct kft_trace *t, const struct kft_initcalls *i,
		       struct kft_result *r)
{
	struct levels ls = {};
	struct kft_result_table *table = kft_result_add_table(
		r, "by_level", level_columns, ARRAY_SIZE(level_columns));

	kft_vec_for_each(&i->list, call)
		r->failed |= !add_to_level(&ls, call);
	if (ls.list.len)
		qsort(ls.list.data, ls.list.len, sizeof(*ls.list.data), by_start);
	kft_vec_for_each(&ls.list, l) {
		kft_result_put(table, level_name(r, i, l->level));
		kft_result_put(table, stamp(t, l->start_ns));
		kft_result_put(table, kft_value_count(l->count));
		kft_result_put(table, kft_value_duration(l->time_ns));
		kft_result_put(table, kft_value_duration(l->longest_ns));
	}
	kft_vec_finish(&ls.list);
}

static void add_initcalls(struct kft_trace *t, const struct kft_symbol_table *symbols,
			  const struct kft_initcalls *i, struct kft_result *r)
{
	struct kft_result_table *table = kft_result_add_table(
		r, "initcall", initcall_columns, ARRAY_SIZE(initcall_columns));

	if (table)
		table->top = ROWS_TOP;
	kft_vec_for_each(&i->list, call) {
		kft_result_put(table, call->ended ? kft_value_duration(call->dur_ns)
						  : kft_value_none());
		kft_result_put(table, level_name(r, i, call->level));
		kft_result_put(table, initcall_name(r, symbols, i, call));
		kft_result_put(table, stamp(t, call->start_ns));
		kft_result_put(table, call->ended ? kft_value_number(
							    KFT_VALUE_INTEGER,
							    (uint64_t)(int64_t)call->ret)
						  : kft_value_none());
		kft_result_put(table, kft_value_cpu(call->cpu));
		kft_result_put(table, kft_value_pid(call->pid));
	}
}

static int by_step_duration(const void *pa, const void *pb)
{
	const struct kft_boot_step *a = pa;
	const struct kft_boot_step *b = pb;

	if (a->dur_ns != b->dur_ns)
		return a->dur_ns > b->dur_ns ? -1 : 1;
	return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

static void add_steps(struct kft_trace *t, const struct kft_boot_report *b,
		      struct kft_result *r)
{
	struct kft_result_table *table = kft_result_add_table(r, "step", step_columns,
							      ARRAY_SIZE(step_columns));
	KFT_VEC(struct kft_boot_step) sorted = {};

	if (table)
		table->top = ROWS_TOP;
	kft_vec_for_each(&b->steps.list, s)
		r->failed |= !kft_vec_push(&sorted, *s);
	if (sorted.len)
		qsort(sorted.data, sorted.len, sizeof(*sorted.data), by_step_duration);
	kft_vec_for_each(&sorted, s) {
		kft_result_put(table, s->ended ? kft_value_duration(s->dur_ns)
					       : kft_value_none());
		kft_result_put(table, kft_value_function(r, s->name));
		kft_result_put(table, stamp(t, s->start_ns));
	}
	kft_vec_finish(&sorted);
}

static void put_entry_gap_end(struct kft_result_table *table, struct kft_trace *t,
			      const struct kft_boot_report *b,
			      const struct kft_entry_gap_end *e)
{
	const char *func = kft_intern_text(&b->names, e->func);

	kft_result_put(table, kft_value_function(table ? table->result : NULL, func));
	kft_result_put(table, kft_value_cpu(e->cpu));
	kft_result_put(table, task(t, table ? table->result : NULL, e->pid));
	kft_result_put(table, kft_value_pid(e->pid));
}

static void add_entry_gaps(struct kft_trace *t, const struct kft_boot_report *b,
			   struct kft_result *r)
{
	struct kft_result_table *table = kft_result_add_table(
		r, "leap", entry_gap_columns, ARRAY_SIZE(entry_gap_columns));

	for (size_t i = 0; table && i < b->n_entry_gaps; i++) {
		const struct kft_entry_gap *l = &b->entry_gaps[i];

		kft_result_put(table,
			       kft_value_duration(l->to.entry_ns - l->from.entry_ns));
		kft_result_put(table, stamp(t, l->from.entry_ns));
		kft_result_put(table, stamp(t, l->to.entry_ns));
		put_entry_gap_end(table, t, b, &l->from);
		put_entry_gap_end(table, t, b, &l->to);
	}
}

static void add_functions(const struct kft_boot_report *b, struct kft_result *r)
{
	struct kft_result_table *table = kft_result_add_table(
		r, "function", function_columns, ARRAY_SIZE(function_columns));

	if (table)
		table->top = ROWS_TOP;
	kft_vec_for_each(&b->functions.stats.funcs, f) {
		const char *name = kft_intern_text(&b->names, f->func);

		kft_result_put(table, kft_value_function(r, name));
		kft_result_put(table, kft_value_count(f->calls));
		kft_result_put(table, f->timed ? kft_value_duration(f->total_ns)
					       : kft_value_none());
		kft_result_put(table, f->timed ? kft_value_duration(f->max_ns)
					       : kft_value_none());
		kft_result_put(table, f->timed ? kft_value_duration(f->local_ns)
					       : kft_value_none());
	}
}

static uint64_t initcalls_time(const struct kft_initcalls *i)
{
	uint64_t ns = 0;

	kft_vec_for_each(&i->list, call)
		if (!call->depth)
			ns += call->dur_ns;
	return ns;
}

static struct kft_value missing(const struct kft_boot_report *b, struct kft_result *r)
{
	if (!b->initcalls.list.len)
		return kft_value_text(r, "initcalls: none is in the trace; "
					 "trace_event=initcall:* on the kernel's "
					 "command line records them");
	if (!b->calls)
		return kft_value_text(
			r, b->steps.list.len
				   ? "calls of functions: 'kft boot --focus' with this "
				     "trace looks into the slowest initcalls"
				   : "calls of functions, and so entry_gaps: "
				     "ftrace=function_graph on the kernel's command "
				     "line records them");
	return kft_value_none();
}

/* The table of functions is sorted by time from entry to exit, which includes waiting. */
static struct kft_value waiting(const struct kft_boot_report *b, struct kft_result *r)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_functions_waiting(&b->functions.stats, &b->names, &sb);
	if (!sb.len)
		return kft_value_none();
	kft_strbuf_adds(&sb, " and what calls them wait more than they work: the times "
			     "of functions are from entry to exit");
	return kft_value_text(r, kft_strbuf_cstr(&sb));
}

/*
 * "the kernel was 7.5 times as slow", rounded. A ratio that rounds to 1.0 or less is within
 * the noise of the measurement, so the text does not claim a slowdown then.
 */
static void add_slowdown(uint64_t traced_ns, uint64_t untraced_ns, struct kft_strbuf *sb)
{
	double tenths = (double)traced_ns / (double)untraced_ns * 10;
	uint64_t rounded = (uint64_t)(tenths + 0.5);

	if (rounded <= 10)
		kft_strbuf_adds(sb, "the kernel was not measurably slower (");
	else
		kft_strbuf_addf(sb,
				"the kernel was %" PRIu64 ".%" PRIu64 " times as slow (",
				rounded / 10, rounded % 10);
}

/* Returns no value if the cost was not measured. */
static struct kft_value cost(const struct kft_boot_report *b, struct kft_result *r)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (!b->has_cost)
		return kft_value_none();
	add_slowdown(b->traced_ns, b->untraced_ns, &sb);
	kft_strbuf_add_duration(&sb, b->traced_ns);
	kft_strbuf_adds(&sb, " for a call that takes ");
	kft_strbuf_add_duration(&sb, b->untraced_ns);
	kft_strbuf_adds(&sb, " without)");
	return kft_value_text(r, kft_strbuf_cstr(&sb));
}

void kft_boot_report_result(struct kft_trace *t, const struct kft_symbol_table *symbols,
			    const struct kft_boot_report *b, struct kft_result *ret)
{
	kft_result_add(ret, "initcalls", "Initcalls",
		       kft_value_count(b->initcalls.list.len));
	kft_result_add(ret, "initcalls_time", "Time in initcalls",
		       kft_value_duration(initcalls_time(&b->initcalls)));
	kft_result_add_optional(ret, "unstarted", "Begun before the trace",
				kft_value_count(b->initcalls.unstarted));
	kft_result_add_optional(ret, "tracer_time", "Of that setting up tracing",
				kft_value_duration(b->tracer_ns));
	kft_result_add_optional(ret, "cost", "Cost of tracing", cost(b, ret));
	kft_result_add(ret, "calls", "Calls of functions", kft_value_count(b->calls));
	kft_result_add(ret, "functions", "Functions",
		       kft_value_count(b->functions.stats.funcs.len));
	kft_result_add_optional(ret, "gaps", "Gaps", kft_value_count(b->found.gaps));
	kft_result_add_optional(ret, "missing", "Missing", missing(b, ret));
	kft_result_add_optional(ret, "waiting", "Waiting", waiting(b, ret));
	if (b->steps.list.len)
		add_steps(t, b, ret);
	if (b->initcalls.list.len) {
		add_levels(t, &b->initcalls, ret);
		add_initcalls(t, symbols, &b->initcalls, ret);
	}
	if (b->calls) {
		add_entry_gaps(t, b, ret);
		add_functions(b, ret);
	}
}
