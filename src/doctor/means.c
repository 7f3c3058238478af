// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists the mechanisms that carry out a plan. */
#include "doctor/means.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/scan.h"
#include "base/strbuf.h"
#include "plan/samples.h"
#include "plan/source.h"

/* Templates of the list's items, without their words. */
static const struct kft_means
	/* clang-format off */
	session = {"session", NULL, "an instance of tracefs", "memory for its buffers", "instances"},
	event = {"event", NULL, "trace events", "a record each time", "events"},
	syscall_event = {"event", NULL, "trace events", "a record at each system call", "syscall-events"},
	excluded = {"exclude", NULL, "kft, which does not enable them", "nothing", NULL},
	filter = {"filter", NULL, "the kernel, at the event", "dropped calls are not recorded", "event-filters"},
	kprobe = {"kprobe", NULL, "a kprobe event", "a breakpoint and a record each time", "kprobe-events"},
	kretprobe = {"kprobe", NULL, "a kretprobe event", "a breakpoint, a changed return and a record each time", "kretprobe-events"},
	types = {"arguments", NULL, "the kernel's types (BTF)", "nothing while it records", "btf"},
	uprobe = {"uprobe", NULL, "a uprobe event", "a trap into the kernel and a record each time", "uprobe-events"},
	calls = {"calls", NULL, "the function_graph tracer", "two records a call, one with a least duration", "function-graph"},
	entries = {"entries", NULL, "the function tracer", "a record a call", "function"},
	entered = {"entries", NULL, "the function tracer in an instance of its own", "a record a call, and memory for its buffers", "function"},
	functions = {"functions", NULL, "set_ftrace_filter, by index", "nothing for other functions", "filter-by-index"},
	min_time = {"min", NULL, "tracing_thresh, one for the whole kernel", "each call is timed, shorter ones are not recorded", "tracing-thresh"},
	max_time = {"max", NULL, "kft, when the recording has ended", "longer calls are recorded first", NULL},
	no_irqs = {"context", NULL, "an option of function_graph", "nothing is recorded of interrupts", "function-graph"},
	by_context = {"context", NULL, "kft, when the recording has ended", "other calls are recorded first", NULL},
	by_comm = {"commands", NULL, "kft, when the recording has ended", "calls of others are recorded first", NULL},
	graph_limit = {"limit", NULL, "function_graph, one limit for the whole kernel", "calls that it leaves out are "
		"not recorded", "function-graph"},
	graph_details = {"details", NULL, "an option of the tracer", "longer records", "graph-details"},
	probe_trigger = {"condition", NULL, "a kprobe event with a trigger", "a breakpoint each time", "kprobe-events"},
	event_trigger = {"condition", NULL, "a trigger at the event", "nothing but at that event", "event-triggers"},
	timer = {"condition", NULL, "kft, by the clock", "a look each 20 ms", NULL},
	tasks = {"tasks", NULL, "set_event_pid", "a comparison at each event", "pid-filter"},
	one_stack = {"stack", NULL, "a trigger at the event", "a walk of the stack and a record each time", "event-triggers"},
	stack = {"stack", NULL, "an option of tracefs", "a walk of the stack and a longer record at each event", "events"},
	trace_clock = {"clock", NULL, "trace_clock", "one reading of the clock at each "
		"record", "clocks"},
	clock_samples = {"samples", NULL, "perf events", "an interrupt and a walk of the stacks at each sample", "perf-clock"},
	counter_samples = {"samples", NULL, "perf events", "an interrupt and a walk of the stacks at each sample", "perf-counters"},
	sampled_tasks = {"tasks", NULL, "perf events of each task and CPU", "two descriptors for each thread and CPU", NULL},
	sample_clock = {"clock", NULL, "perf events", "one reading of the clock at each sample", NULL},
	sample_stream = {"keeping", NULL, "a buffer for each CPU that is shared with the kernel", "a thread", NULL},
	stream = {"keeping", NULL, "splice of trace_pipe_raw", "a thread for each CPU; pages are not copied", "splice"},
	newest = {"keeping", NULL, "the ring buffer", "nothing while it records", "splice"},
	watch = {"watch", NULL, "the stack tracer, one for the whole kernel", "a look at the stack at each call", "stack-tracer"};
/* clang-format on */

void kft_means_finish(struct kft_means_list *list)
{
	kft_vec_for_each(&list->items, m)
		free(m->what);
	kft_vec_finish(&list->items);
}

static int add(struct kft_means_list *list, const struct kft_means *kind, char *what)
{
	struct kft_means m = *kind;

	m.what = what;
	if (what && kft_vec_push(&list->items, m))
		return 0;
	free(what);
	return -ENOMEM;
}

