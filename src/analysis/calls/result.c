// SPDX-License-Identifier: LGPL-2.1-or-later
/* Converts calls of functions, and their statistics, to a result. */
#include "analysis/calls/result.h"

static const struct kft_result_column call_columns[] = {
	{"entry", "ENTRY"},
	{"duration", "DURATION"},
	{"local", "LOCAL"},
	{"on_cpu", "ON CPU", .is_optional = true},
	{"on_cpu_local", "LOCAL ON CPU", .is_optional = true},
	{"end", "END", .is_text = true},
	{"pid", "PID"},
	{"cpu", "CPU"},
	{"depth", "DEPTH"},
	{"function", "FUNCTION", .is_text = true},
	{"caller", "CALLER", .is_text = true},
	{"caller_offset", "OFFSET", .is_optional = true},
	{"args", "ARGUMENTS", .is_text = true, .is_optional = true},
};

static const struct kft_result_column function_columns[] = {
	{"function", "FUNCTION", .is_text = true},
	{"calls", "CALLS"},
	{"total", "TOTAL"},
	{"average", "AVERAGE"},
	{"min", "MIN"},
	{"max", "MAX"},
	{"sub", "IN CALLS"},
	{"local", "LOCAL"},
	{"on_cpu", "ON CPU", .is_optional = true},
	{"on_cpu_local", "LOCAL ON CPU", .is_optional = true},
	{"max_callee", "MOST IN", .is_text = true},
	{"max_callee_calls", "CALLS"},
};

static const struct kft_result_column callee_columns[] = {
	{"function", "FUNCTION", .is_text = true},
	{"callee", "CALLEE", .is_text = true},
	{"calls", "CALLS"},
	{"total", "TOTAL"},
};

static const struct kft_result_column filter_columns[] = {
	{"filter", "FILTER", .is_text = true},
	{"calls", "CALLS"},
	{"in_kernel", "IN THE KERNEL", .is_text = true},
};

struct kft_value kft_value_interned(const struct kft_intern *names, uint32_t number)
{
	struct kft_value v = kft_value_word(kft_intern_text(names, number));

	v.kind = KFT_VALUE_FUNCTION;
	return v;
}

static struct kft_value duration_if(bool known, uint64_t ns)
{
	return known ? kft_value_duration(ns) : kft_value_none();
}

/* No value for a caller that is not known. */
static struct kft_value function_or_none(const struct kft_intern *names, uint32_t number)
{
	return number == KFT_INTERN_NONE ? kft_value_none()
					 : kft_value_interned(names, number);
}

static void make_call(const struct kft_result_table *t, size_t row, struct kft_value *ret)
{
	static const char *const ends[] = {
		[KFT_CALL_ENDED] = "seen",
		[KFT_CALL_OPEN] = "not seen",
		[KFT_CALL_WATCHED] = "stack",
	};
	const struct kft_calls_table *calls = t->arg;
	const struct kft_call_node *n = &calls->tree->nodes.data[row];
	const uint64_t entry_ns = calls->start_ns + n->entry_ns;
	const bool ended = n->end == KFT_CALL_ENDED;
	const bool has_on = ended && calls->tree->has_off;

	/* A call that was entered before the run began is shown at 0. */
	*ret++ = kft_value_duration(entry_ns > calls->base_ns ? entry_ns - calls->base_ns
							      : 0);
	*ret++ = duration_if(ended, n->dur_ns);
	*ret++ = duration_if(ended, n->local_ns);
	*ret++ = duration_if(has_on, n->on_ns);
	*ret++ = duration_if(has_on, n->on_local_ns);
	*ret++ = kft_value_word(ends[n->end]);
	*ret++ = kft_value_pid(n->pid);
	*ret++ = kft_value_cpu(n->cpu);
	*ret++ = kft_value_count(n->depth);
	*ret++ = kft_value_interned(calls->names, n->func);
	*ret++ = function_or_none(calls->names, n->caller);
	*ret++ = n->caller_offset ? kft_value_number(KFT_VALUE_BYTES, n->caller_offset)
				  : kft_value_none();
	*ret++ = n->args ? kft_value_word(n->args) : kft_value_none();
}

void kft_calls_result(const struct kft_calls_table *calls, struct kft_result *ret)
{
	struct kft_result_table *t = kft_result_add_table(ret, "calls", call_columns,
							  ARRAY_SIZE(call_columns));

	if (!t)
		return;
	t->make = make_call;
	t->arg = calls;
	t->n_made = calls->tree->nodes.len;
}

