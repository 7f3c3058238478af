// SPDX-License-Identifier: LGPL-2.1-or-later
/* Adds the facts of a KFT run to its trace. */
#include "session/run_info.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/err.h"
#include "decode/trace_lazy.h"
#include "model/run_info.h"

int kft_run_cut(struct kft_trace *t, const struct kft_plan *plan,
		const struct kft_session_state *rec, const char *probe_group,
		const struct kft_cut_window *window, struct kft_cut *ret,
		struct kft_err *e)
{
	const struct kft_cut_opts opts = {
		.plan = plan,
		.started = rec->started,
		.stopped = rec->stopped,
		.start_ns = rec->start_ns,
		.tasks_filtered = rec->setup.tasks_filtered,
		.probe_group = probe_group,
		.window = window,
	};

	if (plan->functions.n_comms)
		(void)kft_trace_tasks(t);
	if (plan->functions.context)
		(void)kft_trace_symbols(t);
	return kft_cut_decide(t, &opts, ret, e);
}

__printf_fmt(2, 3) static void say(char *words, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(words, KFT_RUN_WORDS_MAX, fmt, ap);
	va_end(ap);
}

static void say_trigger(char *words, const struct kft_plan_trigger *t)
{
	const char *how = t->kind == KFT_TRIGGER_ENTRY ? "entry to" : "exit from";

	if (t->kind == KFT_TRIGGER_EVENT)
		say(words, "event %s", t->event.pattern);
	else if (t->func.kind == KFT_FUNC_ADDR)
		say(words, "%s function 0x%08" PRIx64, how, t->func.addr);
	else
		say(words, "%s function %s", how, t->func.name);
}

/* Uses the words of KFT's log. The last causes are kft's own. */
static void say_cause(char *words, enum kft_run_cause cause,
		      const struct kft_plan_trigger *t, const char *since)
{
	switch (cause) {
	case KFT_CAUSE_TRIGGER:
		say_trigger(words, t);
		return;
	case KFT_CAUSE_TIME:
		say(words, "time at %" PRIu64 " usec from %s", t->time_ns / 1000, since);
		return;
	case KFT_CAUSE_USER:
		say(words, "user action");
		return;
	case KFT_CAUSE_FULL:
	case KFT_CAUSE_ENTRIES:
	case KFT_CAUSE_LIMIT:
		say(words, "log full");
		return;
	case KFT_CAUSE_DISK:
		say(words, "full disk");
		return;
	case KFT_CAUSE_OTHER:
		say(words, "another program");
		return;
	case KFT_CAUSE_COUNT:
	case KFT_CAUSE_NONE:
		say(words, "?");
		return;
	}
}

static void add_filters(const struct kft_plan *plan, const struct kft_graph_setup *setup,
			const struct kft_cut *cut, struct kft_run_info *info)
{
	const struct kft_plan_functions *f = &plan->functions;

	info->has_filter[KFT_RUN_FILTER_TIME] = f->min_ns || f->max_ns;
	info->filtered[KFT_RUN_FILTER_TIME] = cut->counts[KFT_VERDICT_SHORT] +
					      cut->counts[KFT_VERDICT_LONG];
	info->has_filter[KFT_RUN_FILTER_NOINTS] = f->context == KFT_CONTEXT_TASK;
	info->filtered[KFT_RUN_FILTER_NOINTS] = cut->counts[KFT_VERDICT_INTERRUPT];
	info->has_filter[KFT_RUN_FILTER_ONLYINTS] = f->context == KFT_CONTEXT_INTERRUPT;
	info->filtered[KFT_RUN_FILTER_ONLYINTS] = cut->counts[KFT_VERDICT_NO_INTERRUPT];
	info->has_filter[KFT_RUN_FILTER_TASKS] = plan->n_pids || f->n_comms;
	info->filtered[KFT_RUN_FILTER_TASKS] = cut->counts[KFT_VERDICT_TASK];
	info->has_filter[KFT_RUN_FILTER_FUNCTIONS] = f->include.len || f->exclude.len;
	info->in_kernel[KFT_RUN_FILTER_TIME] = setup->thresh_us;
	info->in_kernel[KFT_RUN_FILTER_NOINTS] = setup->skips_irqs;
	info->in_kernel[KFT_RUN_FILTER_FUNCTIONS] = f->include.len || f->exclude.len;
	info->in_kernel[KFT_RUN_FILTER_TASKS] = setup->tasks_filtered;
	info->not_found = cut->counts[KFT_VERDICT_EARLIER];
	info->min_ns = f->min_ns;
	info->max_ns = f->max_ns;
	info->n_functions = f->include.len;
	info->n_excluded = f->exclude.len;
	info->n_tasks = plan->n_pids + f->n_comms;
}

static void make_info(const struct kft_plan *plan, const struct kft_session_state *rec,
		      const struct kft_cut *cut, struct kft_run_info *ret)
{
	struct kft_run_info info = {.id = rec->id};
	struct kft_cut_window first = {};
	struct kft_cut_window last = {};

	if (cut->windows.len) {
		first = cut->windows.data[0];
		last = cut->windows.data[cut->windows.len - 1];
	}
	info.start_ns = first.start_ns;
	info.stop_ns = last.stop_ns == UINT64_MAX ? rec->stop_ns : last.stop_ns;
	say_cause(info.started, first.started, &plan->start, "boot");
	say_cause(info.stopped, last.stopped ? last.stopped : rec->stopped, &plan->stop,
		  "start trigger");
	add_filters(plan, &rec->setup, cut, &info);
	info.looks = rec->watch.looks;
	info.stacks = rec->watch.stacks;
	info.longest_look_ns = rec->watch.longest_ns;
	*ret = info;
}

static void add_windows(const struct kft_cut *cut, uint64_t stop_ns,
			struct kft_strbuf *sb)
{
	kft_vec_for_each(&cut->windows, w) {
		const struct kft_run_window window = {
			.start_ns = w->start_ns,
			.stop_ns = w->stop_ns == UINT64_MAX ? stop_ns : w->stop_ns,
		};

		kft_run_window_format(&window, sb);
	}
}

int kft_run_retention_info(const struct kft_plan *plan,
			   const struct kft_session_state *rec, const struct kft_cut *cut,
			   struct kft_trace *t, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	struct kft_run_info info;

	make_info(plan, rec, cut, &info);
	kft_run_info_format(&info, &text);
	add_windows(cut, KFT_MAX(info.start_ns, info.stop_ns), &text);
	int n = kft_strbuf_ok(&text)
			? kft_meta_set_blob(&t->meta, &t->meta.run, text.buf, text.len)
			: -ENOMEM;
	return n < 0 ? kft_err_sys(e, n, "cannot save") : 0;
}