__printf_fmt(3, 4) static int say(struct kft_means_list *list,
				  const struct kft_means *kind, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return add(list, kind, strdup(text));
}

static int add_event(struct kft_means_list *list, const struct kft_plan_event *ev)
{
	if (ev->pattern[0] == '!')
		return say(list, &excluded, "%s", ev->pattern + 1);
	bool is_syscall = strncmp(ev->pattern, "syscalls:", 9) == 0 ||
			  strcmp(ev->pattern, "syscalls") == 0;
	int r = say(list, is_syscall ? &syscall_event : &event, "%s", ev->pattern);

	if (r == 0 && ev->filter)
		r = say(list, &filter, "%s", ev->filter);
	return r == 0 && ev->stack ? say(list, &one_stack, "of %s", ev->pattern) : r;
}

static int add_probe(struct kft_means_list *list, const struct kft_plan_probe *p)
{
	const struct kft_means *kind = p->is_user     ? &uprobe
				       : p->at_return ? &kretprobe
						      : &kprobe;
	int r = say(list, kind, "%s%s%s%s", p->program ? p->program : "",
		    p->program ? ":" : "", p->symbol, p->at_return ? "%return" : "");

	if (r == 0 && p->args && !p->is_user && !p->at_return && *p->args != '$')
		r = say(list, &types, "%s", p->args);
	if (r == 0 && p->filter)
		r = say(list, &filter, "%s", p->filter);
	return r == 0 && p->stack ? say(list, &one_stack, "of %s", p->symbol) : r;
}

static int add_funcs(struct kft_means_list *list, const struct kft_means *kind,
		     const char *before, const struct kft_plan_funcs *fs)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_adds(&sb, before);
	for (size_t i = 0; i < fs->len; i++) {
		kft_strbuf_adds(&sb, i ? "," : "");
		if (fs->items[i].name)
			kft_strbuf_adds(&sb, fs->items[i].name);
		else
			kft_strbuf_addf(&sb, "0x%" PRIx64, fs->items[i].addr);
	}
	if (!fs->len)
		kft_strbuf_adds(&sb, "all");
	return kft_strbuf_ok(&sb) ? add(list, kind, kft_strbuf_detach(&sb)) : -ENOMEM;
}

static int add_limits(struct kft_means_list *list, const struct kft_plan_functions *f)
{
	int r = 0;

	if (f->min_ns)
		r = say(list, &min_time, "at least %" PRIu64 " ns", f->min_ns);
	if (r == 0 && f->max_ns)
		r = say(list, &max_time, "at most %" PRIu64 " ns", f->max_ns);
	if (r == 0 && f->context == KFT_CONTEXT_TASK)
		r = say(list, &no_irqs, "not in interrupts");
	if (r == 0 && f->context == KFT_CONTEXT_INTERRUPT)
		r = say(list, &by_context, "only in interrupts");
	if (r == 0 && f->max_depth)
		r = say(list, &graph_limit, "%u deep", f->max_depth);
	if (r == 0 && f->roots.len)
		r = add_funcs(list, &graph_limit, "calls within ", &f->roots);
	return r;
}

static int add_functions(struct kft_means_list *list, const struct kft_plan_functions *f)
{
	int r = add_funcs(list, f->entries ? &entries : &calls, "", &f->include);

	if (r == 0 && f->entered.len)
		r = add_funcs(list, &entered, "", &f->entered);
	if (r == 0 && (f->include.len || f->exclude.len))
		r = add_funcs(list, &functions, f->exclude.len ? "all but " : "",
			      f->exclude.len ? &f->exclude : &f->include);
	if (r == 0)
		r = add_limits(list, f);
	if (r == 0 && f->args)
		r = say(list, &graph_details, "arguments");
	if (r == 0 && f->retval)
		r = say(list, &graph_details, "return values");
	for (size_t i = 0; r == 0 && i < f->n_comms; i++)
		r = say(list, &by_comm, "%s", f->comms[i]);
	if (r == 0 && f->watch != KFT_WATCH_NONE)
		r = say(list, &watch, "call stacks");
	return r;
}