static void add_function(const struct kft_functions_table *f,
			 const struct kft_func_stat *stat, struct kft_result_table *t)
{
	const struct kft_callee_stat *max = kft_func_stat_max_callee(f->stats, stat);
	const bool timed = stat->timed;
	const bool has_on = timed && f->stats->has_off;

	kft_result_put(t, kft_value_interned(f->names, stat->func));
	kft_result_put(t, kft_value_count(stat->calls));
	kft_result_put(t, duration_if(timed, stat->total_ns));
	kft_result_put(t, duration_if(timed, timed ? stat->sum_ns / stat->timed : 0));
	kft_result_put(t, duration_if(timed, stat->min_ns));
	kft_result_put(t, duration_if(timed, stat->max_ns));
	kft_result_put(t, duration_if(timed, stat->total_ns > stat->local_ns
						     ? stat->total_ns - stat->local_ns
						     : 0));
	kft_result_put(t, duration_if(timed, stat->local_ns));
	kft_result_put(t, duration_if(has_on, stat->on_total_ns));
	kft_result_put(t, duration_if(has_on, stat->on_local_ns));
	kft_result_put(t,
		       max ? kft_value_interned(f->names, max->func) : kft_value_none());
	kft_result_put(t, kft_value_count(max ? max->calls : 0));
}

static void add_callees(const struct kft_functions_table *f,
			const struct kft_func_stat *stat, struct kft_result_table *t)
{
	const struct kft_callee_stat *callees = f->stats->callees.data;

	for (uint32_t i = stat->first_callee; i != KFT_FUNC_STAT_NONE;
	     i = callees[i].next) {
		kft_result_put(t, kft_value_interned(f->names, stat->func));
		kft_result_put(t, kft_value_interned(f->names, callees[i].func));
		kft_result_put(t, kft_value_count(callees[i].calls));
		kft_result_put(t, kft_value_duration(callees[i].sum_ns));
	}
}

void kft_functions_result(const struct kft_functions_table *f, struct kft_result *ret)
{
	struct kft_result_table *functions = kft_result_add_table(
		ret, "functions", function_columns, ARRAY_SIZE(function_columns));
	struct kft_result_table *callees = kft_result_add_table(
		ret, "callees", callee_columns, ARRAY_SIZE(callee_columns));
	uint64_t shown = 0;

	kft_vec_for_each(&f->stats->funcs, stat) {
		if (stat->total_ns < f->min_total_ns)
			continue;
		if (f->top && shown++ >= f->top)
			break;
		add_function(f, stat, functions);
		add_callees(f, stat, callees);
	}
}

static struct kft_value cause(struct kft_result *r, const struct kft_run_info *info,
			      const char *words)
{
	return info->is_known ? kft_value_text(r, words) : kft_value_none();
}

void kft_run_info_result(const struct kft_run_info *info, struct kft_result *ret)
{
	static const char *const filters[] = {
		[KFT_RUN_FILTER_TIME] = "time",
		[KFT_RUN_FILTER_NOINTS] = "noints",
		[KFT_RUN_FILTER_ONLYINTS] = "onlyints",
		[KFT_RUN_FILTER_FUNCTIONS] = "functions",
		[KFT_RUN_FILTER_TASKS] = "tasks",
	};

	kft_result_add(ret, "run", "Run",
		       info->is_known ? kft_value_number(KFT_VALUE_ID, info->id)
				      : kft_value_none());
	kft_result_add(ret, "start", "Start",
		       kft_value_number(KFT_VALUE_TIME, info->start_ns));
	kft_result_add(ret, "started_by", "Started by", cause(ret, info, info->started));
	kft_result_add(ret, "stop", "Stop",
		       kft_value_number(KFT_VALUE_TIME, info->stop_ns));
	kft_result_add(ret, "stopped_by", "Stopped by", cause(ret, info, info->stopped));
	if (!info->is_known)
		return;
	kft_result_add(ret, "entries_not_found", "Entries not found",
		       kft_value_count(info->not_found));
	if (info->looks) {
		kft_result_add(ret, "stack_looks", "Looks at the stack tracer",
			       kft_value_count(info->looks));
		kft_result_add(ret, "stacks_found", "Looks that found a deep stack",
			       kft_value_count(info->stacks));
		kft_result_add(ret, "longest_look", "Longest time between two looks",
			       kft_value_duration(info->longest_look_ns));
	}
	struct kft_result_table *t = kft_result_add_table(ret, "filters", filter_columns,
							  ARRAY_SIZE(filter_columns));

	for (size_t i = 0; i < KFT_RUN_FILTER_COUNT; i++) {
		if (!info->has_filter[i])
			continue;
		kft_result_put(t, kft_value_word(filters[i]));
		kft_result_put(t, kft_value_count(info->filtered[i]));
		kft_result_put(t, info->in_kernel[i] ? kft_value_word("not counted")
						     : kft_value_none());
	}
}