static int add_samples(struct kft_means_list *list, const struct kft_plan *plan)
{
	const struct kft_plan_samples *s = &plan->samples;
	const struct kft_sample_event *ev = s->event ? kft_sample_event_find(s->event)
						     : NULL;
	bool is_counter = ev && ev->type == PERF_TYPE_HARDWARE;
	const char *name = s->event ? s->event : "cycles or cpu-clock";
	const struct kft_means *kind = is_counter ? &counter_samples : &clock_samples;
	int r = s->period ? say(list, kind, "%s, each %" PRIu64, name, s->period)
			  : say(list, kind, "%s, %" PRIu64 " a second", name, s->freq_hz);

	return r == 0 && plan->n_pids
		       ? say(list, &sampled_tasks, "%zu process%s with threads",
			     plan->n_pids, plan->n_pids == 1 ? "" : "es")
		       : r;
}

static int add_condition(struct kft_means_list *list, const char *which,
			 const struct kft_plan_trigger *t)
{
	switch (t->kind) {
	case KFT_TRIGGER_NONE:
		return 0;
	case KFT_TRIGGER_TIME:
		return say(list, &timer, "%s at a time", which);
	case KFT_TRIGGER_EVENT:
		return say(list, &event_trigger, "%s at %s", which, t->event.pattern);
	case KFT_TRIGGER_ENTRY:
	case KFT_TRIGGER_EXIT:
		return say(list, &probe_trigger, "%s when %s is %s", which,
			   t->func.name ? t->func.name : "a function",
			   t->kind == KFT_TRIGGER_ENTRY ? "entered" : "left");
	}
	return 0;
}

/* True when the plan has samples and nothing that tracefs records. */
static bool has_samples_only(const struct kft_plan *plan)
{
	return kft_plan_sources(plan) == KFT_SOURCE_BIT(KFT_SOURCE_SAMPLES);
}

static int add_keeping(struct kft_means_list *list, const struct kft_plan *plan)
{
	bool is_sampled = has_samples_only(plan);
	int r = say(list, is_sampled ? &sample_clock : &trace_clock, "%s",
		    plan->clock ? plan->clock : "mono");

	if (r < 0)
		return r;
	if (is_sampled)
		return say(list, &sample_stream, "all samples");
	return say(list, plan->overwrite ? &newest : &stream,
		   plan->overwrite ? "the newest events" : "all events");
}

int kft_means_of_plan(const struct kft_plan *plan, struct kft_means_list *ret)
{
	bool by_tracefs = !has_samples_only(plan);
	int r = by_tracefs ? say(ret, &session, "%s",
				 plan->name ? plan->name : "a name of its own")
			   : 0;

	for (size_t i = 0; r == 0 && i < plan->n_events; i++)
		r = add_event(ret, &plan->events[i]);
	for (size_t i = 0; r == 0 && i < plan->n_probes; i++)
		r = add_probe(ret, &plan->probes[i]);
	if (r == 0 && plan->functions.enabled)
		r = add_functions(ret, &plan->functions);
	if (r == 0 && plan->samples.enabled)
		r = add_samples(ret, plan);
	if (r == 0)
		r = add_condition(ret, "start", &plan->start);
	if (r == 0)
		r = add_condition(ret, "stop", &plan->stop);
	if (r == 0 && plan->n_pids && by_tracefs)
		r = say(ret, &tasks, "%zu process%s%s", plan->n_pids,
			plan->n_pids == 1 ? "" : "es",
			!plan->follow_children ? ""
			: plan->n_pids == 1    ? " and its descendants"
					       : " and their descendants");
	if (r == 0 && plan->stack)
		r = say(ret, &stack, "of the kernel");
	if (r == 0 && plan->user_stack)
		r = say(ret, &stack, "of the program");
	return r == 0 ? add_keeping(ret, plan) : r;
}

/* Whether later mechanisms depend on this one: see kft_mechanisms[]. */
static bool comes_before(const struct kft_mechanism *m)
{
	static const char ids[] = "tracefs instances function-list filter-by-index";

	return kft_has_word(ids, m->id);
}

static bool is_needed(const struct kft_means_list *list, const char *id)
{
	kft_vec_for_each(&list->items, m)
		if (m->mechanism && strcmp(m->mechanism, id) == 0)
			return true;
	return false;
}

int kft_means_mechanisms(const struct kft_means_list *list, struct kft_mechanism **ret,
			 size_t *ret_n)
{
	struct kft_mechanism *rows = calloc(kft_n_mechanisms, sizeof(*rows));
	bool by_tracefs = is_needed(list, session.mechanism);
	size_t n = 0;

	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < kft_n_mechanisms; i++)
		if ((by_tracefs && comes_before(&kft_mechanisms[i])) ||
		    is_needed(list, kft_mechanisms[i].id))
			rows[n++] = kft_mechanisms[i];
	*ret = rows;
	*ret_n = n;
	return 0;
}
